//! Eyes as an MCP server: what is offered, to whom, and composed of what.
//!
//! A [`ToolHost`] offers tools; [`Hosts`] puts several together; [`ServersHost`] is the policed view of the
//! configured servers. How they are reached is the adapter's:
//! [`serve_stdio`](crate::adapter::rmcp::server::serve_stdio) and
//! [`HttpServing`](crate::adapter::rmcp::server::HttpServing).

mod hosts;
mod servers;
mod token;

use std::{fmt, sync::Arc};

use serde_json::{Map, Value, json};
use tokio::sync::watch;

pub use self::{hosts::Hosts, servers::ServersHost, token::BearerToken};
use crate::{
    call::RunHandle,
    definition::Annotations,
    error::McpError,
    ports::{BoxFuture, ProgressSink},
};

/// A tool that is offered to other hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct HostedTool {
    /// Its name.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments; its type is object.
    pub input_schema: Arc<Map<String, Value>>,
    /// The JSON Schema of its structured result.
    pub output_schema: Option<Arc<Map<String, Value>>>,
    /// What it does to the world.
    pub annotations: Annotations,
}

/// One call by another host.
#[derive(Debug, Clone)]
pub struct HostedCall {
    /// The tool.
    pub name: String,
    /// Its arguments, not yet validated.
    pub arguments: Map<String, Value>,
    /// The run of the client's session that it counts for; one without counts for none.
    pub run: Option<RunHandle>,
    /// Who hears of progress.
    pub progress: Option<Arc<dyn ProgressSink>>,
}

/// What came of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostedResult {
    /// Content blocks as the protocol has them.
    pub content: Vec<Value>,
    /// The structured result, where the tool promises one.
    pub structured: Option<Value>,
    /// Whether the tool itself failed.
    pub is_error: bool,
}

impl HostedResult {
    /// Makes a result of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![json!({"type": "text", "text": text.into()})],
            ..Self::default()
        }
    }

    /// Says that it is a failure.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }
}

/// Offers tools to other hosts.
pub trait ToolHost: fmt::Debug + Send + Sync {
    /// Returns the tools, in the order in which they are listed; never waits.
    fn tools(&self) -> Vec<HostedTool>;

    /// Tells whether there is a tool of this name.
    fn has_tool(&self, name: &str) -> bool {
        self.tools().iter().any(|tool| tool.name == name)
    }

    /// Returns what a model should know before it uses the tools.
    fn instructions(&self) -> Option<String> {
        None
    }

    /// Returns what tells of changed tools; nothing where they never change.
    fn changes(&self) -> Vec<watch::Receiver<u64>> {
        Vec::new()
    }

    /// Begins the run of a client's session; a host that counts nothing gives none.
    fn begin_run(&self) -> Option<RunHandle> {
        None
    }

    /// Calls a tool that is there. Dropping the future stops the call.
    ///
    /// An error becomes a failed result that says code, message and hint, so that a model can react.
    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>>;
}

/// Who serves, as clients are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerIdentity {
    /// The program's name.
    pub name: String,
    /// Its version.
    pub version: String,
}

#[cfg(test)]
mod tests;
