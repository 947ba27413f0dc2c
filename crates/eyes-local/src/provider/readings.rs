//! The last readings, so that a question about an image that was just read costs no second read.

use std::{collections::VecDeque, sync::Arc};

use eyes_evidence::digest::Sha256Digest;

use crate::{engine::Reading, limits::MAX_KEPT_READINGS};

/// The pixels and the model that a reading depends on.
pub(super) type Key = (Sha256Digest, &'static str);

/// The last [`MAX_KEPT_READINGS`] readings, the latest used last.
#[derive(Debug, Default)]
pub(super) struct Readings(VecDeque<(Key, Arc<Reading>)>);

impl Readings {
    /// Returns a reading and marks it as used.
    pub(super) fn get(&mut self, key: &Key) -> Option<Arc<Reading>> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        let entry = self.0.remove(at)?;
        let reading = Arc::clone(&entry.1);
        self.0.push_back(entry);
        Some(reading)
    }

    /// Keeps a reading and returns it; the one that was not used for longest makes room.
    pub(super) fn insert(&mut self, key: Key, reading: Arc<Reading>) -> Arc<Reading> {
        while self.0.len() >= MAX_KEPT_READINGS {
            self.0.pop_front();
        }
        self.0.push_back((key, Arc::clone(&reading)));
        reading
    }
}
