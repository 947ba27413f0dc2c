//! Clocks that a test controls.

use eyes_evidence::{provenance::Timestamp, testing::FixedClock};
use tokio::time::Instant;

use crate::ports::Clock;

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
        FixedClock.now()
    }

    fn unix_ms(&self) -> u64 {
        let elapsed = u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX);
        FixedClock.unix_ms().saturating_add(elapsed)
    }
}
