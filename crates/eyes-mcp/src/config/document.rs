//! The document of settings, as people write it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::{
    Approval, Argument, ConfigError, EnvReference, ExposureMode, RiskPolicy, SecretAuthMethod,
};
use crate::limits::{
    DEFAULT_ARTIFACT_AGE_DAYS, DEFAULT_ARTIFACT_BYTES, DEFAULT_ARTIFACT_ITEMS,
    DEFAULT_AUDIT_EVENTS, DEFAULT_CALL_TIMEOUT, DEFAULT_CALLS_PER_RUN, DEFAULT_INLINE_TOOLS,
    DEFAULT_RESULT_CHARS, DEFAULT_SCHEMA_TOKENS,
};

/// The settings of the whole plane, flat; every member has a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct McpSettings {
    /// Whether MCP servers are used at all.
    pub mcp_enabled: bool,
    /// The servers; at most 128. Ids and names differ in more than case, and no server is named like another's id.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::limits::MAX_SERVERS)))]
    pub mcp_servers: Vec<ServerSettings>,
    /// Tools that are exposed in line, 1 to 1,000; 0 for any number.
    #[cfg_attr(feature = "schema", schemars(range(max = crate::limits::MAX_INLINE_TOOLS)))]
    pub mcp_max_tools: u64,
    /// Estimated tokens of schemas that are exposed in line, 256 to 10,000,000; 0 for any number.
    #[cfg_attr(feature = "schema", schemars(range(max = crate::limits::MAX_SCHEMA_TOKENS)))]
    pub mcp_max_schema_tokens: u64,
    /// UTF-16 code units of a result that reach the model, 256 to 10,000,000.
    #[cfg_attr(feature = "schema", schemars(range(min = crate::limits::MIN_RESULT_CHARS, max = crate::limits::MAX_RESULT_CHARS)))]
    pub mcp_max_result_chars: u64,
    /// Calls of one run, 1 to 10,000; 0 for any number.
    #[cfg_attr(feature = "schema", schemars(range(max = crate::limits::MAX_CALLS_PER_RUN)))]
    pub mcp_max_external_calls_per_run: u64,
    /// Milliseconds that a call waits where its server does not say otherwise, 100 to 3,600,000.
    #[cfg_attr(feature = "schema", schemars(range(min = crate::limits::MIN_CALL_TIMEOUT_MS, max = crate::limits::MAX_CALL_TIMEOUT_MS)))]
    pub mcp_tool_call_timeout_ms: u64,
    /// Whether calls are audited.
    pub mcp_audit: bool,
    /// Audit events that are kept in memory, 1 to 10,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::limits::MAX_AUDIT_EVENTS)))]
    pub mcp_audit_limit: u64,
    /// How tools reach a model where their server does not say otherwise.
    pub mcp_exposure: ExposureMode,
    /// Bytes of results that are kept, 64 MiB to 1 TiB; the oldest go first.
    #[cfg_attr(feature = "schema", schemars(range(min = crate::limits::MIN_ARTIFACT_BYTES, max = crate::limits::MAX_ARTIFACT_BYTES)))]
    pub mcp_artifact_max_bytes: u64,
    /// Results that are kept, 1 to 1,000,000; the oldest go first.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::limits::MAX_ARTIFACT_ITEMS)))]
    pub mcp_artifact_max_items: u64,
    /// Days that a result is kept, 1 to 3,650.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::limits::MAX_ARTIFACT_AGE_DAYS)))]
    pub mcp_artifact_max_age_days: u64,
}

impl Default for McpSettings {
    fn default() -> Self {
        Self {
            mcp_enabled: false,
            mcp_servers: Vec::new(),
            mcp_max_tools: DEFAULT_INLINE_TOOLS,
            mcp_max_schema_tokens: DEFAULT_SCHEMA_TOKENS,
            mcp_max_result_chars: DEFAULT_RESULT_CHARS,
            mcp_max_external_calls_per_run: DEFAULT_CALLS_PER_RUN,
            mcp_tool_call_timeout_ms: DEFAULT_CALL_TIMEOUT.as_millis() as u64,
            mcp_audit: true,
            mcp_audit_limit: DEFAULT_AUDIT_EVENTS,
            mcp_exposure: ExposureMode::default(),
            mcp_artifact_max_bytes: DEFAULT_ARTIFACT_BYTES,
            mcp_artifact_max_items: DEFAULT_ARTIFACT_ITEMS as u64,
            mcp_artifact_max_age_days: DEFAULT_ARTIFACT_AGE_DAYS,
        }
    }
}

impl McpSettings {
    /// Reads a document whose members stand under their published names.
    ///
    /// Errors: `MCP_CONFIG_INVALID` with the path of a member that is unknown, missing or of the wrong kind. Bounds
    /// are checked by [`McpConfig::from_settings`](super::McpConfig::from_settings).
    pub fn from_document(document: Map<String, Value>) -> Result<Self, ConfigError> {
        serde_path_to_error::deserialize(Value::Object(document)).map_err(|error| {
            let path = error.path().to_string();
            ConfigError::member(path, &error.into_inner().to_string())
        })
    }

