//! What was tried, for the caller.

use eyes_evidence::code::ErrorCode;

use super::Route;

/// How one attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The model answered with evidence.
    Answered,
    /// A stored record answered; no model was called.
    Cached,
    /// The route was not asked, because its circuit is open.
    PassedOver,
    /// The attempt failed.
    Failed {
        /// The registry's code.
        code: ErrorCode,
        /// What happened, cut to [`MAX_ATTEMPT_MESSAGE_CHARS`](crate::limits::MAX_ATTEMPT_MESSAGE_CHARS).
        message: String,
    },
}

/// One route that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Which route.
    pub route: Route,
    /// How it ended.
    pub outcome: Outcome,
}

impl Attempt {
    /// Returns the code of a failed attempt.
    pub fn failure(&self) -> Option<ErrorCode> {
        match self.outcome {
            Outcome::Failed { code, .. } => Some(code),
            _ => None,
        }
    }
}
