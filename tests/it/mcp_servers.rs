//! The plane of MCP with servers of the protocol's authors: used, killed, flooded and closed.
//!
//! Live group `mcp`; `.ci/run live` installs the servers.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use eyes_mcp::{
    limits::MAX_STDERR_BYTES,
    manager::{PromptCall, ResourceRead},
    ports::{Progress, ProgressSink},
};
use eyes_tests::{
    live::{Group, installed},
    mcp::{Plane, program, server_id},
};
use serde_json::{Value, json};
use tokio::sync::Notify;

const GROUP: &str = "mcp";
const PACKAGES: &str = "mcp/node_modules/@modelcontextprotocol";

/// A server, one call of it, and what the answer says.
struct Real {
    id: &'static str,
    settings: Value,
    revision: &'static str,
    tools: usize,
    call: (&'static str, Value, &'static str),
    /// Codes of the lists that it does not offer: of resources and of prompts.
    missing: [Option<&'static str>; 2],
}

const WITH_SESSIONS: &str = "2025-11-25";
const NEWEST: &str = "2026-07-28";
const NO_RESOURCES: Option<&str> = Some("MCP_RESOURCES_UNSUPPORTED");
const NO_PROMPTS: Option<&str> = Some("MCP_PROMPTS_UNSUPPORTED");

fn script(name: &str) -> String {
    let path = installed(&format!("{PACKAGES}/{name}/dist/index.js"));
    assert!(
        path.is_file(),
        "{} is not installed; `.ci/run live` brings it",
        path.display()
    );
    text(&path)
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

fn node(id: &str, args: &[&str]) -> Value {
    program(id, "node", args)
}

/// A module in Python, told where its packages are by the interpreter's own path.
fn module(id: &str, name: &str) -> Value {
    let start = format!(
        "import sys, runpy; sys.path.insert(0, {:?}); runpy.run_module({name:?}, run_name='__main__')",
        text(&installed("mcp-python")),
    );
    program(id, "python3", &["-c", &start])
}

fn repository(folder: &Path) -> PathBuf {
    let path = folder.join("repository");
    let git = |args: &[&OsStr]| {
        let status = Command::new("git")
            .args(args)
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("git starts").success(), "{args:?}");
    };
    git(&["init".as_ref(), "--quiet".as_ref(), path.as_os_str()]);
    fs::write(path.join("new.txt"), "not yet added").expect("a file");
    path
}

/// A server whose variable is set by what starts it: values of references are hidden in results.
fn memory(folder: &Path) -> Value {
    let kept = folder.join("memory.jsonl");
    let entity = json!({
        "type": "entity", "name": "Eyes", "entityType": "program", "observations": ["observed once"],
    });
    fs::write(&kept, entity.to_string()).expect("a file");
    let start = format!(
        "process.env.MEMORY_FILE_PATH = {:?}; process.argv.splice(1, 0, 'memory'); import({:?})",
        text(&kept),
        script("server-memory"),
    );
    node("memory", &["--input-type=module", "--eval", &start])
}

fn real(folder: &Path) -> [Real; 5] {
    let note = folder.join("note.txt");
    fs::write(&note, "written here").expect("a file");
    [
        Real {
            id: "everything",
            settings: node("everything", &[&script("server-everything"), "stdio"]),
            revision: WITH_SESSIONS,
            tools: 12,
            call: ("echo", json!({"message": "hello"}), "Echo: hello"),
            missing: [None, None],
        },
        Real {
            id: "files",
            settings: node("files", &[&script("server-filesystem"), &text(folder)]),
            revision: WITH_SESSIONS,
            tools: 14,
            call: ("read_text_file", json!({"path": note}), "written here"),
            missing: [NO_RESOURCES, NO_PROMPTS],
        },
        Real {
            id: "memory",
            settings: memory(folder),
            revision: WITH_SESSIONS,
            tools: 9,
            call: ("read_graph", json!({}), "observed once"),
            missing: [None, NO_PROMPTS],
        },
        Real {
            id: "time",
            settings: module("time", "mcp_server_time"),
            revision: NEWEST,
            tools: 2,
            call: (
                "convert_time",
                json!({"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
                "21:00",
            ),
            missing: [None, None],
        },
        Real {
            id: "git",
            settings: module("git", "mcp_server_git"),
            revision: NEWEST,
            tools: 12,
            call: (
                "git_status",
                json!({"repo_path": repository(folder)}),
                "new.txt",
            ),
            missing: [None, None],
        },
    ]
}

/// Checks what a server lists, and that a call of it answers.
async fn use_it(plane: &Plane, server: &Real) {
    let view = plane.view(server.id);
    let peer = view.peer.as_ref().expect("a connection");
    assert_eq!(peer.protocol_version, server.revision, "{}", server.id);
    assert_eq!(view.tools.allowed().len(), server.tools, "{}", server.id);
    // Of everything one only runs as a task, which is not supported and said so.
    let refused = view.tools.catalog().refused.iter();
    let refused: Vec<&str> = refused.map(|entry| entry.code.as_str()).collect();
    let is_everything = server.call.0 == "echo";
    let expected: &[&str] = if is_everything {
        &["MCP_CATALOG_TASK_UNSUPPORTED"]
    } else {
        &[]
    };
    assert_eq!(refused, expected, "{}", server.id);
    let code =
        |error: &Option<eyes_mcp::error::McpError>| error.as_ref().map(|error| error.code.as_str());
    let missing = [
        code(&view.health.resources_error),
        code(&view.health.prompts_error),
    ];
    assert_eq!(missing, server.missing, "{}", server.id);
    answers(plane, server).await;
}

async fn answers(plane: &Plane, server: &Real) {
    let (tool, arguments, expected) = &server.call;
    let outcome = plane.call(server.id, tool, arguments.clone()).await;
    let outcome = outcome.expect(server.id);
    let preview = &outcome.result.preview;
    assert!(!outcome.is_error, "{}: {preview}", server.id);
    assert!(preview.contains(expected), "{}: {preview}", server.id);
}

async fn read_and_get(plane: &Plane, server: &str) {
    let read = |uri: &str| {
        plane.manager.read_resource(ResourceRead {
            server: server.to_owned(),
            uri: uri.to_owned(),
            ..ResourceRead::default()
        })
    };
    let document = read("demo://resource/static/document/features.md").await;
    let document = document.expect("a document");
    assert!(document.result.bytes > 100, "{document:?}");
    let made = read("demo://resource/dynamic/text/7").await;
    assert!(made.expect("a text").result.preview.contains("Resource 7"));
    let unknown = read("demo://nowhere").await.expect_err("there is none");
    assert_eq!(unknown.code.as_str(), "MCP_RESOURCE_UNKNOWN");
    let get = |name: &str, arguments: Value| {
        plane.manager.get_prompt(PromptCall {
            server: server.to_owned(),
            name: name.to_owned(),
            arguments: Some(arguments),
            ..PromptCall::default()
        })
    };
    let prompt = get("args-prompt", json!({"city": "Berlin"})).await;
    assert!(prompt.expect("a prompt").result.preview.contains("Berlin"));
    let bare = get("args-prompt", json!({})).await.expect_err("a city");
    assert_eq!(bare.code.as_str(), "MCP_PROMPT_ARGUMENT_REQUIRED");
    let image = plane.call(server, "get-tiny-image", json!({})).await;
    assert_eq!(image.expect("a picture").result.images.len(), 1);
    let wrong = plane
        .call(server, "get-sum", json!({"a": "x", "b": 1}))
        .await;
    let error = wrong.expect_err("x is no number");
    assert_eq!(error.code.as_str(), "MCP_TOOL_ARGUMENTS_INVALID");
}

/// Stops a server's processes in their tracks, calls, and kills them with the call open.
async fn kill_under_a_call(plane: &Plane, server: &Real) {
    plane.signal("-STOP");
    let (tool, arguments, _) = &server.call;
    let mut call = Box::pin(plane.call(server.id, tool, arguments.clone()));
    // It is sent, and nobody answers.
    assert!(futures_poll(&mut call).await.is_none(), "{}", server.id);
    plane.signal("-KILL");
    let error = call.await.expect_err("the server is gone");
    assert_eq!(error.code.as_str(), "MCP_CONNECTION_UNHEALTHY", "{error}");
    assert!(error.sent, "{}: {error}", server.id);
}

/// Looks at a future once.
async fn futures_poll<T>(future: &mut (impl Future<Output = T> + Unpin)) -> Option<T> {
    tokio::select! {
        biased;
        value = future => Some(value),
        () = std::future::ready(()) => None,
    }
}

async fn real_servers_are_used_killed_and_used_again(folder: &Path) {
    for server in real(folder) {
        let plane = Plane::started([server.settings.clone()]).await;
        use_it(&plane, &server).await;
        if server.id == "everything" {
            read_and_get(&plane, server.id).await;
        }
        let (before, view) = (plane.processes(), plane.view(server.id));
        kill_under_a_call(&plane, &server).await;
        plane.anew(server.id, &view).await;
        use_it(&plane, &server).await;
        assert!(plane.processes().is_disjoint(&before), "{}", server.id);
        plane.end().await;
    }
}

/// Hears that a call is under way.
#[derive(Debug, Default)]
struct Begun(Notify);

impl ProgressSink for Begun {
    fn progress(&self, _progress: Progress) {
        self.0.notify_one();
    }
}

/// Calls what takes a minute, and does something once the server says that it is at it.
async fn in_the_middle(plane: &Plane, server: &str, act: impl AsyncFnOnce()) {
    let begun = Arc::new(Begun::default());
    let call = plane.call_watched(
        server,
        "trigger-long-running-operation",
        json!({"duration": 60, "steps": 600}),
        Some(Arc::clone(&begun) as Arc<dyn ProgressSink>),
    );
    let acted = async {
        begun.0.notified().await;
        act().await;
    };
    let (answer, ()) = tokio::join!(call, acted);
    let error = answer.expect_err("the server is gone");
    assert_eq!(error.code.as_str(), "MCP_CONNECTION_UNHEALTHY", "{error}");
    assert!(error.sent);
}

async fn a_flood_of_standard_error_stops_nothing(folder: &Path) {
    for server in real(folder) {
        let mut settings = server.settings.clone();
        // 12 MB before the first message, and as much again beside everything that follows.
        let flood = "yes 'a line of a log that nobody asked for' | head -c 12000000 >&2";
        let start = format!("{flood}; ({flood}) & exec \"$0\" \"$@\"");
        let mut args = vec![json!("-c"), json!(start), settings["command"].clone()];
        args.extend(settings["args"].as_array().expect("arguments").clone());
        settings["args"] = json!(args);
        settings["command"] = json!("sh");
        let plane = Plane::started([settings]).await;
        use_it(&plane, &server).await;
        let tail = plane.view(server.id).stderr_tail().expect("lines");
        assert!(tail.len() <= MAX_STDERR_BYTES, "{}", server.id);
        assert!(tail.contains("nobody asked for"), "{}", server.id);
        plane.end().await;
    }
}

/// The server everything over HTTP, which ends with the test, however that ends.
struct Served(Child);

impl Served {
    fn start(port: u16) -> Self {
        let mut server = Command::new("node")
            .args([script("server-everything"), "streamableHttp".to_owned()])
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("node starts");
        let said = BufReader::new(server.stderr.take().expect("a pipe"));
        let mut lines = said.lines().map_while(Result::ok);
        let listens = lines.any(|line| line.contains(&port.to_string()));
        // It goes on to write; nobody may hang up on it.
        std::thread::spawn(move || lines.for_each(drop));
        let served = Self(server);
        assert!(listens, "the server ended");
        served
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

async fn the_same_over_http() {
    let port = free_port();
    let served = Served::start(port);
    let server = Real {
        id: "remote",
        settings: json!({
            "id": "remote",
            "transport": "streamable-http",
            "url": format!("http://127.0.0.1:{port}/mcp"),
        }),
        revision: WITH_SESSIONS,
        tools: 12,
        call: ("echo", json!({"message": "hello"}), "Echo: hello"),
        missing: [None, None],
    };
    let plane = Plane::started([server.settings.clone()]).await;
    use_it(&plane, &server).await;
    read_and_get(&plane, server.id).await;
    let mut again = None;
    in_the_middle(&plane, server.id, async || {
        drop(served);
        again = Some(Served::start(port));
    })
    .await;
    let report = plane.manager.reconnect(&server_id(server.id)).await;
    assert!(report.expect("a report").ok);
    use_it(&plane, &server).await;
    assert_eq!(plane.processes().len(), 0, "nothing was started for it");
    plane.end().await;
    drop(again);
}

#[tokio::test(flavor = "multi_thread")]
async fn real_servers_are_used_killed_flooded_and_closed() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    real_servers_are_used_killed_and_used_again(folder.path()).await;
    let again = tempfile::tempdir().expect("a folder");
    a_flood_of_standard_error_stops_nothing(again.path()).await;
    the_same_over_http().await;
    let everything = node("everything", &[&script("server-everything"), "stdio"]);
    let plane = Plane::started([everything]).await;
    let view = plane.view("everything");
    in_the_middle(&plane, "everything", async || plane.signal("-KILL")).await;
    plane.anew("everything", &view).await;
    plane.end().await;
    group.ran();
}
