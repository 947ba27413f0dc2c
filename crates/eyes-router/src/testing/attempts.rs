//! A sink that remembers.

use std::sync::{Mutex, PoisonError};

use crate::{attempts::AttemptEvent, ports::AttemptSink};

/// An [`AttemptSink`] that keeps every event.
#[derive(Debug, Default)]
pub struct VecAttempts(Mutex<Vec<AttemptEvent>>);

impl VecAttempts {
    /// Returns the events so far, oldest first.
    pub fn events(&self) -> Vec<AttemptEvent> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl AttemptSink for VecAttempts {
    fn record(&self, event: &AttemptEvent) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event.clone());
    }
}
