//! One client's requests, answered by a host of tools.

use std::{
    future::pending,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::code::Coded as _;
use futures_util::future::select_all;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        InitializeResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
        ProgressToken, ServerCapabilities, SubscriptionFilter, Tool, ToolAnnotations,
    },
    service::{NotificationContext, Peer, RequestContext, SubscriptionContext},
};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::{
    call::RunHandle,
    error::McpError,
    limits::{MAX_SHOWN_NAME_CHARS, SERVED_PROGRESS_QUEUE, SERVED_TOOLS_PER_PAGE},
    names::visible,
    ports::{Progress, ProgressSink},
    serve::{HostedCall, HostedResult, HostedTool, ServerIdentity, ToolHost},
};

/// Answers one client.
#[derive(Debug)]
pub(super) struct Served {
    host: Arc<dyn ToolHost>,
    identity: ServerIdentity,
    /// What this client's calls count for. On revisions without sessions every request is a client of its own.
    run: Option<RunHandle>,
    /// Calls under way, so that whoever stops can wait for their end.
    calls: TaskTracker,
    /// Tells the client of changes; it ends with the client.
    telling: Mutex<Option<AbortOnDropHandle<()>>>,
}

impl Served {
    pub(super) fn new(
        host: Arc<dyn ToolHost>,
        identity: ServerIdentity,
        calls: TaskTracker,
    ) -> Self {
        Self {
            run: host.begin_run(),
            host,
            identity,
            calls,
            telling: Mutex::new(None),
        }
    }
}

impl ServerHandler for Served {
    fn get_info(&self) -> InitializeResult {
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        if let Some(tools) = &mut capabilities.tools {
            tools.list_changed = (!self.host.changes().is_empty()).then_some(true);
        }
        let identity = Implementation::new(self.identity.name.clone(), &self.identity.version);
        let info = InitializeResult::new(capabilities).with_server_info(identity);
        match self.host.instructions() {
            Some(instructions) => info.with_instructions(instructions),
            None => info,
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.host.tools();
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .ok()
                .filter(|start| *start < tools.len())
                .ok_or_else(|| {
                    ErrorData::invalid_params("there is no page at this cursor", None)
                })?,
        };
        let end = tools.len().min(start + SERVED_TOOLS_PER_PAGE);
        Ok(ListToolsResult {
            tools: tools[start..end].iter().map(listed).collect(),
            next_cursor: (end < tools.len()).then(|| end.to_string()),
            ..ListToolsResult::default()
        })
    }

    /// Lets the transport compare headers that mirror arguments with the arguments (SEP-2243).
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tools = self.host.tools();
        tools.iter().find(|tool| tool.name == name).map(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let _under_way = self.calls.token();
        let name = request.name.into_owned();
        if !self.host.has_tool(&name) {
            let name = visible(&name, MAX_SHOWN_NAME_CHARS);
            return Err(ErrorData::invalid_params(
                format!("there is no tool {name:?}"),
                None,
            ));
        }
        let token = context.meta.get_progress_token();
        let (steps, mut told) = mpsc::channel(SERVED_PROGRESS_QUEUE);
        let call = self.host.call_tool(HostedCall {
            name,
            arguments: request.arguments.unwrap_or_default(),
            run: self.run.clone(),
            progress: token
                .is_some()
                .then(|| Arc::new(Steps(steps)) as Arc<dyn ProgressSink>),
        });
        tokio::pin!(call);
        let result = loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("the client cancelled the call", None));
                }
                Some(step) = told.recv() => tell(&context.peer, token.as_ref(), step).await,
                result = &mut call => break result,
            }
        };
        while let Ok(step) = told.try_recv() {
            tell(&context.peer, token.as_ref(), step).await;
        }
        let result = result.unwrap_or_else(|error| failed(&error));
        Ok(answer(result).into())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let changes = self.host.changes();
        if changes.is_empty() {
            return;
        }
        let peer = context.peer;
        let task = tokio::spawn(async move {
            let mut changes = changes;
            loop {
                changed(&mut changes).await;
                if peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
        let mut telling = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        *telling = Some(AbortOnDropHandle::new(task));
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        // What of it is not offered is taken away by whoever asks.
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.host.changes();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = changed(&mut changes) => {}
            }
            if context.sink().notify_tool_list_changed().await.is_err() {
                return Ok(());
            }
        }
    }
}

/// Waits until one of the lists changed; for ever where none ever does.
async fn changed(changes: &mut Vec<watch::Receiver<u64>>) {
    loop {
        if changes.is_empty() {
            return pending().await;
        }
        let waits = changes.iter_mut().map(|change| Box::pin(change.changed()));
        let (result, at, _) = select_all(waits).await;
        if result.is_ok() {
            return;
        }
        // Whoever told of it is gone.
        drop(changes.swap_remove(at));
    }
}

/// Hands steps on to the client. A client that is slower than a call misses steps, never the result.
#[derive(Debug)]
struct Steps(mpsc::Sender<Progress>);

impl ProgressSink for Steps {
    fn progress(&self, progress: Progress) {
        let _full = self.0.try_send(progress);
    }
}

async fn tell(peer: &Peer<RoleServer>, token: Option<&ProgressToken>, step: Progress) {
    let Some(token) = token else {
        return;
    };
    let mut params = ProgressNotificationParam::new(token.clone(), step.progress);
    params.total = step.total;
    params.message = step.message;
    // A client that is gone ends the call by itself.
    drop(peer.notify_progress(params).await);
}

fn listed(tool: &HostedTool) -> Tool {
    let mut listed = Tool::new(
        tool.name.clone(),
        tool.description.clone(),
        Arc::clone(&tool.input_schema),
    );
    listed.title.clone_from(&tool.title);
    listed.output_schema.clone_from(&tool.output_schema);
    let mut annotations = ToolAnnotations::default();
    annotations.read_only_hint = tool.annotations.read_only_hint;
    annotations.destructive_hint = tool.annotations.destructive_hint;
    annotations.idempotent_hint = tool.annotations.idempotent_hint;
    annotations.open_world_hint = tool.annotations.open_world_hint;
    if annotations != ToolAnnotations::default() {
        listed.annotations = Some(annotations);
    }
    listed
}

/// Says what failed in a form that a model reads.
fn failed(error: &McpError) -> HostedResult {
    let code = error.code;
    HostedResult::text(format!("error[{code}]: {error}\nhint: {}", error.hint())).failed()
}

fn answer(result: HostedResult) -> CallToolResult {
    let content = result.content.into_iter().map(block).collect();
    let mut answer = if result.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    answer.structured_content = result.structured;
    answer
}

/// A block that the protocol does not know is told as text: nothing of a result is lost.
fn block(value: Value) -> ContentBlock {
    let text = value.to_string();
    serde_json::from_value(value).unwrap_or_else(|_| ContentBlock::text(text))
}
