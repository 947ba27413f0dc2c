//! Servers that are programs, over their standard streams.

mod decode;
mod pending;
mod traffic;
mod transport;
mod write;

pub use traffic::{Traffic, TrafficCounts};
pub use transport::StdioTransport;

use crate::{
    config::{ResolvedSecrets, StdioServer},
    error::McpError,
    process::{ChildGuard, HostEnvironment, Launch, launch},
    wire::MessageLimits,
};

/// Starts a server and returns the transport to it and what ends it.
///
/// It needs a tokio runtime. The usual variables come from this process ([`HostEnvironment::of_this_process`]), the
/// values of references from `resolved`, which also hides them in what the server writes to standard error. Dropping the
/// guard kills the server and everything it started. Errors: `MCP_CONNECT_FAILED`.
pub fn open(
    server: &StdioServer,
    resolved: &ResolvedSecrets,
) -> Result<(StdioTransport, ChildGuard), McpError> {
    open_with(
        server,
        Launch {
            environment: &HostEnvironment::of_this_process(),
            resolved,
        },
    )
}

/// Does what [`open`] does with the usual variables of another environment, such as that of the user's shell.
pub fn open_with(
    server: &StdioServer,
    with: Launch<'_>,
) -> Result<(StdioTransport, ChildGuard), McpError> {
    let launched = launch(server, with)?;
    let transport = StdioTransport::over(
        launched.stdout,
        launched.stdin,
        launched.closing,
        MessageLimits::default(),
    );
    Ok((transport, launched.guard))
}

#[cfg(test)]
mod tests;
