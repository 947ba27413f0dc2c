//! What passed a transport and was not handed on.

use std::sync::{Mutex, PoisonError};

use crate::limits::MAX_SKIPPED_SAMPLE_BYTES;

/// Counts what a server wrote that nobody saw.
#[derive(Debug, Default)]
pub struct Traffic(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    counts: TrafficCounts,
    sample: Option<Vec<u8>>,
}

/// How much of what a server wrote was not handed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrafficCounts {
    /// Lines on standard output that are no messages, such as lines of a log.
    pub skipped: u64,
    /// Responses that were answered with a failure in their place.
    pub failed: u64,
    /// Notifications and requests that break a bound or cannot be decoded.
    pub dropped: u64,
    /// Responses to requests that nobody waits for.
    pub unmatched: u64,
}

impl Traffic {
    /// Returns the counts so far.
    pub fn counts(&self) -> TrafficCounts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).counts
    }

    /// Returns the beginning of the newest line that was no message; as the server wrote it, so neither redacted nor
    /// fit for a terminal.
    pub fn skipped_sample(&self) -> Option<String> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted
            .sample
            .as_ref()
            .map(|line| String::from_utf8_lossy(line).into_owned())
    }

    pub(super) fn skip(&self, line: &[u8]) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.counts.skipped += 1;
        noted.sample = Some(line[..line.len().min(MAX_SKIPPED_SAMPLE_BYTES)].to_owned());
    }

    pub(super) fn fail(&self) {
        self.count(|counts| counts.failed += 1);
    }

    pub(super) fn drop_one(&self) {
        self.count(|counts| counts.dropped += 1);
    }

    pub(super) fn miss(&self) {
        self.count(|counts| counts.unmatched += 1);
    }

    fn count(&self, change: impl FnOnce(&mut TrafficCounts)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).counts);
    }
}
