//! Servers of MCP as settings name them, whose processes can be counted.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use eyes_mcp::{
    call::{CallOutcome, ToolCall},
    connection::ServerView,
    error::McpError,
    limits::KILL_WAIT,
    names::ServerId,
    ports::{PeerInfo, ProgressSink},
};
use eyes_runtime::{
    environment::{Environment, Platform},
    mcp::{McpPlane, McpSurroundings},
    settings::Settings,
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::time::timeout;

/// The variable that tells the processes of one test from all others of the machine.
const MARK: &str = "EYES_TEST_MARK";
static MARKS: AtomicU32 = AtomicU32::new(0);

/// The plane of MCP with servers of its own, as `eyes` composes it.
///
/// Every program that it starts, and whatever these start, carries a mark by which its processes are found.
#[derive(Debug)]
pub struct Plane {
    servers: McpPlane,
    folder: TempDir,
    mark: String,
}

impl Plane {
    /// Composes servers from objects of `mcpServers`; what these leave out allows everything. Nothing is started.
    ///
    /// # Panics
    ///
    /// Panics when the settings are not valid, and outside an executor.
    pub fn new(servers: impl IntoIterator<Item = Value>) -> Self {
        let mark = format!(
            "{}.{}",
            std::process::id(),
            MARKS.fetch_add(1, Ordering::Relaxed)
        );
        let servers: Vec<Value> = servers.into_iter().map(|server| whole(&server)).collect();
        let document = json!({"mcpEnabled": true, "mcpServers": servers});
        let settings = Settings::parse_json(&document.to_string()).expect("the settings");
        let folder = tempfile::tempdir().expect("a temporary directory");
        let variables = [(MARK, mark.as_str())];
        let variables =
            variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let environment = Environment::new(variables, Platform::CURRENT);
        let surroundings = McpSurroundings {
            data_dir: Some(folder.path()),
            environment: &environment,
            elicitor: None,
        };
        let plane = McpPlane::compose(&settings, &surroundings).expect("the servers");
        assert!(plane.warnings.is_empty(), "{:?}", plane.warnings);
        Self {
            servers: plane,
            folder,
            mark,
        }
    }

    /// Composes servers and connects them.
    ///
    /// # Panics
    ///
    /// See [`new`](Self::new).
    pub async fn started(servers: impl IntoIterator<Item = Value>) -> Self {
        let plane = Self::new(servers);
        plane.manager.start().await;
        plane.manager.settled().await;
        plane
    }

    /// Returns the directory of its data.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns what is known of a server.
    ///
    /// # Panics
    ///
    /// Panics when no server has the id.
    pub fn view(&self, id: &str) -> Arc<ServerView> {
        self.manager.view(&server_id(id)).expect("a server")
    }

    /// Waits until what is known of a server fulfils a condition on what it offers.
    ///
    /// # Panics
    ///
    /// Panics when no server has the id.
    pub async fn until(&self, id: &str, is_so: impl Fn(&ServerView) -> bool) -> Arc<ServerView> {
        let mut changes = self.manager.changes();
        loop {
            let view = self.view(id);
            if is_so(&view) {
                return view;
            }
            changes.changed().await.expect("servers");
        }
    }

    /// Waits until a server has another connection than before, and its tools are listed.
    ///
    /// # Panics
    ///
    /// Panics when no server has the id.
    pub async fn anew(&self, id: &str, before: &ServerView) -> Arc<ServerView> {
        let same =
            |peer: &Arc<PeerInfo>| before.peer.as_ref().is_some_and(|b| Arc::ptr_eq(b, peer));
        self.until(id, |view| {
            view.ready.tools && view.is_live() && !view.peer.as_ref().is_some_and(same)
        })
        .await
    }

    /// Calls a tool of a server by the server's own name of it.
    ///
    /// # Errors
    ///
    /// Returns what the manager returns.
    pub async fn call(
        &self,
        server: &str,
        tool: &str,
        arguments: Value,
    ) -> Result<CallOutcome, McpError> {
        self.call_watched(server, tool, arguments, None).await
    }

    /// Calls a tool and lets somebody hear of its progress.
    ///
    /// # Errors
    ///
    /// Returns what the manager returns.
    ///
    /// # Panics
    ///
    /// Panics when the arguments are no object.
    pub async fn call_watched(
        &self,
        server: &str,
        tool: &str,
        arguments: Value,
        progress: Option<Arc<dyn ProgressSink>>,
    ) -> Result<CallOutcome, McpError> {
        let arguments: Map<String, Value> =
            serde_json::from_value(arguments).expect("an object of arguments");
        let call = ToolCall {
            name: format!("mcp__{server}__{tool}"),
            arguments,
            run: None,
            progress,
        };
        self.manager.call_tool(call).await
    }

    /// Returns the ids of the processes that live now and carry the mark; none where the system has no `/proc`.
    pub fn processes(&self) -> BTreeSet<u32> {
        let mark = format!("{MARK}={}", self.mark);
        let Ok(entries) = fs::read_dir("/proc") else {
            return BTreeSet::new();
        };
        let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        ids.filter(|id| *id != std::process::id() && carries(*id, mark.as_bytes()))
            .collect()
    }

    /// Sends a signal to every process that carries the mark.
    ///
    /// # Panics
    ///
    /// Panics when there is none, or no program `kill`.
    pub fn signal(&self, signal: &str) {
        let ids = self.processes();
        assert!(!ids.is_empty(), "no process to send {signal} to");
        let ids = ids.iter().map(u32::to_string);
        let status = Command::new("kill").arg(signal).args(ids).status();
        assert!(status.expect("a program kill").success(), "{signal}");
    }

    /// Closes every connection.
    ///
    /// # Panics
    ///
    /// Panics when something could not be closed, when a process is left, and when one of ours was not waited for.
    pub async fn end(self) {
        let seen = self.processes();
        let kept = self.manager.stop().await;
        assert!(kept.is_empty(), "{kept:?}");
        // A process that was killed is seen until the system has taken it apart.
        let gone = async {
            while !self.processes().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        let is_gone = timeout(KILL_WAIT, gone).await.is_ok();
        assert!(is_gone, "{:?} are left", self.processes());
        let unreaped: Vec<&u32> = seen.iter().filter(|id| is_unreaped(**id)).collect();
        assert!(unreaped.is_empty(), "{unreaped:?} were not waited for");
    }
}

impl std::ops::Deref for Plane {
    type Target = McpPlane;

    fn deref(&self) -> &McpPlane {
        &self.servers
    }
}

/// Makes the id of a server.
///
/// # Panics
///
/// Panics when the text is none.
pub fn server_id(id: &str) -> ServerId {
    id.parse().expect("an id")
}

/// Makes the settings of a program that is a server.
pub fn program(id: &str, command: &str, args: &[&str]) -> Value {
    json!({"id": id, "transport": "stdio", "command": command, "args": args})
}

/// Adds to a server's settings what they leave out.
fn whole(server: &Value) -> Value {
    let everything = json!(["*"]);
    let mut whole = json!({
        "name": server["id"],
        "resourcesEnabled": true,
        "promptsEnabled": true,
        "allowedTools": everything,
        "allowedResources": everything,
        "allowedPrompts": everything,
        "timeoutMs": 60_000,
    });
    for (name, value) in server.as_object().expect("an object") {
        whole[name] = value.clone();
    }
    if whole["transport"] == "stdio" {
        whole["env"][MARK] = json!({"env": MARK});
    }
    whole
}

fn carries(id: u32, mark: &[u8]) -> bool {
    // A process that is gone meanwhile, or somebody else's, carries none.
    let Ok(variables) = fs::read(format!("/proc/{id}/environ")) else {
        return false;
    };
    variables.split(|byte| *byte == 0).any(|one| one == mark)
}

/// Tells whether a process ended, is a child of this one, and nobody asked how it ended.
fn is_unreaped(id: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{id}/status")) else {
        return false;
    };
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1).map(str::to_owned)
    };
    field("State:").as_deref() == Some("Z")
        && field("PPid:") == Some(std::process::id().to_string())
}
