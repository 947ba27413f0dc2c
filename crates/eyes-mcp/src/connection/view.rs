//! What is known of a server at one moment; readers never wait for it.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use eyes_evidence::provenance::Timestamp;

use super::{policed::PolicedTools, status::ServerStatus};
use crate::{
    catalog::ContentCatalog,
    codes::{MCP_PROMPTS_UNSUPPORTED, MCP_RESOURCES_UNSUPPORTED, MCP_TOOLS_UNSUPPORTED},
    config::{Planes, ServerConfig},
    error::McpError,
    ports::{McpConnection, PeerInfo},
};

/// What is known of a server at one moment. It never changes; a newer one takes its place.
#[derive(Debug, Clone)]
pub struct ServerView {
    /// Its settings.
    pub config: Arc<ServerConfig>,
    /// How it is doing.
    pub status: ServerStatus,
    /// Whether something was begun whose end will change this.
    pub busy: bool,
    /// What it said of itself; nothing while no connection lives.
    pub peer: Option<Arc<PeerInfo>>,
    /// The newest tools that were admitted; they can be called only while [`is_live`](Self::is_live).
    pub tools: Arc<PolicedTools>,
    /// The newest resources, templates and prompts that were admitted.
    pub content: Arc<ContentCatalog>,
    /// Whether each list was read since the connection was made; what was read before stays where a later reading
    /// failed in passing.
    pub ready: Planes,
    /// How it was lately.
    pub health: Health,
    /// Resources that are subscribed to, on every connection.
    pub subscriptions: Arc<BTreeSet<String>>,
    pub(crate) connection: Option<Arc<dyn McpConnection>>,
}

impl ServerView {
    /// Tells whether requests can be made now.
    pub const fn is_live(&self) -> bool {
        self.connection.is_some()
    }

    /// Tells whether the same can be used now as at another moment.
    pub(super) fn offers_same(&self, other: &Self) -> bool {
        self.is_live() == other.is_live()
            && self.ready == other.ready
            && Arc::ptr_eq(&self.tools, &other.tools)
            && Arc::ptr_eq(&self.content, &other.content)
            && Arc::ptr_eq(&self.config, &other.config)
    }

    /// Returns its newest lines on standard error, redacted and bounded; only while the connection lives.
    pub fn stderr_tail(&self) -> Option<String> {
        self.connection.as_ref()?.stderr_tail()
    }
}

/// How a server was lately.
#[derive(Debug, Clone, Default)]
pub struct Health {
    /// When the last connection was made.
    pub last_connected_at: Option<Timestamp>,
    /// When the server last answered a ping or gave its lists.
    pub last_checked_at: Option<Timestamp>,
    /// How long the answer to the last ping took.
    pub latency: Option<Duration>,
    /// Why there is no connection, or why the last one ended.
    pub last_error: Option<McpError>,
    /// Why the list of tools could not be read.
    pub tools_error: Option<McpError>,
    /// Why the lists of resources or templates could not be read.
    pub resources_error: Option<McpError>,
    /// Why the list of prompts could not be read.
    pub prompts_error: Option<McpError>,
    /// A connection that could not be closed and is kept.
    pub kept: Option<KeptConnection>,
}

impl Health {
    /// Says which lists are switched on and not offered.
    pub(super) fn unsupported(&mut self, server: &ServerConfig, planes: Planes) {
        let missing = |code, what: &str| {
            let message = format!("server {} has no {what}", server.id);
            Some(McpError::new(code, message))
        };
        if planes.tools {
            self.tools_error = missing(MCP_TOOLS_UNSUPPORTED, "tools");
        }
        if planes.resources {
            self.resources_error = missing(MCP_RESOURCES_UNSUPPORTED, "resources");
        }
        if planes.prompts {
            self.prompts_error = missing(MCP_PROMPTS_UNSUPPORTED, "prompts");
        }
    }
}

/// A connection that could not be closed. Nothing new is started before it is.
#[derive(Debug, Clone)]
pub struct KeptConnection {
    /// When the close failed last.
    pub at: Timestamp,
    /// How often it failed.
    pub attempts: u32,
    /// Why.
    pub error: McpError,
}
