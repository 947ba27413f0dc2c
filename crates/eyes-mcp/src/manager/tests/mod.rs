//! All servers together, against scripted servers on a paused clock.

mod calls;
mod content;
mod lifecycle;
mod sessions;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome},
    testing::{CountingRandom, FixedClock},
};
use eyes_usage::testing::MemoryUsage;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;

use super::*;
use crate::{
    call::ToolCall,
    codes::MCP_ADAPTER_CLOSE_FAILED,
    config::{Approval, ExposureMode, Planes, RiskPolicy, ServerConfig, StdioServer, Transport},
    error::McpError,
    pins::MemoryPins,
    policy::Selectors,
    ports::{
        BoxFuture, CallQuestion, Connected, McpConnection, McpRequest, PeerInfo, RequestOptions,
    },
    result::ArtifactBounds,
    testing::{LoopbackConnector, ScriptedServer},
};

pub(super) const SECOND: Duration = Duration::from_secs(1);

/// Scripted servers, the manager of them, and everything that it writes down.
pub(super) struct World {
    pub(super) manager: Manager,
    pub(super) loopback: Arc<Flaky>,
    pub(super) usage: Arc<MemoryUsage>,
    pub(super) pins: Arc<MemoryPins>,
}

impl World {
    pub(super) fn new(config: McpConfig, servers: &[(&str, &ScriptedServer)]) -> Self {
        Self::with(config, servers, None)
    }

    pub(super) fn with(
        config: McpConfig,
        servers: &[(&str, &ScriptedServer)],
        authorizer: Option<Arc<dyn CallAuthorizer>>,
    ) -> Self {
        let loopback = Arc::new(Flaky::default());
        for (id, server) in servers {
            loopback.servers.add(id, server);
        }
        let usage = Arc::new(MemoryUsage::new(1_000));
        let pins = Arc::new(MemoryPins::default());
        let parts = ManagerParts {
            connector: Arc::clone(&loopback) as Arc<dyn McpConnector>,
            secrets: Arc::new(NoSecrets),
            clock: Arc::new(FixedClock),
            random: Arc::new(CountingRandom::default()),
            audit: Arc::new(McpAudit::new(200, None)),
            tokens: None,
            usage: Arc::clone(&usage) as Arc<dyn UsageSink>,
            artifacts: None,
            pins: Arc::clone(&pins) as Arc<dyn PinStore>,
            authorizer,
            runtime: Handle::current(),
        };
        Self {
            manager: Manager::new(config, parts),
            loopback,
            usage,
            pins,
        }
    }

    /// Starts everything and waits until it is there.
    pub(super) async fn start(&self) {
        self.manager.start().await;
        self.manager.settled().await;
    }

    pub(super) fn status(&self, id: &str) -> ServerStatus {
        self.view(id).status
    }

    pub(super) fn view(&self, id: &str) -> Arc<ServerView> {
        self.manager.view(&id.parse().unwrap()).unwrap()
    }

    pub(super) fn audit(&self) -> Vec<AuditEvent> {
        let events = self.manager.inner.parts.audit.events();
        let is_call =
            |event: &AuditEvent| !matches!(event.action.as_str(), "connect" | "disconnect");
        events.into_iter().filter(is_call).collect()
    }

    /// Returns the codes of the audited calls, `ok` for a success.
    pub(super) fn outcomes(&self) -> Vec<String> {
        let outcome = |event: AuditEvent| match event.outcome {
            AuditOutcome::Success { .. } => "ok".to_owned(),
            AuditOutcome::Refused { code } => format!("refused {}", code.as_str()),
            AuditOutcome::Error { code, .. } => format!("error {}", code.as_str()),
        };
        self.audit().into_iter().map(outcome).collect()
    }
}

pub(super) fn server(id: &str) -> ServerConfig {
    let everything = Selectors {
        allow: vec!["*".to_owned()],
        deny: Vec::new(),
    };
    ServerConfig {
        id: id.parse().unwrap(),
        name: id.to_uppercase(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: false,
            prompts: false,
        },
        risk_policy: RiskPolicy::Allow,
        tools: everything.clone(),
        resources: everything.clone(),
        prompts: everything,
        timeout: 30 * SECOND,
        exposure: None,
        approval: Approval::default(),
        transport: Transport::Stdio(StdioServer {
            command: "scripted".to_owned(),
            args: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
        }),
    }
}

