//! Rows of a server's lists.

use eyes_evidence::{provenance::Timestamp, redact::safe_message};
use serde::Serialize;
use serde_json::Value;

use super::ErrorRow;
use crate::{authorization::OAuthHealth, limits::MAX_SHOWN_CHARS};

/// A tool and what becomes of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the members of a published document"
)]
pub struct SnapshotToolRow {
    /// The server's own name.
    pub name: String,
    /// The name that models use.
    pub public_name: String,
    /// What the server says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether policy allows it.
    pub allowed: bool,
    /// Whether a model can reach it.
    pub exposed: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_reason: Option<&'static str>,
    /// What it may do, by its server's word.
    pub risk: &'static str,
    /// Whether a careful host asks before it is called: all but `read`.
    pub requires_approval: bool,
    /// The policy of the server.
    pub risk_policy: &'static str,
    /// Whether that policy lets it pass.
    pub risk_policy_allowed: bool,
    /// Estimated tokens of its definition.
    pub schema_tokens_estimated: u64,
    /// SHA-256 of its whole definition: what a pin is about.
    pub digest: String,
}

/// A resource and whether it may be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceRow {
    /// What the server says of it.
    #[serde(flatten)]
    pub entry: Value,
    /// Whether policy allows it.
    pub allowed: bool,
}

/// A template of resources and whether it may be used.
pub type ResourceTemplateRow = ResourceRow;

/// A prompt and whether it may be got.
pub type PromptRow = ResourceRow;

/// An entry of a list that was not admitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedRow {
    /// Its name, hidden characters made visible.
    pub name: String,
    /// The registry's code.
    pub code: &'static str,
    /// What is wrong.
    pub reason: String,
}

/// How a server's authorization stands; no token, no credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OAuthRow {
    /// Always `true`: a server without has no such row.
    pub enabled: bool,
    /// `idle`, `discovering`, `authenticated`, `connected`, `expired` or `error`.
    pub status: &'static str,
    /// Whether there is a token that was not refused.
    pub authenticated: bool,
    /// When the token ends, in milliseconds since 1970; absent where it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_expires_at_ms: Option<u64>,
    /// What the token is for (RFC 6749, section 3.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether the authorization server is known.
    pub discovery_cached: bool,
    /// The last failure, until something succeeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<ErrorRow>,
    /// When something happened last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_event_at: Option<Timestamp>,
}

impl From<OAuthHealth> for OAuthRow {
    fn from(health: OAuthHealth) -> Self {
        Self {
            enabled: true,
            status: health.status.name(),
            authenticated: health.authenticated,
            token_expires_at_ms: health.token_expires_at_ms,
            scope: health
                .scope
                .map(|scope| safe_message(&scope, MAX_SHOWN_CHARS)),
            discovery_cached: health.discovery_cached,
            last_error: health.last_error.map(|fault| ErrorRow {
                code: fault.code.as_str().to_owned(),
                message: safe_message(&fault.message, MAX_SHOWN_CHARS),
            }),
            last_event_at: health.last_event_at,
        }
    }
}
