//! A clock that stands still.

use crate::{ports::Clock, provenance::Timestamp};

/// A [`Clock`] that always tells the same time.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::new("2026-01-02T03:04:05Z").expect("the text is a time of RFC 3339")
    }

    fn unix_ms(&self) -> u64 {
        1_767_323_045_000
    }
}