pub(super) fn config(servers: &[ServerConfig]) -> McpConfig {
    McpConfig {
        enabled: true,
        servers: servers.to_vec(),
        max_tools: Some(16),
        max_schema_tokens: Some(12_000),
        max_result_chars: 20_000,
        max_calls_per_run: Some(64),
        call_timeout: 30 * SECOND,
        audit: true,
        audit_limit: 200,
        exposure: ExposureMode::Auto,
        artifacts: ArtifactBounds::default(),
    }
}

/// A scripted server with these tools.
pub(super) fn scripted(tools: &[&str]) -> ScriptedServer {
    let server = ScriptedServer::new("scripted");
    for tool in tools {
        server.add_tool(tool);
    }
    server
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "reads best with json! in place"
)]
pub(super) fn tool(name: &str, schema: Value) -> Value {
    json!({"name": name, "description": format!("The tool {name}."), "inputSchema": schema})
}

pub(super) fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        name: name.to_owned(),
        arguments: object(arguments),
        run: None,
        progress: None,
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

/// Returns the requests for tools that arrived.
pub(super) fn called(server: &ScriptedServer) -> Vec<String> {
    let requests = server.requests().into_iter();
    requests
        .filter_map(|request| match request {
            McpRequest::CallTool { name, .. } => Some(name),
            _ => None,
        })
        .collect()
}

#[derive(Debug)]
struct NoSecrets;

impl SecretSource for NoSecrets {
    fn resolve(&self, _variable: &str) -> Option<String> {
        None
    }
}

/// Scripted connections whose close fails as often as a test says.
#[derive(Debug, Default)]
pub(super) struct Flaky {
    pub(super) servers: LoopbackConnector,
    pub(super) failing_closes: Arc<AtomicUsize>,
    pub(super) closes: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct FlakyConnection {
    inner: Arc<dyn McpConnection>,
    failing_closes: Arc<AtomicUsize>,
    closes: Arc<AtomicUsize>,
}

impl McpConnector for Flaky {
    fn connect<'a>(
        &'a self,
        server: &'a ServerConfig,
    ) -> BoxFuture<'a, Result<Connected, McpError>> {
        Box::pin(async move {
            let connected = self.servers.connect(server).await?;
            let connection = FlakyConnection {
                inner: connected.connection,
                failing_closes: Arc::clone(&self.failing_closes),
                closes: Arc::clone(&self.closes),
            };
            Ok(Connected {
                connection: Arc::new(connection),
                events: connected.events,
            })
        })
    }
}

impl McpConnection for FlakyConnection {
    fn peer(&self) -> &PeerInfo {
        self.inner.peer()
    }

    fn request(
        &self,
        request: McpRequest,
        options: RequestOptions,
    ) -> BoxFuture<'_, Result<Value, McpError>> {
        self.inner.request(request, options)
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        self.closes.fetch_add(1, Ordering::Relaxed);
        let fewer = |failing: usize| failing.checked_sub(1);
        let (order, seen) = (Ordering::AcqRel, Ordering::Acquire);
        if self.failing_closes.fetch_update(order, seen, fewer).is_ok() {
            let error = McpError::new(MCP_ADAPTER_CLOSE_FAILED, "it does not want to");
            return Box::pin(async move { Err(error) });
        }
        self.inner.close()
    }
}

/// Says what a test wants to every call, after a while.
#[derive(Debug)]
pub(super) struct Says {
    pub(super) answer: Result<bool, McpError>,
    pub(super) after: Duration,
    pub(super) asked: Mutex<Vec<String>>,
}

impl Says {
    pub(super) fn new(answer: Result<bool, McpError>, after: Duration) -> Arc<Self> {
        Arc::new(Self {
            answer,
            after,
            asked: Mutex::default(),
        })
    }
}

impl CallAuthorizer for Says {
    fn authorize<'a>(
        &'a self,
        question: &'a CallQuestion<'a>,
    ) -> BoxFuture<'a, Result<bool, McpError>> {
        let asked = format!("{} {}", question.server.id, question.action);
        self.asked.lock().unwrap().push(asked);
        Box::pin(async move {
            tokio::time::sleep(self.after).await;
            self.answer.clone()
        })
    }
}
