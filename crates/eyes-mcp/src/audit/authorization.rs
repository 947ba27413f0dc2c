//! Records of what happened to a server's authorization.

use std::{collections::BTreeMap, sync::Arc};

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome},
    provenance::Timestamp,
    report::ReportText,
};

use super::record::{Facts, failure};
use crate::{
    authorization::{OAuthEvent, OAuthEventSink},
    codes::{MCP_OAUTH_DISCOVERY_FAILED, MCP_OAUTH_ISSUER_MISMATCH, MCP_OAUTH_METADATA_INVALID},
    config::ServerConfig,
    error::McpError,
    names::ServerId,
    ports::{AuditSink, Clock},
};

/// One step of a server's authorization, to be made an event.
#[derive(Debug, Clone)]
pub struct AuthorizationRecord<'a> {
    /// When.
    pub at: Timestamp,
    /// The server.
    pub server: &'a ServerId,
    /// Its name for people, where it is known.
    pub server_name: Option<&'a str>,
    /// The step.
    pub event: &'a OAuthEvent,
}

impl AuthorizationRecord<'_> {
    /// Makes the event; of an error its code, its message redacted and the digest of the message.
    pub fn event(&self) -> AuditEvent {
        let mut facts = Facts::default();
        facts.say("plane", "oauth");
        if let Some(name) = self.server_name {
            facts.say("serverName", name);
        }
        let outcome = match self.event {
            OAuthEvent::Failed(fault) => {
                facts.say("message", &fault.message);
                failure(&McpError::new(fault.code, &*fault.message))
            }
            _ => AuditOutcome::Success { result: None },
        };
        AuditEvent {
            at: self.at.clone(),
            subject: ReportText::new(self.server.as_str()),
            action: ReportText::new(action(self.event)),
            duration_ms: 0,
            arguments: None,
            facts: facts.0,
            outcome,
        }
    }
}

/// Returns the name in records; a failure says which half of the authorization failed.
fn action(event: &OAuthEvent) -> &'static str {
    let discovery = [
        MCP_OAUTH_DISCOVERY_FAILED,
        MCP_OAUTH_METADATA_INVALID,
        MCP_OAUTH_ISSUER_MISMATCH,
    ];
    match event {
        OAuthEvent::Failed(fault) if discovery.contains(&fault.code) => "discovery-error",
        OAuthEvent::Failed(_) => "token-error",
        other => other.name(),
    }
}

/// Writes what happens to authorizations into an audit.
#[derive(Debug)]
pub struct AuthorizationAudit {
    audit: Arc<dyn AuditSink>,
    clock: Arc<dyn Clock>,
    names: BTreeMap<ServerId, String>,
}

impl AuthorizationAudit {
    /// Takes where events go, and the servers whose names are told with them.
    pub fn new(audit: Arc<dyn AuditSink>, clock: Arc<dyn Clock>, servers: &[ServerConfig]) -> Self {
        let names = servers
            .iter()
            .map(|server| (server.id.clone(), server.name.clone()));
        Self {
            audit,
            clock,
            names: names.collect(),
        }
    }
}

impl OAuthEventSink for AuthorizationAudit {
    fn record(&self, server: &ServerId, event: &OAuthEvent) {
        let record = AuthorizationRecord {
            at: self.clock.now(),
            server,
            server_name: self.names.get(server).map(String::as_str),
            event,
        };
        self.audit.record(&record.event());
    }
}
