//! The errors of this crate.

use eyes_evidence::code::{Coded, ErrorCode};

use crate::codes;

/// A model provider failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ProviderError {
    /// The registry's code.
    pub code: ErrorCode,
    /// The code that the provider itself gave, where it gave one.
    pub provider_code: Option<String>,
    /// What happened, redacted.
    pub message: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// How long the provider asked to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

impl ProviderError {
    /// Makes a failure that has only a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            provider_code: None,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            request_id: None,
        }
    }

    /// Makes the failure of a call that its caller stopped.
    pub fn aborted() -> Self {
        Self::new(codes::ABORTED, "stopped by the caller")
    }
}

impl Coded for ProviderError {
    fn code(&self) -> ErrorCode {
        self.code
    }
}
