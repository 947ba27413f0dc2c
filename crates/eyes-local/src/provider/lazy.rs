//! Readers whose weights are loaded when something is read.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{config::LocalConfig, engine::LocalReader, error::LocalError};

/// A reader that is loaded when it is first needed.
#[derive(Debug)]
pub(super) struct LazyReader {
    config: LocalConfig,
    loaded: Mutex<Option<Arc<LocalReader>>>,
}

impl LazyReader {
    pub(super) const fn new(config: LocalConfig) -> Self {
        Self {
            config,
            loaded: Mutex::new(None),
        }
    }

    pub(super) const fn model_name(&self) -> &'static str {
        self.config.tier.model_name()
    }

    /// Returns the reader; who comes while it is being loaded waits.
    ///
    /// Fails like [`LocalReader::new`]. A failure is not kept: weights may be installed at any time.
    pub(super) fn get(&self) -> Result<Arc<LocalReader>, LocalError> {
        // Nothing is half done where a load panicked.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reader) = &*loaded {
            return Ok(Arc::clone(reader));
        }
        let reader = Arc::new(LocalReader::new(self.config.clone())?);
        *loaded = Some(Arc::clone(&reader));
        Ok(reader)
    }
}
