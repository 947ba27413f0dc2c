//! Whether the same route is asked once more: a pure machine.

use std::time::Duration;

use eyes_evidence::code::{Coded, ErrorCode};

use crate::{
    codes,
    error::{AnswerError, ProviderError, VisionError},
    limits::{BUSY_BACKOFF_MS, MAX_BUSY_RETRIES, MAX_BUSY_WAIT_MS},
};

/// What follows a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// The same call at once.
    Now,
    /// The same call after a wait.
    After(Duration),
    /// The call without a bound of output tokens; the provider's own applies.
    Unbounded,
    /// No further call to this route.
    No,
}

/// What one exchange with one route has repeated so far.
#[derive(Debug, Clone, Default)]
pub(super) struct RetryPolicy {
    broken: bool,
    busy: u32,
    unbounded: bool,
}

/// One failed call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed<'a> {
    pub(super) error: &'a VisionError,
    /// Whether the call had a bound of output tokens.
    pub(super) bounded: bool,
    /// The time that is left; nothing means no bound.
    pub(super) time_left: Option<Duration>,
    /// A random number, for the jitter.
    pub(super) random: u64,
}

impl RetryPolicy {
    /// Decides about a failed call.
    pub(super) fn decide(&mut self, failed: Failed<'_>) -> Again {
        if failed.bounded && !self.unbounded && refuses_output_bound(failed.error) {
            self.unbounded = true;
            return Again::Unbounded;
        }
        if is_broken_stream(failed.error) {
            return if std::mem::replace(&mut self.broken, true) {
                Again::No
            } else {
                Again::Now
            };
        }
        let Some(busy) = failed.error.provider_failure().filter(|e| is_busy(e)) else {
            return Again::No;
        };
        if self.busy >= MAX_BUSY_RETRIES {
            return Again::No;
        }
        let ceiling = BUSY_BACKOFF_MS << self.busy;
        // Half is fixed, half is drawn: callers that failed together do not come back together.
        let backoff = ceiling / 2 + failed.random % (ceiling / 2 + 1);
        let wait_ms = backoff.max(busy.retry_after_ms.unwrap_or(0));
        let wait = Duration::from_millis(wait_ms);
        if wait_ms > MAX_BUSY_WAIT_MS || failed.time_left.is_some_and(|left| wait >= left) {
            return Again::No;
        }
        self.busy += 1;
        Again::After(wait)
    }
}

/// Tells whether the provider is there and has no room now.
fn is_busy(error: &ProviderError) -> bool {
    const BUSY: [ErrorCode; 3] = [
        codes::PROVIDER_RATE_LIMIT,
        codes::PROVIDER_UNAVAILABLE,
        codes::PROVIDER_CONNECT_FAILED,
    ];
    let code = error.code();
    if BUSY.contains(&code) {
        return true;
    }
    // Where the adapter understood the status: an empty account is no rate limit, and who waited long enough
    // once does not wait again.
    let understood = code.as_str().starts_with("PROVIDER_");
    let status = error.status.filter(|_| !understood);
    matches!(
        status,
        Some(408 | 425 | 429 | 500 | 502..=504 | 520..=524 | 529)
    )
}

/// Tells whether the answer broke off on its way.
fn is_broken_stream(error: &VisionError) -> bool {
    const SIGNS: [&str; 8] = [
        "sse",
        "content_block_delta",
        "unexpected end of json",
        "stream ended",
        "premature",
        "connection reset",
        "socket hang up",
        "broken pipe",
    ];
    match error {
        VisionError::Answer { source, .. } => *source == AnswerError::Incomplete,
        VisionError::Provider { source, .. } => {
            source.code() == codes::INCOMPLETE_STREAM
                || (source.code() == codes::VISION_MODEL_FAILED
                    && source.status.is_none()
                    && mentions(&source.message, &SIGNS))
        }
        _ => false,
    }
}

/// Tells whether the provider finds the bound of output tokens too large.
fn refuses_output_bound(error: &VisionError) -> bool {
    const SUBJECTS: [&str; 7] = [
        "max_tokens",
        "max tokens",
        "maxtokens",
        "max_output_tokens",
        "max_completion_tokens",
        "context length",
        "context window",
    ];
    const REFUSALS: [&str; 9] = [
        "exceed",
        "too large",
        "too long",
        "too many",
        "invalid",
        "unsupported",
        "not supported",
        "maximum",
        "at most",
    ];
    let Some(source) = error.provider_failure() else {
        return false;
    };
    matches!(source.status, None | Some(400 | 413 | 422))
        && mentions(&source.message, &SUBJECTS)
        && mentions(&source.message, &REFUSALS)
}

fn mentions(text: &str, words: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    words.iter().any(|word| text.contains(word))
}
