//! What other crates report through.

use std::fmt::Debug;

use crate::event::UsageEvent;

/// Takes what happened. It never waits and never fails the call that is reported.
pub trait UsageSink: Send + Sync + Debug {
    /// Takes events; what cannot be kept is counted as lost.
    fn record(&self, events: &[UsageEvent]);

    /// Returns how many events were lost.
    fn lost(&self) -> u64;
}

/// Keeps nothing, for those who switched the statistics off.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoUsageSink;

impl UsageSink for NoUsageSink {
    fn record(&self, _events: &[UsageEvent]) {}

    /// Always 0: nothing was to be kept.
    fn lost(&self) -> u64 {
        0
    }
}
