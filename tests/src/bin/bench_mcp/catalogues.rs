//! Catalogues: admission of definitions, a manager from nothing to a session, and its state.

use std::{
    cell::RefCell,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use eyes_evidence::testing::FixedClock;
use eyes_mcp::{
    audit::McpAudit,
    catalog::ToolCatalog,
    config::{ExposureMode, McpConfig, Planes, ServerConfig},
    manager::{Manager, ManagerParts, SessionOptions},
    pins::MemoryPins,
    ports::{RandomSource, SecretSource},
    result::ArtifactBounds,
    testing::{LoopbackConnector, ScriptedServer, fixture},
};
use eyes_usage::testing::MemoryUsage;
use serde_json::Value;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::measure::{Table, Times};

const INPUTS: [&str; 2] = ["catalog-256-900k", "catalog-207-668k"];
const ID: &str = "bench";

/// Measures both catalogues.
pub(crate) fn measure(inputs: &Path, table: &mut Table) -> Result<(), String> {
    for name in INPUTS {
        let file = inputs.join(format!("{name}.json"));
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let document: Value = serde_json::from_str(&text).map_err(told)?;
        let tools = document["tools"]
            .as_array()
            .ok_or_else(|| format!("{name} lists no tools"))?;
        let mut add = |work: &str, times| table.add(format!("{name}: {work}"), times);
        add(
            "JSON.parse only",
            Times::of(25, || serde_json::from_str::<Value>(&text)),
        );
        admission(tools, &mut add)?;
        manager(tools, &mut add)?;
    }
    Ok(())
}

/// Ours also hashes every definition and looks for hidden instructions, which pins need.
fn admission(tools: &[Value], add: &mut impl FnMut(&str, Times)) -> Result<(), String> {
    let server = only_tools();
    let admitted = ToolCatalog::admit(&server, tools.to_vec()).map_err(told)?;
    if admitted.tools.len() != tools.len() {
        return Err(format!("{} of {} tools", admitted.tools.len(), tools.len()));
    }
    let rounds = 25;
    let listed = RefCell::new(vec![tools.to_vec(); rounds]);
    add(
        "McpCatalogBudget.admit all",
        Times::of(rounds, || {
            let listed = listed.borrow_mut().pop().unwrap_or_default();
            ToolCatalog::admit(&server, listed)
        }),
    );
    Ok(())
}

fn manager(tools: &[Value], add: &mut impl FnMut(&str, Times)) -> Result<(), String> {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(told)?;
    let scripted = ScriptedServer::new(ID);
    scripted.set_tools(tools.to_vec());
    scripted.set_page_size(tools.len());
    let started = start(&runtime, &scripted);
    let offered = started
        .session(SessionOptions::default())
        .definitions()
        .len();
    if offered != tools.len() {
        return Err(format!("{offered} of {} tools are offered", tools.len()));
    }
    add(
        "manager start (admit+policy+expose all)",
        Times::of(9, || {
            let manager = start(&runtime, &scripted);
            manager.session(SessionOptions::default())
        }),
    );
    add(
        "manager snapshot() (status poll)",
        Times::of(9, || started.snapshot()),
    );
    Ok(())
}

fn start(runtime: &Runtime, scripted: &ScriptedServer) -> Manager {
    runtime.block_on(async {
        let loopback = LoopbackConnector::new();
        loopback.add(ID, scripted);
        let parts = ManagerParts {
            connector: Arc::new(loopback),
            secrets: Arc::new(NoSecrets),
            clock: Arc::new(FixedClock),
            random: Arc::new(Counter::default()),
            audit: Arc::new(McpAudit::new(200, None)),
            tokens: None,
            usage: Arc::new(MemoryUsage::new(1_000)),
            artifacts: None,
            pins: Arc::new(MemoryPins::default()),
            authorizer: None,
            runtime: Handle::current(),
        };
        let manager = Manager::new(config(), parts);
        manager.start().await;
        manager.settled().await;
        manager
    })
}

fn config() -> McpConfig {
    McpConfig {
        enabled: true,
        servers: vec![only_tools()],
        max_tools: None,
        max_schema_tokens: None,
        max_result_chars: 20_000,
        max_calls_per_run: None,
        call_timeout: Duration::from_secs(30),
        audit: true,
        audit_limit: 200,
        exposure: ExposureMode::Inline,
        artifacts: ArtifactBounds::default(),
    }
}

fn only_tools() -> ServerConfig {
    ServerConfig {
        planes: Planes {
            tools: true,
            resources: false,
            prompts: false,
        },
        ..fixture::server(ID)
    }
}

#[derive(Debug)]
struct NoSecrets;

impl SecretSource for NoSecrets {
    fn resolve(&self, _variable: &str) -> Option<String> {
        None
    }
}

#[derive(Debug, Default)]
struct Counter(AtomicU64);

impl RandomSource for Counter {
    fn next_u64(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
