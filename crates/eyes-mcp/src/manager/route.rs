//! Where a call goes, decided by what is known at that moment.

use std::sync::Arc;

use super::Inner;
use crate::{
    catalog::CatalogTool,
    codes::{MCP_CONTENT_UNAVAILABLE, MCP_TOOL_UNAVAILABLE},
    config::ServerConfig,
    connection::ServerView,
    error::McpError,
    limits::{CALL_TOTAL_CAP, CALL_TOTAL_FACTOR},
    names::ServerId,
    policy::Decision,
    ports::{McpConnection, ProgressSink, RequestOptions},
};

/// A live connection of a server, and its settings at that moment.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) config: Arc<ServerConfig>,
    pub(super) connection: Arc<dyn McpConnection>,
}

impl Way {
    /// Returns how long a request waits: by the settings without a word, and much longer while progress is told.
    pub(super) fn options(&self, progress: Option<Arc<dyn ProgressSink>>) -> RequestOptions {
        let idle = self.config.timeout;
        RequestOptions {
            idle,
            total: idle
                .saturating_mul(CALL_TOTAL_FACTOR)
                .min(CALL_TOTAL_CAP)
                .max(idle),
            progress,
        }
    }
}

/// A tool that was found, and what is known of its server.
#[derive(Debug)]
pub(super) struct FoundTool {
    pub(super) view: Arc<ServerView>,
    pub(super) tool: Arc<CatalogTool>,
    decision: Decision,
}

impl FoundTool {
    /// Decides whether it may be called now.
    ///
    /// Errors: `MCP_TOOL_UNAVAILABLE`, and the code of the rule that blocks it.
    pub(super) fn open(&self) -> Result<Way, McpError> {
        let name = &self.tool.public_name;
        let unavailable = |why: &str| {
            let id = &self.view.config.id;
            McpError::new(MCP_TOOL_UNAVAILABLE, format!("{name}: server {id} {why}"))
        };
        if !self.view.config.enabled {
            return Err(unavailable("is switched off"));
        }
        if !self.view.config.planes.tools {
            return Err(unavailable("has its tools switched off"));
        }
        let connection = match &self.view.connection {
            Some(connection) if self.view.ready.tools => Arc::clone(connection),
            _ => return Err(unavailable(&format!("is {}", self.view.status))),
        };
        if let Decision::Blocked(reason) = self.decision {
            return Err(McpError::new(
                reason.code(),
                format!("{name} is not used: {reason}"),
            ));
        }
        Ok(Way {
            config: Arc::clone(&self.view.config),
            connection,
        })
    }
}

impl Inner {
    /// Finds a tool by its public name, in the first server that has it.
    ///
    /// Errors: `MCP_TOOL_UNAVAILABLE`.
    pub(super) fn find_tool(&self, public_name: &str) -> Result<FoundTool, McpError> {
        for view in self.state().views() {
            if let Some((tool, decision)) = view.tools.get(public_name) {
                return Ok(FoundTool {
                    tool: Arc::clone(tool),
                    decision,
                    view: Arc::clone(&view),
                });
            }
        }
        Err(McpError::new(
            MCP_TOOL_UNAVAILABLE,
            format!(
                "no server has a tool {:?}",
                crate::names::visible(public_name, crate::limits::MAX_SHOWN_NAME_CHARS)
            ),
        ))
    }

    /// Decides again about a tool that was found before something was awaited.
    ///
    /// Errors: those of [`FoundTool::open`], and `MCP_TOOL_UNAVAILABLE` where its definition is another one now.
    pub(super) fn still(&self, found: &FoundTool) -> Result<Way, McpError> {
        let now = self.find_tool(found.tool.public_name.as_str())?;
        let same = Arc::ptr_eq(&now.tool, &found.tool) || now.tool.digest() == found.tool.digest();
        if !same || now.view.config.id != found.view.config.id {
            let name = &found.tool.public_name;
            return Err(McpError::new(
                MCP_TOOL_UNAVAILABLE,
                format!("{name} changed while the call waited"),
            ));
        }
        now.open()
    }

    /// Finds a server whose resources or prompts are asked for; its view and a way to it.
    ///
    /// Errors: `MCP_CONTENT_UNAVAILABLE`.
    pub(super) fn find_content(&self, server: &str) -> Result<Arc<ServerView>, McpError> {
        let unavailable = |why: String| McpError::new(MCP_CONTENT_UNAVAILABLE, why);
        let found = server
            .parse::<ServerId>()
            .ok()
            .and_then(|id| Some(self.state().actor(&id)?.view()));
        let view = found.ok_or_else(|| {
            let shown: String = server.chars().take(32).collect();
            unavailable(format!("no server has the id {shown:?}"))
        })?;
        if !view.config.enabled {
            return Err(unavailable(format!("server {server} is switched off")));
        }
        Ok(view)
    }
}

/// Returns the way to a server whose resources or prompts were found.
pub(super) fn content_way(view: &ServerView, is_ready: bool) -> Result<Way, McpError> {
    match &view.connection {
        Some(connection) if is_ready => Ok(Way {
            config: Arc::clone(&view.config),
            connection: Arc::clone(connection),
        }),
        _ => Err(McpError::new(
            MCP_CONTENT_UNAVAILABLE,
            format!("server {} is {}", view.config.id, view.status),
        )),
    }
}
