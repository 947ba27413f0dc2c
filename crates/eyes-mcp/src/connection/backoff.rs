//! How long to wait before the next attempt, and when to leave a server alone.

use std::{collections::VecDeque, time::Duration};

use super::Moment;
use crate::{
    limits::{CRASH_ENDS, CRASH_WINDOW},
    ports::RandomSource,
};

/// Waits that double and are jittered in full: any length up to the ceiling is as likely, so that servers
/// which failed together do not come back together.
#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    base: Duration,
    cap: Duration,
    failures: u32,
}

impl Backoff {
    pub(crate) const fn new(base: Duration, cap: Duration) -> Self {
        Self {
            base,
            cap,
            failures: 0,
        }
    }

    /// Returns the longest wait that the next one can be.
    pub(crate) fn ceiling(&self) -> Duration {
        let factor = 1_u32.checked_shl(self.failures).unwrap_or(u32::MAX);
        self.base.saturating_mul(factor).min(self.cap)
    }

    pub(crate) fn next(&mut self, random: &dyn RandomSource) -> Duration {
        let ceiling = u64::try_from(self.ceiling().as_millis()).unwrap_or(u64::MAX - 1);
        self.failures = self.failures.saturating_add(1);
        Duration::from_millis(random.next_u64() % (ceiling + 1))
    }

    pub(crate) const fn reset(&mut self) {
        self.failures = 0;
    }
}

/// Counts ends; too many in a short time are a crash loop.
#[derive(Debug, Clone, Default)]
pub(crate) struct CrashLoop {
    ends: VecDeque<Moment>,
    tripped: bool,
}

impl CrashLoop {
    /// Takes note of an end and tells whether the server is to be left alone.
    ///
    /// Once tripped, the next end trips it again at once, until a connection was stable or a person acted.
    pub(crate) fn end(&mut self, at: Moment) -> bool {
        while self
            .ends
            .front()
            .is_some_and(|first| *first + CRASH_WINDOW <= at)
        {
            self.ends.pop_front();
        }
        self.ends.push_back(at);
        if self.ends.len() >= CRASH_ENDS {
            self.tripped = true;
            self.ends.clear();
        }
        self.tripped
    }

    pub(crate) fn reset(&mut self) {
        self.ends.clear();
        self.tripped = false;
    }
}
