//! From the errors of the protocol library to ours.

use std::{error::Error, sync::Arc};

use eyes_evidence::redact::{Redactor, safe_message};
use rmcp::{
    model::ErrorData,
    service::{ClientInitializeError, ServiceError},
};

use super::fault;
use crate::{
    codes::{
        MCP_CONNECT_FAILED, MCP_CONNECTION_UNHEALTHY, MCP_MESSAGE_INVALID, MCP_REQUEST_CLOSED,
        MCP_REQUEST_FAILED,
    },
    error::McpError,
    limits::MAX_ERROR_CHARS,
};

/// Makes errors whose messages show no secret of a server and are short.
#[derive(Debug, Clone)]
pub(super) struct Failures {
    pub(super) redactor: Arc<Redactor>,
}

impl Failures {
    /// Redacts a message and cuts it.
    pub(super) fn message(&self, text: &str) -> String {
        // Only a beginning is looked at: a secret that is cut in two is not shown, because so much is not kept.
        let head: String = text.chars().take(4 * MAX_ERROR_CHARS).collect();
        safe_message(&self.redactor.redact(&head), MAX_ERROR_CHARS)
    }

    /// Redacts the message of an error.
    pub(super) fn redacted(&self, mut error: McpError) -> McpError {
        error.message = self.message(&error.message);
        error
    }

    /// Tells what a request met.
    pub(super) fn request(&self, error: &ServiceError) -> McpError {
        let failed = match error {
            ServiceError::McpError(data) => self.answered(data, MCP_REQUEST_FAILED),
            ServiceError::TransportSend(error) => {
                transport(&*error.error, MCP_CONNECTION_UNHEALTHY)
            }
            ServiceError::TransportClosed => McpError::new(
                MCP_CONNECTION_UNHEALTHY,
                "the server's answer ended before it was complete",
            ),
            ServiceError::Cancelled { .. } => {
                McpError::new(MCP_REQUEST_CLOSED, "the request was cancelled")
            }
            ServiceError::UnexpectedResponse => McpError::new(
                MCP_MESSAGE_INVALID,
                "the server's answer is of another kind",
            ),
            other => McpError::new(MCP_REQUEST_FAILED, chain(other)),
        };
        self.redacted(failed).after_sending()
    }

    /// Tells why no connection was made.
    pub(super) fn connect(&self, error: &ClientInitializeError) -> McpError {
        let failed = match error {
            ClientInitializeError::JsonRpcError(data) => self.answered(data, MCP_CONNECT_FAILED),
            ClientInitializeError::TransportError { error, .. } => {
                transport(&*error.error, MCP_CONNECT_FAILED)
            }
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                return self.connect(fallback);
            }
            ClientInitializeError::ConnectionClosed(_) => McpError::new(
                MCP_CONNECT_FAILED,
                "the server ended the connection before it answered",
            ),
            ClientInitializeError::NoCompatibleProtocolVersion {
                server_supported, ..
            } => McpError::new(
                MCP_CONNECT_FAILED,
                format!(
                    "the server speaks other revisions of the protocol: {}",
                    server_supported
                        .iter()
                        .map(rmcp::model::ProtocolVersion::as_str)
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            ),
            ClientInitializeError::ExpectedInitResponse(_)
            | ClientInitializeError::ExpectedInitResult(_) => McpError::new(
                MCP_CONNECT_FAILED,
                "the server's answer to the handshake is of another kind",
            ),
            other => McpError::new(MCP_CONNECT_FAILED, chain(other)),
        };
        self.redacted(failed)
    }

    fn answered(&self, data: &ErrorData, code: eyes_evidence::code::ErrorCode) -> McpError {
        fault::from_rpc(data).unwrap_or_else(|| {
            McpError::new(code, self.message(&data.message))
                .after_sending()
                .with_rpc_code(i64::from(data.code.0))
        })
    }
}

/// Finds our own error inside a transport's.
fn transport(error: &(dyn Error + 'static), code: eyes_evidence::code::ErrorCode) -> McpError {
    #[cfg(feature = "http")]
    if let Some(own) = super::http::own_error(error) {
        return own;
    }
    McpError::new(code, chain(error))
}

/// Joins an error and its causes.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.ends_with(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}
