//! What is wrong with the arguments of an action.

use eyes_evidence::code::{Coded, ErrorCode};

use crate::codes;

/// The arguments of a call are none of an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// There is no such action: `BROWSER_ACTION_UNSUPPORTED`.
    #[error("there is no action {0:?}; there are: {names}", names = super::names())]
    Action(String),
    /// There is no such condition: `BROWSER_WAIT_UNSUPPORTED`.
    #[error("there is no condition {0:?} to wait for")]
    Wait(String),
    /// There is no such assertion: `BROWSER_ASSERTION_UNSUPPORTED`.
    #[error("there is no assertion {0:?}")]
    Assertion(String),
    /// An argument is missing, is not known, or breaks a rule: `BROWSER_ACTION_INVALID`.
    #[error("{action}: {what}")]
    Argument {
        /// The action.
        action: &'static str,
        /// What is wrong; names the argument.
        what: String,
    },
}

impl Coded for ActionError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Action(_) => codes::BROWSER_ACTION_UNSUPPORTED,
            Self::Wait(_) => codes::BROWSER_WAIT_UNSUPPORTED,
            Self::Assertion(_) => codes::BROWSER_ASSERTION_UNSUPPORTED,
            Self::Argument { .. } => codes::BROWSER_ACTION_INVALID,
        }
    }
}
