//! Servers that are programs.

use std::sync::Arc;

use eyes_evidence::redact::Redactor;
use tokio::time::timeout;

use super::{
    connection::Companion,
    connector::Opened,
    stdio::{self, StdioTransport},
};
use crate::{
    config::StdioServer,
    error::McpError,
    limits::EXIT_WAIT,
    ports::{BoxFuture, SecretSource},
    process::ChildGuard,
};

pub(super) fn open(
    server: &StdioServer,
    secrets: &dyn SecretSource,
    redactor: &Redactor,
) -> Result<Opened<StdioTransport>, McpError> {
    let (transport, guard) = stdio::open(server, secrets, redactor)?;
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
        Box::pin(async move { timeout(EXIT_WAIT, self.exited()).await.ok() })
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        Box::pin(async move { Self::close(self).await.map_err(McpError::from) })
    }
}
