//! Clocks that a test controls.

use eyes_evidence::provenance::Timestamp;
use tokio::time::Instant;

use crate::ports::Clock;

/// 2026-01-02T03:04:05Z in milliseconds since 1970.
const START_MS: u64 = 1_767_323_045_000;

fn start() -> Timestamp {
    Timestamp::new("2026-01-02T03:04:05Z").expect("the text is a time of RFC 3339")
}

/// A [`Clock`] that always tells the same time.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        start()
    }

    fn unix_ms(&self) -> u64 {
        START_MS
    }
}

/// A [`Clock`] whose milliseconds go with tokio's clock, which a test can pause and advance.
///
/// The date and time stay those of the start.
#[derive(Debug, Clone, Copy)]
pub struct TokioClock(Instant);

impl TokioClock {
    /// Starts now; call it inside a runtime whose clock is paused.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        start()
    }

    fn unix_ms(&self) -> u64 {
        let elapsed = u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX);
        START_MS.saturating_add(elapsed)
    }
}
