//! Why a model's text is not evidence.

use super::audit::ParseAudit;
use crate::{
    code::{Coded, ErrorCode},
    codes,
};

/// One way in which a document breaks the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer into the model's document.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

/// A model's text is not evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is longer than [`MAX_MODEL_TEXT_BYTES`](crate::limits::MAX_MODEL_TEXT_BYTES).
    #[error(
        "the model's text has {bytes} bytes, more than {}",
        crate::limits::MAX_MODEL_TEXT_BYTES
    )]
    TextTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The text holds no JSON object.
    #[error("the model's text holds no JSON object")]
    NoObject,
    /// Every object of the text is nested too deep.
    #[error("the model's JSON is nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The object breaks the contract.
    #[error("the model's document is not valid {}: {}", .document, describe(.violations))]
    Invalid {
        /// `base evidence` or `target evidence`.
        document: &'static str,
        /// What is wrong, the first few.
        violations: Vec<Violation>,
        /// What was found, repaired and dropped before that.
        audit: Box<ParseAudit>,
    },
}

impl ParseError {
    /// Returns what was found, repaired and dropped before the text was refused.
    pub fn audit(&self) -> Option<&ParseAudit> {
        match self {
            Self::Invalid { audit, .. } => Some(audit),
            _ => None,
        }
    }
}

impl Coded for ParseError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::TextTooLong { .. } | Self::NoObject | Self::TooDeep { .. } => {
                codes::INVALID_MODEL_OUTPUT
            }
            Self::Invalid { .. } => codes::INVALID_VISION_EVIDENCE,
        }
    }
}

fn describe(violations: &[Violation]) -> String {
    let parts: Vec<_> = violations
        .iter()
        .map(|v| format!("{} {}", v.path, v.message))
        .collect();
    parts.join("; ")
}
