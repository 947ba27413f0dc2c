//! Records of what happened to a server's authorization.

use std::fmt;

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome},
    provenance::Timestamp,
    report::ReportText,
};

use super::{arguments::message_digest, record::Facts};
use crate::{config::ServerConfig, error::McpError};

/// A step of an authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AuthorizationEvent {
    /// A token was given.
    TokenAcquired,
    /// A token ran out.
    TokenExpired,
    /// What the server and its authorization server say of themselves is known.
    DiscoveryCached,
    /// The server refused what was shown to it.
    CredentialsInvalidated,
    /// A connection was made with a token.
    Connected,
    /// Discovery failed.
    DiscoveryError,
    /// No token was given.
    TokenError,
    /// No connection was made.
    ConnectError,
}

impl AuthorizationEvent {
    /// Returns the name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TokenAcquired => "token-acquired",
            Self::TokenExpired => "token-expired",
            Self::DiscoveryCached => "discovery-cached",
            Self::CredentialsInvalidated => "credentials-invalidated",
            Self::Connected => "connected",
            Self::DiscoveryError => "discovery-error",
            Self::TokenError => "token-error",
            Self::ConnectError => "connect-error",
        }
    }
}

impl fmt::Display for AuthorizationEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One step of a server's authorization, to be made an event.
#[derive(Debug, Clone)]
pub struct AuthorizationRecord<'a> {
    /// When.
    pub at: Timestamp,
    /// The server.
    pub server: &'a ServerConfig,
    /// The step.
    pub event: AuthorizationEvent,
    /// What went wrong, where something did.
    pub error: Option<&'a McpError>,
}

impl AuthorizationRecord<'_> {
    /// Makes the event; of the error its code, its message redacted and the digest of the message.
    pub fn event(&self) -> AuditEvent {
        let mut facts = Facts::default();
        facts.say("plane", "oauth");
        facts.say("serverName", &self.server.name);
        let outcome = match self.error {
            None => AuditOutcome::Success { result: None },
            Some(error) => {
                facts.say("message", &error.message);
                AuditOutcome::Error {
                    code: ReportText::new(error.code.as_str()),
                    message_sha256: message_digest(&error.message),
                }
            }
        };
        AuditEvent {
            at: self.at.clone(),
            subject: ReportText::new(self.server.id.as_str()),
            action: ReportText::new(self.event.name()),
            duration_ms: 0,
            arguments: None,
            facts: facts.0,
            outcome,
        }
    }
}
