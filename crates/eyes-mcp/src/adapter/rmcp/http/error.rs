//! What goes wrong between here and a server, on its way through the protocol library.

use std::error::Error;

use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::{
    codes::{MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_FAILED},
    error::McpError,
    net::NetError,
};

/// An error of ours inside one of the library's.
#[derive(Debug, Clone, thiserror::Error)]
#[error(transparent)]
pub(in super::super) struct HttpFault(McpError);

impl From<McpError> for HttpFault {
    fn from(error: McpError) -> Self {
        Self(error)
    }
}

impl From<NetError> for HttpFault {
    fn from(error: NetError) -> Self {
        Self(error.into())
    }
}

pub(super) type Failure = StreamableHttpError<HttpFault>;

impl From<HttpFault> for Failure {
    fn from(fault: HttpFault) -> Self {
        Self::Client(fault)
    }
}

/// Finds our error inside one of the library's; nothing where the library's own says it best.
pub(in super::super) fn own_error(error: &(dyn Error + 'static)) -> Option<McpError> {
    let failed = |message: String| Some(McpError::new(MCP_REQUEST_FAILED, message));
    match error.downcast_ref::<Failure>()? {
        StreamableHttpError::Client(HttpFault(own)) => Some(own.clone()),
        StreamableHttpError::HttpStatus(status) => {
            let mut message = format!("the server answered with HTTP {}", status.status);
            if let Some(after) = &status.retry_after {
                message.push_str("; it says to wait: ");
                message.push_str(after);
            }
            failed(message)
        }
        StreamableHttpError::UnexpectedServerResponse(text) => failed(text.clone().into_owned()),
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().unwrap_or("none");
            failed(format!(
                "the server answered with the content type {kind:?}"
            ))
        }
        StreamableHttpError::SessionExpired => Some(McpError::new(
            MCP_CONNECTION_UNHEALTHY,
            "the server ended the session (HTTP 404)",
        )),
        _ => None,
    }
}
