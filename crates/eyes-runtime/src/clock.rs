//! The system's clock.

use std::time::{SystemTime, UNIX_EPOCH};

use eyes_evidence::provenance::Timestamp;
use eyes_router::ports::Clock;

/// A [`Clock`] that tells the system's time, in whole seconds of UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::new(humantime::format_rfc3339_seconds(SystemTime::now()).to_string())
            .expect("the text is a time of RFC 3339")
    }

    fn unix_ms(&self) -> u64 {
        // A clock before 1970 is not set at all.
        let elapsed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }
}
