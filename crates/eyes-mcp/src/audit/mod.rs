//! Audit: what was called and how it ended, without arguments, results or messages.

mod arguments;
mod authorization;
mod record;

use std::sync::Arc;

pub use arguments::{ArgumentsDigest, HASH_UNAVAILABLE};
pub use authorization::{AuthorizationEvent, AuthorizationRecord};
use eyes_evidence::audit::{AuditEvent, RingAudit};
pub use record::{CallEnding, CallRecord, CallTarget};

use crate::ports::AuditSink;

/// Where events go: a ring in memory, and a further sink where one is set.
#[derive(Debug)]
pub struct McpAudit {
    ring: RingAudit,
    sink: Option<Arc<dyn AuditSink>>,
}

impl McpAudit {
    /// Makes an empty ring for `limit` events, at least 1.
    pub fn new(limit: usize, sink: Option<Arc<dyn AuditSink>>) -> Self {
        Self {
            ring: RingAudit::new(limit),
            sink,
        }
    }

    /// Returns the events in the ring, the oldest first.
    pub fn events(&self) -> Vec<AuditEvent> {
        self.ring.events()
    }
}

impl AuditSink for McpAudit {
    fn record(&self, event: &AuditEvent) {
        self.ring.record(event);
        if let Some(sink) = &self.sink {
            sink.record(event);
        }
    }

    /// What the further sink lost.
    fn lost(&self) -> u64 {
        self.sink.as_ref().map_or(0, |sink| sink.lost())
    }
}

#[cfg(test)]
mod tests;
