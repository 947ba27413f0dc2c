//! What one operation may cost, and what it cost so far.

use std::{
    future::Future,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, timeout_at};

use crate::{
    config::VisionConfig,
    error::{BudgetLimit, VisionError},
    limits::MIN_OUTPUT_TOKENS,
    model::TokenUsage,
};

/// The bounds of one operation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    time: Option<(Instant, Duration)>,
    tokens: Option<u64>,
}

impl Budget {
    /// Starts the time now.
    pub(crate) fn start(config: &VisionConfig, now: Instant) -> Self {
        Self {
            time: config.time_budget().map(|limit| (now + limit, limit)),
            tokens: config.token_budget(),
        }
    }

    /// Returns the time that is left; nothing means no bound.
    pub(crate) fn time_left(&self, now: Instant) -> Option<Duration> {
        self.time
            .map(|(deadline, _)| deadline.saturating_duration_since(now))
    }

    /// Tells whether `spent` is at least half of the whole time, so that a route which used it is to blame.
    pub(crate) fn is_most(&self, spent: Duration) -> bool {
        self.time.is_some_and(|(_, limit)| spent >= limit / 2)
    }

    /// Waits for `work` until the time is used up, and drops it then.
    pub(crate) async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, VisionError>>,
    ) -> Result<T, VisionError> {
        let Some((deadline, limit)) = self.time else {
            return work.await;
        };
        timeout_at(deadline, work).await.unwrap_or_else(|_| {
            Err(reached(BudgetLimit::Time {
                limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
            }))
        })
    }

    /// Returns how many output tokens a call may ask for when `used` are spent; fewer than
    /// [`MIN_OUTPUT_TOKENS`] are not worth a call.
    pub(crate) fn output_tokens(
        &self,
        wanted: Option<u32>,
        used: u64,
    ) -> Result<Option<u32>, VisionError> {
        let Some(limit) = self.tokens else {
            return Ok(wanted);
        };
        let left = limit.saturating_sub(used);
        if left < u64::from(MIN_OUTPUT_TOKENS) {
            return Err(reached(BudgetLimit::Tokens { used, limit }));
        }
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        Ok(Some(wanted.map_or(left, |wanted| wanted.min(left))))
    }
}

fn reached(limit: BudgetLimit) -> VisionError {
    VisionError::Budget {
        limit,
        attempts: Vec::new(),
    }
}

/// Counts the tokens of one or more calls, also of those that fail or are stopped.
#[derive(Debug, Default)]
pub(crate) struct Meter(Mutex<Counts>);

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    settled: TokenUsage,
    // Of the call under way; a provider reports sums, so a later report replaces an earlier one.
    current: TokenUsage,
}

impl Meter {
    /// Starts another call.
    pub(super) fn begin_call(&self) {
        self.with(|counts| {
            counts.settled += counts.current;
            counts.current = TokenUsage::default();
        });
    }

    /// Takes the count of the call under way.
    pub(super) fn report(&self, usage: TokenUsage) {
        self.with(|counts| counts.current = usage);
    }

    /// Adds the count of calls that were made elsewhere.
    pub(crate) fn add(&self, usage: TokenUsage) {
        self.with(|counts| counts.settled += usage);
    }

    /// Returns the count of all calls.
    pub(crate) fn total(&self) -> TokenUsage {
        self.with(|counts| {
            let mut total = counts.settled;
            total += counts.current;
            total
        })
    }

    fn with<T>(&self, change: impl FnOnce(&mut Counts) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
