//! Why a request is not sent.

use eyes_evidence::code::{Coded, ErrorCode};

use super::Overflow;
use crate::codes;

/// A request passes a bound of its context.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// The task and the newest step alone pass the limit of automation turns.
    #[error(
        "the task and the newest step need about {needed} tokens, and an automation turn may have {limit}"
    )]
    Automation {
        /// Estimated tokens of what is always kept, the system text and the tools included.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The model was called for one task as often as it may be.
    #[error("the model was called {limit} times for one task, as often as it may be")]
    Calls {
        /// The limit.
        limit: u32,
    },
    /// The request fills the final model's window, so that no answer fits.
    #[error("the request needs about {input} tokens of the final model's window of {window}")]
    Window {
        /// Estimated tokens of the request.
        input: u64,
        /// The window in tokens.
        window: u64,
    },
    /// The provider says that the request does not fit, and a smaller answer does not help.
    #[error("the final model has no room for an answer ({overflow}): {message}")]
    Overflow {
        /// The figures that the provider named.
        overflow: Overflow,
        /// What it said.
        message: String,
    },
}

impl Coded for ContextError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Automation { .. } => codes::AUTOMATION_CONTEXT_LIMIT,
            Self::Calls { .. } => codes::AUTOMATION_CALL_LIMIT,
            Self::Window { .. } | Self::Overflow { .. } => codes::FINAL_CONTEXT_EXHAUSTED,
        }
    }
}
