//! The configured servers as one host, under their policy.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use tokio::sync::watch;

use super::{HostedCall, HostedResult, HostedTool, ToolHost};
use crate::{
    call::{CallOutcome, RunHandle, ToolCall},
    definition::Annotations,
    error::McpError,
    manager::{Manager, McpSession, SessionAnswer, SessionOptions},
    policy::Risk,
    ports::BoxFuture,
};

/// Offers the tools of the configured servers: in full, or through search, description and call where the
/// settings or the size of the catalogue ask for that.
///
/// The list follows the servers: clients are told when it changes.
pub struct ServersHost {
    manager: Manager,
    current: Mutex<Option<Arc<McpSession>>>,
}

impl fmt::Debug for ServersHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServersHost").finish_non_exhaustive()
    }
}

impl ServersHost {
    /// Makes the host of these servers; whoever has the manager starts and stops them.
    pub const fn new(manager: Manager) -> Self {
        Self {
            manager,
            current: Mutex::new(None),
        }
    }

    /// Returns what is offered now; made again only when something of it changed.
    fn session(&self) -> Arc<McpSession> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = &*current
            && session.is_current()
        {
            return Arc::clone(session);
        }
        let session = Arc::new(self.manager.session(SessionOptions::default()));
        *current = Some(Arc::clone(&session));
        session
    }

    fn annotations(&self, name: &str) -> Annotations {
        let views = self.manager.views();
        let found = views.iter().find_map(|view| view.tools.get(name));
        found.map_or_else(Annotations::default, |(tool, _)| Annotations {
            // What nobody declared is told as what it may be.
            destructive_hint: Some(tool.risk != Risk::Read && tool.risk != Risk::Write),
            read_only_hint: Some(tool.risk == Risk::Read),
            ..tool.definition.annotations
        })
    }
}

impl ToolHost for ServersHost {
    fn tools(&self) -> Vec<HostedTool> {
        let session = self.session();
        let tools = session.definitions().iter().map(|tool| HostedTool {
            name: tool.name.clone(),
            title: None,
            description: tool.description.clone(),
            input_schema: Arc::clone(&tool.input_schema),
            output_schema: None,
            annotations: self.annotations(&tool.name),
        });
        tools.collect()
    }

    fn has_tool(&self, name: &str) -> bool {
        let session = self.session();
        session.definitions().iter().any(|tool| tool.name == name)
    }

    fn instructions(&self) -> Option<String> {
        self.session().index().map(str::to_owned)
    }

    fn changes(&self) -> Vec<watch::Receiver<u64>> {
        vec![self.manager.changes()]
    }

    fn begin_run(&self) -> Option<RunHandle> {
        Some(self.manager.begin_run())
    }

    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>> {
        Box::pin(async move {
            let session = self.session();
            let answer = session.call(ToolCall {
                name: call.name,
                arguments: call.arguments,
                run: call.run,
                progress: call.progress,
            });
            Ok(match answer.await? {
                SessionAnswer::Outcome(outcome) => hosted(&outcome),
                SessionAnswer::Told(value) => HostedResult::text(value.to_string()),
                SessionAnswer::Found(content) => HostedResult {
                    content,
                    ..HostedResult::default()
                },
            })
        })
    }
}

/// Returns a bounded result as blocks: its text with all marks, and its pictures.
fn hosted(outcome: &CallOutcome) -> HostedResult {
    let mut result = HostedResult::text(outcome.result.model_text());
    result.is_error = outcome.is_error;
    let pictures = outcome.result.images.iter().map(|image| {
        json!({
            "type": "image",
            "data": STANDARD.encode(&image.bytes),
            "mimeType": image.media_type,
        })
    });
    result.content.extend(pictures);
    result
}
