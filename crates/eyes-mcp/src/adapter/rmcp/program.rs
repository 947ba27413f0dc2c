//! Servers that are programs.

use std::sync::Arc;

use tokio::time::timeout;

use super::{
    connection::Companion,
    connector::Opened,
    stdio::{self, StdioTransport},
};
use crate::{
    config::{ResolvedSecrets, StdioServer},
    error::McpError,
    limits::EXIT_WAIT,
    ports::BoxFuture,
    process::{ChildGuard, ProcessError},
};

pub(super) fn open(
    server: &StdioServer,
    resolved: &ResolvedSecrets,
) -> Result<Opened<StdioTransport>, McpError> {
    let (transport, guard) = stdio::open(server, resolved)?;
    Ok(Opened {
        transport,
        bypass: None,
        companion: Some(Arc::new(guard)),
    })
}

impl Companion for ChildGuard {
    fn stderr_tail(&self) -> Option<String> {
        Some(Self::stderr_tail(self)).filter(|text| !text.is_empty())
    }

    fn exit(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let exit = timeout(EXIT_WAIT, self.exited()).await.ok()?;
            // What it started may hold the pipe open.
            drop(timeout(EXIT_WAIT, self.drained()).await);
            Some(exit)
        })
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        Box::pin(async move {
            Self::close(self)
                .await
                .map_err(|error| ProcessError::from(error).into())
        })
    }
}