    /// Returns the document that gives these settings again.
    ///
    /// # Panics
    /// Never: settings are plain data.
    pub fn to_document(&self) -> Map<String, Value> {
        match serde_json::to_value(self).expect("settings are plain data") {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

/// The transport of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// A program on this machine.
    Stdio,
    /// An address.
    StreamableHttp,
}

impl TransportKind {
    /// Returns the name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::StreamableHttp => "streamable-http",
        }
    }
}

impl<'de> Deserialize<'de> for TransportKind {
    /// Reads the name in any case.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = [Self::Stdio, Self::StreamableHttp];
        known
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| serde::de::Error::unknown_variant(&name, &["stdio", "streamable-http"]))
    }
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_yes(flag: &bool) -> bool {
    *flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_no(flag: &bool) -> bool {
    !*flag
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The settings of one server.
///
/// `command`, `args`, `cwd` and `env` are for `stdio`; `url`, `query`, `headers`, `oauth` and `allowPrivate` for
/// `streamable-http`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a member of the document"
)]
pub struct ServerSettings {
    /// The id: 1 to 32 of `A-Z a-z 0-9 _ -`; part of every public tool name.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[A-Za-z0-9_-]{1,32}$")))]
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Whether it is used.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
    /// How it is reached.
    pub transport: TransportKind,
    /// Whether its tools are used.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub tools_enabled: bool,
    /// Whether its resources and templates are used.
    #[serde(default, skip_serializing_if = "is_no")]
    pub resources_enabled: bool,
    /// Whether its prompts are used.
    #[serde(default, skip_serializing_if = "is_no")]
    pub prompts_enabled: bool,
    /// What its tools may do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub risk_policy: RiskPolicy,
    /// Globs of the tools that may be used; without one none may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_tools: Vec<String>,
    /// Globs of the tools that may not be used, whatever is allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deny_tools: Vec<String>,
    /// Globs of the resources and templates that may be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_resources: Vec<String>,
    /// Globs of the resources and templates that may not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deny_resources: Vec<String>,
    /// Globs of the prompts that may be got.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_prompts: Vec<String>,
    /// Globs of the prompts that may not be got.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deny_prompts: Vec<String>,
    /// Milliseconds that a call waits, 100 to 3,600,000; `mcpToolCallTimeoutMs` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = crate::limits::MIN_CALL_TIMEOUT_MS, max = crate::limits::MAX_CALL_TIMEOUT_MS)))]
    pub timeout_ms: Option<u64>,
    /// How its tools reach a model; `mcpExposure` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<ExposureMode>,
    /// Which of its tools wait until they are approved.
    #[serde(default, skip_serializing_if = "is_default")]
    pub require_approval: Approval,
    /// The program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments, texts or references; an empty text is one too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Argument>,
    /// The folder that it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Variables that it gets besides the usual ones, each by the variable here that holds its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, EnvReference>,
    /// The address: `https`, or `http` on this machine; without user info and secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Parameters that are appended to the address, each by the variable that holds its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub query: BTreeMap<String, EnvReference>,
    /// Headers that are sent with every request, each by the variable that holds its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, EnvReference>,
    /// How it is authorized with OAuth 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth: Option<OAuthServerSettings>,
    /// Whether private addresses may be reached; link-local ones never.
    #[serde(default, skip_serializing_if = "is_no")]
    pub allow_private: bool,
}

impl ServerSettings {
    /// Makes settings with nothing but what every server has.
    pub fn new(id: impl Into<String>, name: impl Into<String>, transport: TransportKind) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            enabled: true,
            transport,
            tools_enabled: true,
            resources_enabled: false,
            prompts_enabled: false,
            risk_policy: RiskPolicy::default(),
            allowed_tools: Vec::new(),
            deny_tools: Vec::new(),
            allowed_resources: Vec::new(),
            deny_resources: Vec::new(),
            allowed_prompts: Vec::new(),
            deny_prompts: Vec::new(),
            timeout_ms: None,
            exposure: None,
            require_approval: Approval::default(),
            command: None,
            args: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
            url: None,
            query: BTreeMap::new(),
            headers: BTreeMap::new(),
            oauth: None,
            allow_private: false,
        }
    }
}

/// The flow that gives tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OAuthFlowKind {
    /// Client credentials: `clientId` with `clientSecret` or `privateKey`.
    #[default]
    ClientCredentials,
    /// Authorization code with PKCE, by `eyes mcp login`; `clientId`, and `clientSecret` with it, where one was registered.
    AuthorizationCode,
}

/// How a server is authorized with OAuth 2.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OAuthServerSettings {
    /// Whether it is; the other members count for nothing otherwise.
    pub enabled: bool,
    /// The flow.
    #[serde(skip_serializing_if = "is_default")]
    pub flow: OAuthFlowKind,
    /// The client's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<EnvReference>,
    /// The client's secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<EnvReference>,
    /// How the secret is sent; by what the server offers where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<SecretAuthMethod>,
    /// The client's private key in PEM, in place of a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private_key: Option<EnvReference>,
    /// The algorithm of the key: `RS256`, `RS384`, `RS512`, `ES256` or `ES384`; by the kind of key where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The key's id in the client's set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    /// The scope that is asked for: names with single spaces between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether tokens are kept in the system's keyring.
    #[serde(skip_serializing_if = "is_no")]
    pub keyring: bool,
}
