//! Stopping a read that is under way.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::error::LocalError;

/// A flag that stops a read; clones share one flag, and a raised flag stays raised.
///
/// A read looks at it before every tile and every line, so it stops within one of them.
#[derive(Debug, Clone, Default)]
pub struct AbortFlag(Arc<AtomicBool>);

impl AbortFlag {
    /// Makes a flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the read to stop.
    pub fn abort(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the read was asked to stop.
    pub fn is_aborted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails with `ABORTED` once the flag is raised.
    pub(crate) fn check(&self) -> Result<(), LocalError> {
        if self.is_aborted() {
            Err(LocalError::Aborted)
        } else {
            Ok(())
        }
    }
}
