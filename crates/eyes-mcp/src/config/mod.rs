//! Settings of servers: one strict contract, validated before anything is started.
//!
//! [`McpSettings`] is the document as people write it, flat and under the reference plugin's names; [`McpConfig`] is
//! what was validated, and the only thing that the rest of this crate reads. Secrets stand in neither: both name
//! variables, and [`ResolvedSecrets`] looks them up when a connection is made.

mod argv;
mod document;
mod error;
mod fingerprint;
pub mod import;
mod oauth;
mod reference;
mod secrets;
mod server;
#[cfg(test)]
mod tests;
mod url;
mod validate;
mod variable;

use std::time::Duration;

pub use document::{
    McpSettings, OAuthFlowKind, OAuthServerSettings, ServerSettings, TransportKind,
};
pub use error::ConfigError;
pub use fingerprint::ConfigFingerprint;
pub use secrets::{ResolvedSecrets, SecretReference};
use serde::{Deserialize, Serialize};
pub use server::{
    Approval, Argument, EnvReference, HttpServer, OAuthCredential, OAuthFlow, OAuthSettings,
    Planes, RiskPolicy, SecretAuthMethod, ServerConfig, StdioServer, Transport,
};
#[cfg(feature = "http")]
pub(crate) use validate::is_own_header;
pub use variable::{VARIABLES, variable_value};

use crate::result::ArtifactBounds;

/// The settings of the whole plane.
#[derive(Debug, Clone, PartialEq)]
pub struct McpConfig {
    /// Whether servers are used at all.
    pub enabled: bool,
    /// The servers, in the order of the settings; ids and names differ in more than case.
    pub servers: Vec<ServerConfig>,
    /// Tools that are exposed in line, at most; nothing means no bound.
    pub max_tools: Option<usize>,
    /// Estimated tokens of schemas that are exposed in line, at most; nothing means no bound.
    pub max_schema_tokens: Option<usize>,
    /// UTF-16 code units of a result's preview.
    pub max_result_chars: usize,
    /// Calls of one run, at most; nothing means no bound.
    pub max_calls_per_run: Option<u32>,
    /// How long a call waits where a server does not say otherwise.
    pub call_timeout: Duration,
    /// Whether calls are audited.
    pub audit: bool,
    /// Audit events in memory.
    pub audit_limit: usize,
    /// How tools are exposed where a server does not say otherwise.
    pub exposure: ExposureMode,
    /// How much is kept of whole results.
    pub artifacts: ArtifactBounds,
}

/// How the tools of a server reach a model.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ExposureMode {
    /// Every definition in full, within the budgets.
    Inline,
    /// An index, and three tools that search, describe and call.
    Catalog,
    /// Every definition with `defer_loading`, and a search tool that answers with `tool_reference` blocks.
    NativeDefer,
    /// [`Catalog`](Self::Catalog) where the definitions in full are estimated above the budget, else
    /// [`Inline`](Self::Inline).
    #[default]
    Auto,
}
