//! A server that does what a test tells it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::{Map, Value, json};

use crate::{
    codes::MCP_REQUEST_FAILED,
    error::McpError,
    event_queue::EventQueue,
    ports::{Capability, ConnectionEvent, McpRequest, PeerInfo, Progress},
};

/// How a scripted server answers one request.
///
/// Delays run on tokio's clock, so that a test on a paused clock waits for nothing.
#[derive(Debug, Clone)]
pub struct Script {
    pub(super) progress: Vec<(Duration, Progress)>,
    pub(super) after: Duration,
    pub(super) end: End,
}

#[derive(Debug, Clone)]
pub(super) enum End {
    Usual,
    Answer(Box<Result<Value, McpError>>),
    Never,
    Close(String),
}

impl Script {
    const fn ending(end: End) -> Self {
        Self {
            progress: Vec::new(),
            after: Duration::ZERO,
            end,
        }
    }

    /// Answers as without a script; for delays and progress.
    pub const fn usual() -> Self {
        Self::ending(End::Usual)
    }

    /// Answers with this result.
    pub fn result(result: Value) -> Self {
        Self::ending(End::Answer(Box::new(Ok(result))))
    }

    /// Fails with this error.
    pub fn failure(error: McpError) -> Self {
        Self::ending(End::Answer(Box::new(Err(error))))
    }

    /// Answers with an error of the protocol.
    pub fn rpc_error(code: i64, message: &str) -> Self {
        Self::failure(rpc_error(code, message))
    }

    /// Never answers.
    pub const fn never() -> Self {
        Self::ending(End::Never)
    }

    /// Ends the connection instead of answering.
    pub fn close(reason: &str) -> Self {
        Self::ending(End::Close(reason.to_owned()))
    }

    /// Waits before the end.
    #[must_use]
    pub const fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }

    /// Tells progress, `delay` after the step before.
    #[must_use]
    pub fn progress(mut self, delay: Duration, progress: Progress) -> Self {
        self.progress.push((delay, progress));
        self
    }
}

/// An MCP server without a wire: what it offers and how it answers is told by a test, also while it is connected.
///
/// Without a script `tools/call` of a tool that it has answers with its arguments as text and as structured
/// content, `resources/read` and `prompts/get` with the text that was given, and lists come in pages. Clones are
/// the same server.
#[derive(Debug, Clone)]
pub struct ScriptedServer {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    peer: PeerInfo,
    tools: Vec<Value>,
    resources: Vec<(Value, String)>,
    templates: Vec<Value>,
    prompts: Vec<(Value, String)>,
    page_size: usize,
    /// By tool, or by method for everything else.
    scripts: BTreeMap<String, VecDeque<Script>>,
    connects: VecDeque<Script>,
    requests: Vec<McpRequest>,
    cancelled: Vec<McpRequest>,
    attempts: usize,
    live: BTreeMap<usize, (EventQueue, tokio_util::sync::CancellationToken)>,
    stderr: Option<String>,
}

impl ScriptedServer {
    /// Makes a server with this name, which has all lists, all empty.
    pub fn new(name: &str) -> Self {
        let changing = Some(Capability { list_changed: true });
        Self {
            state: Arc::new(Mutex::new(State {
                peer: PeerInfo {
                    protocol_version: "2025-11-25".to_owned(),
                    name: name.to_owned(),
                    version: "1.0.0".to_owned(),
                    tools: changing,
                    resources: changing,
                    resource_subscriptions: true,
                    prompts: changing,
                    instructions: None,
                },
                tools: Vec::new(),
                resources: Vec::new(),
                templates: Vec::new(),
                prompts: Vec::new(),
                page_size: usize::MAX,
                scripts: BTreeMap::new(),
                connects: VecDeque::new(),
                requests: Vec::new(),
                cancelled: Vec::new(),
                attempts: 0,
                live: BTreeMap::new(),
                stderr: None,
            })),
        }
    }

