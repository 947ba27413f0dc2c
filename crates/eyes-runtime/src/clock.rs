//! The system's clock.

use std::time::SystemTime;

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
}
