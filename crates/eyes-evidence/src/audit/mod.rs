//! Audit: what was called and how it ended, without what was said.

#[cfg(feature = "fs")]
pub mod chain;
#[cfg(feature = "fs")]
mod lines;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Debug,
    sync::{Mutex, PoisonError},
};

#[cfg(feature = "fs")]
pub use lines::JsonLinesAudit;
use serde::{Deserialize, Serialize};

use crate::{
    code::ErrorCode,
    digest::Sha256Digest,
    provenance::Timestamp,
    report::{ReportText, ValueDigest},
};

/// How an audited call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    tag = "status",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum AuditOutcome {
    /// It was done.
    Success {
        /// Length and digest of the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ValueDigest>,
    },
    /// It was refused before anything happened outside.
    Refused {
        /// The code of the rule.
        code: ReportText,
    },
    /// It failed.
    Error {
        /// The code of the failure.
        code: ReportText,
        /// SHA-256 of the message; the text itself may say too much.
        message_sha256: Sha256Digest,
    },
}

impl AuditOutcome {
    /// Makes a refusal.
    pub fn refused(code: ErrorCode) -> Self {
        Self::Refused {
            code: ReportText::new(code.as_str()),
        }
    }

    /// Makes a failure; of the message only the digest is kept.
    pub fn error(code: ErrorCode, message: &str) -> Self {
        Self::Error {
            code: ReportText::new(code.as_str()),
            message_sha256: Sha256Digest::of(message.as_bytes()),
        }
    }
}

/// One audited call. Every text is redacted and bounded, arguments and results are digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct AuditEvent {
    /// When it began.
    pub at: Timestamp,
    /// Who acted: a server, `browser`, `desktop`, a vision route.
    pub subject: ReportText,
    /// What was called.
    pub action: ReportText,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Length and digest of the arguments as canonical JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<ValueDigest>,
    /// What else is known of a call of this kind, by name, such as the risk and the policy that let it pass.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<ReportText, ReportText>,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: AuditOutcome,
}

/// Takes audit events. It never fails the call that is audited.
pub trait AuditSink: Send + Sync + Debug {
    /// Takes one event; a sink that cannot keep it counts it as lost.
    fn record(&self, event: &AuditEvent);

    /// Returns how many events were lost.
    fn lost(&self) -> u64;
}

/// Keeps the newest events in memory.
#[derive(Debug)]
pub struct RingAudit {
    capacity: usize,
    events: Mutex<VecDeque<AuditEvent>>,
}

impl RingAudit {
    /// Makes an empty ring for `capacity` events, at least 1.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            events: Mutex::default(),
        }
    }

    /// Returns the kept events, the oldest first.
    pub fn events(&self) -> Vec<AuditEvent> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.iter().cloned().collect()
    }
}

impl AuditSink for RingAudit {
    fn record(&self, event: &AuditEvent) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if events.len() == self.capacity {
            events.pop_front();
        }
        events.push_back(event.clone());
    }

    /// Always 0: forgetting the oldest is what a ring is for.
    fn lost(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests;
