//! Servers that are programs, over their standard streams.

mod decode;
mod pending;
mod traffic;
mod transport;
mod write;

use eyes_evidence::redact::Redactor;
pub use traffic::{Traffic, TrafficCounts};
pub use transport::StdioTransport;

use crate::{
    config::StdioServer,
    error::McpError,
    ports::SecretSource,
    process::{ChildGuard, HostEnvironment, Launch, launch},
    wire::MessageLimits,
};

/// Starts a server and returns the transport to it and what ends it.
///
/// It needs a tokio runtime. The usual variables come from this process ([`HostEnvironment::of_this_process`]), the
/// values of references from `secrets`. `redactor` hides secrets in what the server writes to standard error; the
/// values of its references are hidden besides. Dropping the guard kills the server and everything it started.
/// Errors: `MCP_CREDENTIAL_MISSING`, `MCP_CONNECT_FAILED`.
pub fn open(
    server: &StdioServer,
    secrets: &dyn SecretSource,
    redactor: &Redactor,
) -> Result<(StdioTransport, ChildGuard), McpError> {
    open_with(
        server,
        Launch {
            environment: &HostEnvironment::of_this_process(),
            secrets,
            redactor,
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