    /// Replaces what the server says of itself at the next connection.
    pub fn set_peer(&self, peer: PeerInfo) {
        self.lock().peer = peer;
    }

    /// Replaces the tools, without telling anybody; each is an object of `tools/list`.
    pub fn set_tools(&self, tools: Vec<Value>) {
        self.lock().tools = tools;
    }

    /// Adds a tool that takes any object.
    pub fn add_tool(&self, name: &str) {
        self.lock().tools.push(json!({
            "name": name,
            "description": format!("The tool {name}."),
            "inputSchema": {"type": "object"},
        }));
    }

    /// Adds a resource with this text.
    pub fn add_resource(&self, uri: &str, text: &str) {
        let entry = json!({"uri": uri, "name": uri, "mimeType": "text/plain"});
        self.lock().resources.push((entry, text.to_owned()));
    }

    /// Adds a template of resources, an object of `resources/templates/list`.
    pub fn add_template(&self, template: Value) {
        self.lock().templates.push(template);
    }

    /// Adds a prompt, an object of `prompts/list`, with the text of its one message.
    pub fn add_prompt(&self, prompt: Value, text: &str) {
        self.lock().prompts.push((prompt, text.to_owned()));
    }

    /// Sets how many entries a page has.
    pub fn set_page_size(&self, size: usize) {
        self.lock().page_size = size.max(1);
    }

    /// Sets the newest lines of standard error.
    pub fn set_stderr(&self, text: &str) {
        self.lock().stderr = Some(text.to_owned());
    }

    /// Answers the next call of a tool (by the server's own name), or the next request of a method such as
    /// `tools/list`, by a script; several wait in line.
    pub fn script(&self, tool_or_method: &str, script: Script) {
        let mut state = self.lock();
        let scripts = state.scripts.entry(tool_or_method.to_owned()).or_default();
        scripts.push_back(script);
    }

    /// Answers the next attempt to connect by a script; a result of it means that the attempt succeeds.
    pub fn script_connect(&self, script: Script) {
        self.lock().connects.push_back(script);
    }

    /// Tells an event on every connection.
    pub fn emit(&self, event: &ConnectionEvent) {
        for (queue, _) in self.lock().live.values() {
            queue.push(event.clone());
        }
    }

    /// Ends every connection, as a server does that stops.
    pub fn hang_up(&self, reason: &str) {
        let live = std::mem::take(&mut self.lock().live);
        for (queue, gone) in live.into_values() {
            queue.push(ConnectionEvent::Closed {
                reason: reason.to_owned(),
            });
            gone.cancel();
        }
    }

    /// Returns the requests that arrived, in order.
    pub fn requests(&self) -> Vec<McpRequest> {
        self.lock().requests.clone()
    }

    /// Returns the requests that were given up before they were answered: dropped, or out of time.
    pub fn cancelled(&self) -> Vec<McpRequest> {
        self.lock().cancelled.clone()
    }

    /// Returns how often somebody tried to connect.
    pub fn attempts(&self) -> usize {
        self.lock().attempts
    }

    /// Returns how many connections are live.
    pub fn connections(&self) -> usize {
        self.lock().live.len()
    }

    pub(crate) fn peer(&self) -> PeerInfo {
        self.lock().peer.clone()
    }

    pub(super) fn stderr(&self) -> Option<String> {
        self.lock().stderr.clone()
    }

    pub(super) fn attempt(&self) -> Script {
        let mut state = self.lock();
        state.attempts += 1;
        state.connects.pop_front().unwrap_or_else(Script::usual)
    }

    pub(super) fn joined(&self, queue: EventQueue, gone: tokio_util::sync::CancellationToken) {
        let mut state = self.lock();
        let number = state.attempts;
        state.live.insert(number, (queue, gone));
    }

