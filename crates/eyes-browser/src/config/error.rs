//! What can be wrong with settings.

use eyes_evidence::code::{Coded, ErrorCode};

use crate::codes::BROWSER_CONFIG_INVALID;

/// A member of the settings breaks a rule: `BROWSER_CONFIG_INVALID`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("setting {member}: {reason}")]
pub struct ConfigError {
    /// The path of the member.
    pub member: String,
    /// What is wrong with it.
    pub reason: String,
}

impl ConfigError {
    pub(super) fn new(member: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            member: member.into(),
            reason: reason.into(),
        }
    }
}

impl Coded for ConfigError {
    fn code(&self) -> ErrorCode {
        BROWSER_CONFIG_INVALID
    }
}
