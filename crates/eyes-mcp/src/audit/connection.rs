//! Records of connections: made, not made, ended.

use std::time::Duration;

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome},
    provenance::Timestamp,
    report::ReportText,
};

use super::record::{Facts, failure, rounded_ms};
use crate::{
    config::{ServerConfig, Transport},
    error::McpError,
    ports::PeerInfo,
};

/// What happened to a connection.
#[derive(Debug, Clone, Copy)]
pub enum ConnectionStep<'a> {
    /// It was made.
    Connected(&'a PeerInfo),
    /// It was not made.
    Refused(&'a McpError),
    /// It was closed, or ended by itself with this error.
    Ended(Option<&'a McpError>),
}

/// One step of a server's connection, to be made an event.
#[derive(Debug, Clone)]
pub struct ConnectionRecord<'a> {
    /// When it began.
    pub at: Timestamp,
    /// How long it took to connect; how long the connection lived.
    pub duration: Duration,
    /// The server.
    pub server: &'a ServerConfig,
    /// What happened.
    pub step: ConnectionStep<'a>,
}

impl ConnectionRecord<'_> {
    /// Makes the event, `connect` or `disconnect`; of an error its code and the digest of its message.
    pub fn event(&self) -> AuditEvent {
        let mut facts = Facts::default();
        facts.say("plane", "connection");
        facts.say("serverName", &self.server.name);
        facts.say(
            "transport",
            match &self.server.transport {
                Transport::Stdio(_) => "stdio",
                Transport::Http(_) => "streamable-http",
            },
        );
        let (action, outcome) = match self.step {
            ConnectionStep::Connected(peer) => {
                facts.say("protocolVersion", &peer.protocol_version);
                facts.say("peer", &format!("{} {}", peer.name, peer.version));
                ("connect", AuditOutcome::Success { result: None })
            }
            ConnectionStep::Refused(error) => ("connect", failure(error)),
            ConnectionStep::Ended(None) => ("disconnect", AuditOutcome::Success { result: None }),
            ConnectionStep::Ended(Some(error)) => ("disconnect", failure(error)),
        };
        AuditEvent {
            at: self.at.clone(),
            subject: ReportText::new(self.server.id.as_str()),
            action: ReportText::new(action),
            duration_ms: rounded_ms(self.duration),
            arguments: None,
            facts: facts.0,
            outcome,
        }
    }
}
