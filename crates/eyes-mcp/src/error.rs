//! The error of requests, calls and connections.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    redact::{Redactor, safe_message},
};

use crate::limits::MAX_SHOWN_CHARS;

/// Something of an MCP server failed, or was refused.
///
/// The message is redacted and bounded by whoever makes it; it says what was wrong and never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct McpError {
    /// The registry's code.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
    /// The code of the protocol (JSON-RPC 2.0, section 5.1), where the server answered with one.
    pub rpc_code: Option<i64>,
    /// Whether the request had left for the server when it failed.
    pub sent: bool,
}

impl McpError {
    /// Makes a failure from before anything left.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            rpc_code: None,
            sent: false,
        }
    }

    /// Says that the request had left.
    #[must_use]
    pub fn after_sending(mut self) -> Self {
        self.sent = true;
        self
    }

    /// Adds the server's own code.
    #[must_use]
    pub fn with_rpc_code(mut self, code: i64) -> Self {
        self.rpc_code = Some(code);
        self
    }
}

impl Coded for McpError {
    fn code(&self) -> ErrorCode {
        self.code
    }
}

/// Makes a message of a server, a library or the system safe to show.
///
/// Known values and everything with the shape of a secret are replaced, white space is one space, and at most
/// [`MAX_SHOWN_CHARS`] characters are left.
pub fn shown_message(message: &str, redactor: &Redactor) -> String {
    safe_message(&redactor.redact(message), MAX_SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use eyes_evidence::redact::Redactor;

    use super::shown_message;

    #[test]
    fn messages_lose_their_secrets_and_keep_their_words() {
        let kept = [
            "token budget=8192",
            "password authentication failed",
            "secret-name=database",
            "api-key-name=production",
            "Basic authentication required",
            "cannot open /srv/app/config.json",
            "C:\\Users\\bob\\server.exe is missing",
        ];
        let redactor = Redactor::with_values(["value-of-a-variable"]);
        for message in kept {
            assert_eq!(shown_message(message, &redactor), message);
        }
        let lost = [
            ("https://bob:pw@host/x", "https://[REDACTED]@host/x"),
            ("got value-of-a-variable", "got [REDACTED]"),
            (
                "client_secret=abcdef\n\tfailed",
                "client_secret=[REDACTED] failed",
            ),
            (
                "Authorization: Bearer abcdef",
                "Authorization: Bearer [REDACTED]",
            ),
        ];
        for (message, expected) in lost {
            assert_eq!(shown_message(message, &redactor), expected);
        }
        let long = shown_message(&"word ".repeat(400), &redactor);
        assert_eq!(long.chars().count(), 500);
        assert!(long.ends_with('…'));
    }
}
