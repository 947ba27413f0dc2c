//! Compiled schemas, kept by the digest of their definitions.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::digest::Sha256Digest;

use super::ArgumentSchema;
use crate::{definition::ToolDefinition, error::McpError, limits::MAX_CACHED_SCHEMAS};

type Compiled = Arc<Result<ArgumentSchema, McpError>>;

/// Compiles schemas when they are first needed, and keeps the newest [`MAX_CACHED_SCHEMAS`].
///
/// Failures are kept as well: a schema that cannot be compiled is not tried again.
#[derive(Debug, Default)]
pub struct SchemaCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    clock: u64,
    schemas: BTreeMap<(Sha256Digest, Side), (u64, Compiled)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Input,
    Output,
}

impl SchemaCache {
    /// Makes an empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the schema of a tool's arguments; `digest` is that of its whole definition.
    ///
    /// The errors are those of [`ArgumentSchema::compile`].
    pub fn input(&self, digest: Sha256Digest, definition: &ToolDefinition) -> Compiled {
        self.get((digest, Side::Input), || {
            ArgumentSchema::compile(&definition.input_schema)
        })
    }

    /// Returns the schema of a tool's structured content, where it has one.
    pub fn output(&self, digest: Sha256Digest, definition: &ToolDefinition) -> Option<Compiled> {
        let schema = definition.output_schema.as_ref()?;
        Some(self.get((digest, Side::Output), || ArgumentSchema::compile(schema)))
    }

    fn get(
        &self,
        key: (Sha256Digest, Side),
        compile: impl FnOnce() -> Result<ArgumentSchema, McpError>,
    ) -> Compiled {
        if let Some(found) = self.kept(|kept| kept.touch(key)) {
            return found;
        }
        // Two that need it at once compile it twice; neither waits with the lock held.
        let compiled = Arc::new(compile());
        self.kept(|kept| kept.keep(key, Arc::clone(&compiled)));
        compiled
    }

    fn kept<T>(&self, f: impl FnOnce(&mut Kept) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn touch(&mut self, key: (Sha256Digest, Side)) -> Option<Compiled> {
        self.clock += 1;
        let (used, compiled) = self.schemas.get_mut(&key)?;
        *used = self.clock;
        Some(Arc::clone(compiled))
    }

    fn keep(&mut self, key: (Sha256Digest, Side), compiled: Compiled) {
        while self.schemas.len() >= MAX_CACHED_SCHEMAS {
            let oldest = self.schemas.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else {
                return;
            };
            self.schemas.remove(&oldest);
        }
        self.schemas.insert(key, (self.clock, compiled));
    }
}
