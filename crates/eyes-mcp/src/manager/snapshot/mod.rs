//! What is known of every server, as JSON: states, lists, health and numbers, without a secret.

mod build;
mod rows;

pub(super) use build::{SnapshotInput, build, cleanup_row, test_report};
use eyes_evidence::{audit::AuditEvent, provenance::Timestamp};
pub use rows::{
    OAuthRow, PromptRow, RefusedRow, ResourceRow, ResourceTemplateRow, SnapshotToolRow,
};
use serde::Serialize;

use crate::{connection::ServerStatus, error::McpError};

/// What is known of every server at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Whether servers are used at all.
    pub enabled: bool,
    /// When this was put together.
    pub updated_at: Timestamp,
    /// Numbers over all servers.
    pub summary: Summary,
    /// The bounds in force.
    pub limits: SnapshotLimits,
    /// The servers, in the order of the settings.
    pub servers: Vec<ServerRow>,
    /// Connections that could not be closed and are kept.
    pub cleanup_errors: Vec<CleanupRow>,
    /// The newest audit events, the oldest first.
    pub audit: Vec<AuditEvent>,
}

/// Numbers over all servers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Servers in the settings.
    pub configured_servers: usize,
    /// Of these switched on.
    pub enabled_servers: usize,
    /// Of these fully connected.
    pub connected_servers: usize,
    /// Tools that a model can reach now, in line or through the catalogue.
    pub exposed_tools: usize,
    /// The fixed tools for resources and prompts that are there now: 0 to 2.
    pub exposed_content_tools: usize,
    /// Definitions that a request carries now.
    pub exposed_schemas: usize,
    /// Connections that could not be closed.
    pub cleanup_failures: usize,
    /// Estimated tokens of these definitions and of the index.
    pub schema_tokens_estimated: u64,
    /// The same value under the name that older readers know.
    pub schema_token_estimate: u64,
}

/// The bounds in force; 0 means no bound, as in the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SnapshotLimits {
    /// Tools in line.
    pub max_tools: usize,
    /// Estimated tokens of definitions in line.
    pub max_schema_tokens: usize,
    /// UTF-16 code units of a preview.
    pub max_result_chars: usize,
    /// Calls of one run.
    pub max_external_calls_per_run: u32,
    /// How long a call waits, in milliseconds.
    pub tool_call_timeout_ms: u64,
}

/// An error as it is shown: code and redacted message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorRow {
    /// The registry's code.
    pub code: String,
    /// What happened.
    pub message: String,
}

impl From<&McpError> for ErrorRow {
    fn from(error: &McpError) -> Self {
        Self {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
        }
    }
}

/// What is known of one server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the members of a published document"
)]
pub struct ServerRow {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// `stdio` or `streamable-http`.
    pub transport: &'static str,
    /// `allow` or `read-only`.
    pub risk_policy: &'static str,
    /// How it is doing.
    pub status: ServerStatus,
    /// Whether everything that is switched on works.
    pub healthy: bool,
    /// Whether its tools are used.
    pub tools_enabled: bool,
    /// Whether its resources are used.
    pub resources_enabled: bool,
    /// Whether its prompts are used.
    pub prompts_enabled: bool,
    /// How its list of tools is doing.
    pub tools_status: ServerStatus,
    /// Whether it works.
    pub tools_healthy: bool,
    /// How its lists of resources and prompts are doing.
    pub content_status: ServerStatus,
    /// Whether they work.
    pub content_healthy: bool,
    /// How long the last ping took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// The revision of the protocol that both speak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<String>,
    /// Tools that were admitted.
    pub tool_count: usize,
    /// Resources that were admitted.
    pub resource_count: usize,
    /// Templates that were admitted.
    pub resource_template_count: usize,
    /// Prompts that were admitted.
    pub prompt_count: usize,
    /// Estimated tokens of its exposed definitions.
    pub schema_tokens_estimated: u64,
    /// When the last connection was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_connected_at: Option<Timestamp>,
    /// When the server last gave a sign of life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_checked_at: Option<Timestamp>,
    /// Why there is no connection, or why the last one ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<ErrorRow>,
    /// Why its tools could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_last_error: Option<ErrorRow>,
    /// Why its resources or prompts could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_last_error: Option<ErrorRow>,
    /// How its authorization stands; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oauth: Option<OAuthRow>,
    /// Its newest lines on standard error, redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// Its tools.
    pub tools: Vec<SnapshotToolRow>,
    /// Its resources.
    pub resources: Vec<ResourceRow>,
    /// Its templates of resources.
    pub resource_templates: Vec<ResourceTemplateRow>,
    /// Its prompts.
    pub prompts: Vec<PromptRow>,
    /// Entries of its lists that were not admitted.
    pub refused: Vec<RefusedRow>,
}

/// A connection that could not be closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CleanupRow {
    /// The server.
    pub server_id: String,
    /// Always `connection`: one connection carries every list.
    pub plane: &'static str,
    /// `runtime` after the first failure, `retry` after further ones.
    pub phase: &'static str,
    /// When it failed last.
    pub at: Timestamp,
    /// Why.
    pub error: ErrorRow,
}

/// What a test of a server showed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    /// Whether everything that is switched on works.
    pub ok: bool,
    /// The server.
    pub server_id: String,
    /// How it is doing.
    pub status: ServerStatus,
    /// How long the ping took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Tools that were admitted.
    pub tool_count: usize,
    /// Resources that were admitted.
    pub resource_count: usize,
    /// Templates that were admitted.
    pub resource_template_count: usize,
    /// Prompts that were admitted.
    pub prompt_count: usize,
    /// Estimated tokens of its exposed definitions.
    pub schema_tokens_estimated: u64,
    /// How its list of tools is doing.
    pub tools: PlaneReport,
    /// How its lists of resources and prompts are doing.
    pub content: PlaneReport,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRow>,
}

/// How lists of a server are doing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaneReport {
    /// How.
    pub status: ServerStatus,
    /// Whether they work.
    pub healthy: bool,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRow>,
}
