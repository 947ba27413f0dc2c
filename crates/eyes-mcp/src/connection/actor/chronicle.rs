//! What is written down of a server's connections.

use std::sync::Arc;

use eyes_evidence::provenance::Timestamp;
use tokio::time::Instant;

use crate::{
    audit::{ConnectionRecord, ConnectionStep, McpAudit},
    config::ServerConfig,
    error::McpError,
    ports::{AuditSink as _, Clock, PeerInfo},
};

/// Writes down every connection that was made or failed, and once how each ended.
pub(super) struct Chronicle {
    audit: Arc<McpAudit>,
    clock: Arc<dyn Clock>,
    /// When the attempt, or the connection that lives, began.
    since: Option<(Timestamp, Instant)>,
    is_open: bool,
}

impl Chronicle {
    pub(super) fn new(audit: &Arc<McpAudit>, clock: &Arc<dyn Clock>) -> Self {
        Self {
            audit: Arc::clone(audit),
            clock: Arc::clone(clock),
            since: None,
            is_open: false,
        }
    }

    pub(super) fn begins(&mut self) {
        self.since = Some((self.clock.now(), Instant::now()));
    }

    pub(super) fn connected(&mut self, server: &ServerConfig, peer: &PeerInfo) {
        self.write(server, ConnectionStep::Connected(peer));
        self.is_open = true;
        self.begins();
    }

    pub(super) fn refused(&mut self, server: &ServerConfig, error: &McpError) {
        self.write(server, ConnectionStep::Refused(error));
    }

    /// Says that the connection ended; of one that ended already it says nothing more.
    pub(super) fn ended(&mut self, server: &ServerConfig, error: Option<&McpError>) {
        if std::mem::take(&mut self.is_open) {
            self.write(server, ConnectionStep::Ended(error));
        }
    }

    fn write(&mut self, server: &ServerConfig, step: ConnectionStep<'_>) {
        let since = self.since.take();
        let (at, began) = since.unwrap_or_else(|| (self.clock.now(), Instant::now()));
        let record = ConnectionRecord {
            at,
            duration: began.elapsed(),
            server,
            step,
        };
        self.audit.record(&record.event());
    }
}