    pub(super) fn left(&self, gone: &tokio_util::sync::CancellationToken, reason: &str) {
        let mut state = self.lock();
        for (queue, token) in state.live.values() {
            if token == gone {
                queue.push(ConnectionEvent::Closed {
                    reason: reason.to_owned(),
                });
            }
        }
        state.live.retain(|_, (_, token)| token != gone);
        gone.cancel();
    }

    pub(super) fn gave_up(&self, request: McpRequest) {
        self.lock().cancelled.push(request);
    }

    /// Takes a request in, and tells how it is answered.
    pub(super) fn arrived(&self, request: &McpRequest) -> Script {
        let mut state = self.lock();
        state.requests.push(request.clone());
        let script = state.scripts.get_mut(&script_key(request));
        let script = script.and_then(VecDeque::pop_front);
        script.unwrap_or_else(Script::usual)
    }

    /// The answer without a script.
    pub(crate) fn usual(&self, request: &McpRequest) -> Result<Value, McpError> {
        let state = self.lock();
        let size = state.page_size;
        match request {
            McpRequest::ListTools { cursor } => page("tools", &state.tools, cursor.as_ref(), size),
            McpRequest::ListResources { cursor } => page(
                "resources",
                &firsts(&state.resources),
                cursor.as_ref(),
                size,
            ),
            McpRequest::ListResourceTemplates { cursor } => {
                page("resourceTemplates", &state.templates, cursor.as_ref(), size)
            }
            McpRequest::ListPrompts { cursor } => {
                page("prompts", &firsts(&state.prompts), cursor.as_ref(), size)
            }
            McpRequest::CallTool { name, arguments } => state.call(name, arguments),
            McpRequest::ReadResource { uri } => {
                let text = find(&state.resources, "uri", uri)
                    .ok_or_else(|| rpc_error(-32002, &format!("no resource {uri}")))?;
                Ok(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}))
            }
            McpRequest::GetPrompt { name, .. } => {
                let text = find(&state.prompts, "name", name)
                    .ok_or_else(|| rpc_error(-32602, &format!("no prompt {name}")))?;
                let content = json!({"type": "text", "text": text});
                Ok(json!({"messages": [{"role": "user", "content": content}]}))
            }
            McpRequest::Subscribe { .. } | McpRequest::Unsubscribe { .. } | McpRequest::Ping => {
                Ok(json!({}))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Value, McpError> {
        if !self.tools.iter().any(|tool| tool["name"] == name) {
            return Err(rpc_error(-32602, &format!("no tool {name}")));
        }
        let text = Value::Object(arguments.clone()).to_string();
        Ok(json!({
            "content": [{"type": "text", "text": text}],
            "structuredContent": arguments,
        }))
    }
}

fn firsts(entries: &[(Value, String)]) -> Vec<Value> {
    entries.iter().map(|(entry, _)| entry.clone()).collect()
}

fn find<'a>(entries: &'a [(Value, String)], key: &str, identity: &str) -> Option<&'a str> {
    let found = entries.iter().find(|(entry, _)| entry[key] == identity)?;
    Some(&found.1)
}

fn page(
    member: &str,
    entries: &[Value],
    cursor: Option<&String>,
    size: usize,
) -> Result<Value, McpError> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .ok()
            .filter(|start| *start <= entries.len())
            .ok_or_else(|| rpc_error(-32602, &format!("no page at {cursor:?}")))?,
    };
    let end = entries.len().min(start.saturating_add(size));
    let mut page = json!({ (member): &entries[start..end] });
    if end < entries.len() {
        page["nextCursor"] = json!(end.to_string());
    }
    Ok(page)
}

fn rpc_error(code: i64, message: &str) -> McpError {
    McpError::new(MCP_REQUEST_FAILED, message)
        .after_sending()
        .with_rpc_code(code)
}

fn script_key(request: &McpRequest) -> String {
    match request {
        McpRequest::CallTool { name, .. } => name.clone(),
        other => other.method().to_owned(),
    }
}
