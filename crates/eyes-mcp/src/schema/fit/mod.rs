//! Forms of schemas that model APIs accept.
//!
//! A provider that refuses one schema refuses the whole request, so every schema is rewritten to what is known to be
//! accepted, and a tool whose schema has no such form is left out alone. The rewritten schema tells a model what to
//! write and never refuses more than the server's own, with two exceptions that inform rather than gate: members
//! that only some alternatives of the whole name keep the form that those give them, and an optional member whose
//! name the provider refuses is left out. Arguments are checked against the server's own schema.

mod combine;
mod place;
mod profile;
mod root;

use std::{io, sync::Arc};

use eyes_evidence::code::{Coded, ErrorCode};
pub use profile::SchemaProfile;
use serde_json::{Map, Value};

use self::place::Fitter;
use super::document::Document;
use crate::{codes, error::McpError, limits::MAX_FITTED_BYTES};

/// A schema in a form that a provider accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedSchema {
    /// The form; the very schema of the server where nothing had to change.
    pub schema: Arc<Map<String, Value>>,
    /// What was changed in meaning, at most [`MAX_FIT_NOTES`](crate::limits::MAX_FIT_NOTES) of it.
    pub notes: Vec<FitNote>,
}

/// One change in what a schema says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FitNote {
    /// Where in the rewritten schema: a JSON pointer.
    pub pointer: String,
    /// What was done.
    pub change: String,
}

/// A schema has no form that the provider accepts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Arguments are an object in every model API.
    #[error("the schema is of type {found}, not object")]
    NotObject {
        /// The type that it names.
        found: String,
    },
    /// A member without which the tool cannot be called has a name that the provider refuses.
    #[error("the provider refuses the name of the required member {name:?}")]
    MemberName {
        /// The name, cut.
        name: String,
    },
    /// The form is too large.
    #[error("the rewritten schema has {bytes} bytes, over {MAX_FITTED_BYTES}")]
    TooLarge {
        /// Its bytes as JSON.
        bytes: usize,
    },
    /// The schema itself cannot be used.
    #[error("{0}")]
    Unusable(McpError),
}

impl Coded for Unfit {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NotObject { .. } | Self::MemberName { .. } => codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
            Self::TooLarge { .. } => codes::MCP_TOOL_SCHEMA_LIMIT,
            Self::Unusable(error) => error.code,
        }
    }
}

/// Rewrites a schema for a provider.
///
/// The result depends on the schema and the profile only, and rewriting it again changes nothing.
pub fn fit(
    schema: &Arc<Map<String, Value>>,
    profile: SchemaProfile,
) -> Result<FittedSchema, Unfit> {
    let document = Document::of(schema).map_err(Unfit::Unusable)?;
    let mut fitter = Fitter::new(&document, profile.rules());
    let fitted = fitter.whole()?;
    let bytes = json_bytes(&fitted);
    if bytes > MAX_FITTED_BYTES {
        return Err(Unfit::TooLarge { bytes });
    }
    let is_same = fitted == **schema && fitted.keys().eq(schema.keys());
    Ok(FittedSchema {
        schema: if is_same {
            Arc::clone(schema)
        } else {
            Arc::new(fitted)
        },
        notes: fitter.into_notes(),
    })
}

/// Counts the bytes of a schema as compact JSON.
fn json_bytes(schema: &Map<String, Value>) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, schema).map_or(usize::MAX, |()| count.0)
}

#[cfg(test)]
mod tests;
