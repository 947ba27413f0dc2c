//! What this crate needs from outside.

use std::{fmt, sync::Arc, time::Duration};

pub use eyes_evidence::ports::{ArtifactStore, AuditSink, BoxFuture, Clock, RandomSource};
pub use eyes_usage::ports::UsageSink;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::{authorization::OAuthHealth, config::ServerConfig, error::McpError, policy::Risk};

/// What a server said of itself when the connection was made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeerInfo {
    /// The revision of the protocol that both speak, such as `2025-11-25`.
    pub protocol_version: String,
    /// The server's name and version, as it tells them.
    pub name: String,
    /// See `name`.
    pub version: String,
    /// Whether it has tools, and tells when they change.
    pub tools: Option<Capability>,
    /// Whether it has resources, and tells when they change.
    pub resources: Option<Capability>,
    /// Whether it takes subscriptions to single resources.
    pub resource_subscriptions: bool,
    /// Whether it has prompts, and tells when they change.
    pub prompts: Option<Capability>,
    /// What it tells every model; foreign text.
    pub instructions: Option<String>,
}

/// A capability that a server declared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capability {
    /// Whether it tells when the list changes.
    pub list_changed: bool,
}

/// One request to a server; the answer is the `result` object as JSON.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum McpRequest {
    /// One page of `tools/list`.
    ListTools {
        /// Where the page before ended.
        cursor: Option<String>,
    },
    /// One page of `resources/list`.
    ListResources {
        /// Where the page before ended.
        cursor: Option<String>,
    },
    /// One page of `resources/templates/list`.
    ListResourceTemplates {
        /// Where the page before ended.
        cursor: Option<String>,
    },
    /// One page of `prompts/list`.
    ListPrompts {
        /// Where the page before ended.
        cursor: Option<String>,
    },
    /// `tools/call`.
    CallTool {
        /// The server's own name of the tool.
        name: String,
        /// The arguments, validated.
        arguments: Map<String, Value>,
    },
    /// `resources/read`.
    ReadResource {
        /// The resource.
        uri: String,
    },
    /// `prompts/get`.
    GetPrompt {
        /// The prompt.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// `resources/subscribe`.
    Subscribe {
        /// The resource.
        uri: String,
    },
    /// `resources/unsubscribe`.
    Unsubscribe {
        /// The resource.
        uri: String,
    },
    /// `ping`; on revisions without it the cheapest request that proves the same.
    Ping,
}

impl McpRequest {
    /// Returns the method's name in the protocol.
    pub const fn method(&self) -> &'static str {
        match self {
            Self::ListTools { .. } => "tools/list",
            Self::ListResources { .. } => "resources/list",
            Self::ListResourceTemplates { .. } => "resources/templates/list",
            Self::ListPrompts { .. } => "prompts/list",
            Self::CallTool { .. } => "tools/call",
            Self::ReadResource { .. } => "resources/read",
            Self::GetPrompt { .. } => "prompts/get",
            Self::Subscribe { .. } => "resources/subscribe",
            Self::Unsubscribe { .. } => "resources/unsubscribe",
            Self::Ping => "ping",
        }
    }
}

/// How long a request waits, and who hears of its progress.
#[derive(Debug, Clone)]
pub struct RequestOptions {
    /// Without a word of the server for this long the request fails with `MCP_REQUEST_TIMEOUT`; progress counts
    /// as a word.
    pub idle: Duration,
    /// However much progress is told, the request fails after this long.
    pub total: Duration,
    /// Who hears of progress.
    pub progress: Option<Arc<dyn ProgressSink>>,
}

/// One step of progress (`notifications/progress`).
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far.
    pub progress: f64,
    /// Of how much, where that is known.
    pub total: Option<f64>,
    /// In words of the server, bounded.
    pub message: Option<String>,
}

/// Hears of progress. It never waits.
pub trait ProgressSink: fmt::Debug + Send + Sync {
    /// Takes one step.
    fn progress(&self, progress: Progress);
}

/// What happens on a connection besides answers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ConnectionEvent {
    /// The list of tools changed.
    ToolsChanged,
    /// The list of resources or of their templates changed.
    ResourcesChanged,
    /// The list of prompts changed.
    PromptsChanged,
    /// A resource that was subscribed to changed.
    ResourceUpdated {
        /// Which one.
        uri: String,
    },
    /// The connection ended; nothing follows.
    Closed {
        /// Why, as far as it is known.
        reason: String,
    },
}

