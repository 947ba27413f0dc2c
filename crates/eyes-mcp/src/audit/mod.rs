//! Audit: calls, connections and authorizations and how they ended, without arguments, results or messages.

mod arguments;
mod authorization;
mod connection;
mod record;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

pub use arguments::{ArgumentsDigest, HASH_UNAVAILABLE};
pub use authorization::{AuthorizationAudit, AuthorizationRecord};
pub use connection::{ConnectionRecord, ConnectionStep};
use eyes_evidence::audit::{AuditEvent, RingAudit};
pub use record::{CallEnding, CallRecord, CallTarget};

use crate::ports::AuditSink;

/// Where events go: a ring in memory, and a further sink where one is set.
#[derive(Debug)]
pub struct McpAudit {
    ring: RingAudit,
    sink: Option<Arc<dyn AuditSink>>,
    is_on: AtomicBool,
}

impl McpAudit {
    /// Makes an empty ring for `limit` events, at least 1.
    pub fn new(limit: usize, sink: Option<Arc<dyn AuditSink>>) -> Self {
        Self {
            ring: RingAudit::new(limit),
            sink,
            is_on: AtomicBool::new(true),
        }
    }

    /// Switches it on or off; events that come while it is off are nowhere.
    pub fn switch(&self, on: bool) {
        self.is_on.store(on, Ordering::Relaxed);
    }

    /// Returns the events in the ring, the oldest first.
    pub fn events(&self) -> Vec<AuditEvent> {
        self.ring.events()
    }
}

impl AuditSink for McpAudit {
    fn record(&self, event: &AuditEvent) {
        if !self.is_on.load(Ordering::Relaxed) {
            return;
        }
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
