//! Serving over standard streams, or any two streams.

use std::sync::Arc;

use rmcp::{
    service::{ServerInitializeError, ServiceExt as _},
    transport::async_rw::AsyncRwTransport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::handler::Served;
use crate::{
    codes::MCP_SERVE_FAILED,
    error::McpError,
    limits::{MAX_SERVED_LINE_BYTES, SERVED_GRACE},
    serve::{ServerIdentity, ToolHost},
};

/// Serves the client on standard input and output until it goes or `stop` is cancelled.
///
/// Nothing else may write to standard output meanwhile. A read of standard input cannot be taken back: whoever
/// stops must end the process, or shut the runtime down without waiting. Errors: `MCP_SERVE_FAILED`.
pub async fn serve_stdio(
    host: Arc<dyn ToolHost>,
    identity: ServerIdentity,
    stop: CancellationToken,
) -> Result<(), McpError> {
    serve_streams(
        host,
        identity,
        (tokio::io::stdin(), tokio::io::stdout()),
        stop,
    )
    .await
}

/// Serves the client on two streams, one message a line, until it goes or `stop` is cancelled.
///
/// A line beyond [`MAX_SERVED_LINE_BYTES`] is dropped, and the connection goes on. Errors: `MCP_SERVE_FAILED`.
pub async fn serve_streams<R, W>(
    host: Arc<dyn ToolHost>,
    identity: ServerIdentity,
    (read, write): (R, W),
    stop: CancellationToken,
) -> Result<(), McpError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = AsyncRwTransport::new(read, write).with_max_line_length(MAX_SERVED_LINE_BYTES);
    let calls = TaskTracker::new();
    let served = Served::new(host, identity, calls.clone())
        .serve_with_ct(transport, stop)
        .await;
    let running = match served {
        Ok(running) => running,
        // A client that goes before it said anything is none.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(error) => return Err(failed(&error)),
    };
    let ended = running.waiting().await;
    calls.close();
    // Calls of a client that is gone are dropped; what of them does not end is left to the runtime.
    drop(timeout(SERVED_GRACE, calls.wait()).await);
    ended.map(drop).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::error::Error) -> McpError {
    let text = eyes_evidence::redact::safe_message(&error.to_string(), 500);
    McpError::new(MCP_SERVE_FAILED, text)
}