/// A connection that was just made, and what happens on it.
///
/// The channel is bounded: an event that does not fit waits, and equal events that wait are one.
#[derive(Debug)]
pub struct Connected {
    /// The connection.
    pub connection: Arc<dyn McpConnection>,
    /// Its events, ending with [`ConnectionEvent::Closed`].
    pub events: mpsc::Receiver<ConnectionEvent>,
}

/// Makes connections to servers.
pub trait McpConnector: fmt::Debug + Send + Sync {
    /// Connects and shakes hands, within the server's time limit.
    ///
    /// A dropped future leaves nothing behind. Errors: `MCP_CREDENTIAL_MISSING`, `MCP_CONNECT_FAILED`,
    /// `MCP_REQUEST_TIMEOUT`, and those of authorization.
    fn connect<'a>(
        &'a self,
        server: &'a ServerConfig,
    ) -> BoxFuture<'a, Result<Connected, McpError>>;
}

/// One live connection to a server.
///
/// Requests may run side by side. Dropping the future of a request cancels it at the server; its late answer is
/// thrown away. After the end every request fails with `MCP_CONNECTION_UNHEALTHY`.
pub trait McpConnection: fmt::Debug + Send + Sync {
    /// Returns what the server said of itself.
    fn peer(&self) -> &PeerInfo;

    /// Sends one request and waits for its result.
    ///
    /// Errors: `MCP_REQUEST_TIMEOUT`, `MCP_REQUEST_FAILED` (with the server's code), `MCP_MESSAGE_SIZE_LIMIT`,
    /// `MCP_MESSAGE_SHAPE_LIMIT`, `MCP_MESSAGE_INVALID`, `MCP_CONNECTION_UNHEALTHY`, and those of authorization.
    fn request(
        &self,
        request: McpRequest,
        options: RequestOptions,
    ) -> BoxFuture<'_, Result<Value, McpError>>;

    /// Returns the newest lines that the server wrote to standard error, redacted and bounded.
    fn stderr_tail(&self) -> Option<String> {
        None
    }

    /// Ends the connection and everything that was started for it; nothing of it survives the future.
    fn close(&self) -> BoxFuture<'_, Result<(), McpError>>;
}

/// Where the values of references in settings come from.
pub trait SecretSource: fmt::Debug + Send + Sync {
    /// Returns the value of a variable; nothing where it is not set or empty.
    fn resolve(&self, variable: &str) -> Option<String>;
}

/// Gives bearer tokens for a server, one source for every use of it.
///
/// However many ask at once, one exchange runs.
pub trait TokenSource: fmt::Debug + Send + Sync {
    /// Returns a token that is valid for a while yet, acquiring one where there is none.
    fn token(&self) -> BoxFuture<'_, Result<Arc<str>, McpError>>;

    /// Takes note that the server refused `token` with 401, or with 403 for its scope, and returns a newer one.
    fn refused<'a>(
        &'a self,
        token: &'a str,
        challenge: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Arc<str>, McpError>>;
}

/// Finds the source of a server's tokens, the same one for the same server and settings.
pub trait TokenSources: fmt::Debug + Send + Sync {
    /// Returns the source; nothing for a server that is not authorized this way.
    fn for_server(&self, server: &ServerConfig) -> Option<Arc<dyn TokenSource>>;

    /// Returns what is known of a server's authorization; nothing for a server that is not authorized this way.
    fn health(&self, _server: &ServerConfig) -> Option<OAuthHealth> {
        None
    }

    /// Takes note that a server took a token.
    fn connected(&self, _server: &ServerConfig) {}
}

/// Decides on questions that a server asks the person (`elicitation/create`).
pub trait Elicitor: fmt::Debug + Send + Sync {
    /// Answers the question: an object that fits its schema, or nothing to decline.
    fn elicit<'a>(
        &'a self,
        message: &'a str,
        schema: &'a Value,
    ) -> BoxFuture<'a, Option<Map<String, Value>>>;
}

/// A call that is about to leave.
#[derive(Debug, Clone, Copy)]
pub struct CallQuestion<'a> {
    /// The server.
    pub server: &'a ServerConfig,
    /// The server's own name of the tool; for content the address or the name of the prompt.
    pub action: &'a str,
    /// The name that the model used.
    pub public_name: &'a str,
    /// What it may do, by its server's word.
    pub risk: Risk,
    /// Its arguments; they may hold secrets.
    pub arguments: &'a Map<String, Value>,
}

/// Decides whether a call may be made, beyond what the settings allow.
pub trait CallAuthorizer: fmt::Debug + Send + Sync {
    /// Decides about one call; an error counts as no.
    fn authorize<'a>(
        &'a self,
        question: &'a CallQuestion<'a>,
    ) -> BoxFuture<'a, Result<bool, McpError>>;
}
