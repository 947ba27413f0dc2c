//! Connections to MCP servers against what this project did not write: the protocol's conformance suite, and servers
//! of its authors.
//!
//! Live group `mcp`; `.ci/run live` installs the suite and the servers. The suite drives `mcp_conformance`, a client on
//! the connections of `eyes-mcp`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use eyes_mcp::{
    adapter::rmcp::{RmcpConnector, RmcpParts},
    config::{EnvReference, ServerConfig, StdioServer, Transport},
    net::NetConfig,
    ports::{McpConnection, McpConnector as _, McpRequest, RequestOptions, SecretSource},
    testing::fixture,
};
use eyes_tests::live::{Group, installed};
use serde_json::{Map, Value, json};

const GROUP: &str = "mcp";
const PACKAGES: &str = "mcp/node_modules/@modelcontextprotocol";
const MINUTE: Duration = Duration::from_mins(1);

/// Runs of the suite; each has to end with success.
const RUNS: [&[&str]; 6] = [
    &["--requirements", "2025-11-25"],
    &["--requirements", "2026-07-28"],
    &["--scenario", "auth/client-credentials-basic"],
    &["--scenario", "auth/client-credentials-jwt"],
    &["--scenario", "json-schema-ref-no-deref"],
    &["--scenario", "json-schema-2020-12-preservation"],
];

fn package(path: &str) -> PathBuf {
    let path = installed(&format!("{PACKAGES}/{path}"));
    assert!(
        path.is_file(),
        "{} is not installed; `.ci/run live` brings it",
        path.display()
    );
    path
}

fn conforms() {
    let suite = package("conformance/dist/index.js");
    for run in RUNS {
        let output = Command::new("node")
            .arg(&suite)
            .args(["client", "--command", env!("CARGO_BIN_EXE_mcp_conformance")])
            .args(run)
            .output()
            .expect("node starts");
        assert!(
            output.status.success(),
            "{run:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Values of references are the texts that name them.
#[derive(Debug)]
struct Literal;

impl SecretSource for Literal {
    fn resolve(&self, variable: &str) -> Option<String> {
        Some(variable.to_owned())
    }
}

fn program(command: &str, args: &[&Path], env: &[(&str, &Path)]) -> ServerConfig {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let reference = |path: &Path| EnvReference { env: text(path) };
    ServerConfig {
        timeout: MINUTE,
        transport: Transport::Stdio(StdioServer {
            command: command.to_owned(),
            args: args.iter().map(|arg| text(arg).into()).collect(),
            cwd: None,
            env: env
                .iter()
                .map(|(name, value)| ((*name).to_owned(), reference(value)))
                .collect::<BTreeMap<_, _>>(),
        }),
        ..fixture::server("live")
    }
}

async fn connect(server: &ServerConfig) -> Arc<dyn McpConnection> {
    let connector = RmcpConnector::new(RmcpParts {
        secrets: Arc::new(Literal),
        elicitor: None,
        tokens: None,
        net: NetConfig::default(),
    });
    connector
        .connect(server)
        .await
        .expect("a connection")
        .connection
}

async fn ask(connection: &dyn McpConnection, request: McpRequest) -> Value {
    let options = RequestOptions {
        idle: MINUTE,
        total: MINUTE,
        progress: None,
    };
    connection
        .request(request, options)
        .await
        .expect("a result")
}

fn call(name: &str, arguments: Value) -> McpRequest {
    let Value::Object(arguments) = arguments else {
        return call(name, Value::Object(Map::new()));
    };
    McpRequest::CallTool {
        name: name.to_owned(),
        arguments,
    }
}

async fn tools(connection: &dyn McpConnection) -> usize {
    let listed = ask(connection, McpRequest::ListTools { cursor: None }).await;
    listed["tools"].as_array().map_or(0, Vec::len)
}

/// Servers of several authors, languages and revisions are listed, called and ended.
async fn real_servers_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("note.txt"), "written here").expect("a file");
    let everything = package("server-everything/dist/index.js");
    let live = connect(&program("node", &[&everything, Path::new("stdio")], &[])).await;
    assert!(tools(&*live).await > 5);
    let echo = ask(&*live, call("echo", json!({"message": "hello"}))).await;
    assert_eq!(echo["content"][0]["text"], "Echo: hello");
    live.close().await.expect("an end");
    let files = package("server-filesystem/dist/index.js");
    let live = connect(&program("node", &[&files, folder.path()], &[])).await;
    let path = folder.path().join("note.txt");
    let read = ask(&*live, call("read_text_file", json!({"path": path}))).await;
    assert!(read.to_string().contains("written here"), "{read}");
    live.close().await.expect("an end");
    let memory = package("server-memory/dist/index.js");
    let kept = folder.path().join("memory.jsonl");
    let live = connect(&program("node", &[&memory], &[("MEMORY_FILE_PATH", &kept)])).await;
    assert!(tools(&*live).await > 5);
    live.close().await.expect("an end");
    let python = installed("mcp-python");
    for (module, least) in [("mcp_server_time", 2), ("mcp_server_git", 10)] {
        let arguments = [Path::new("-m"), Path::new(module)];
        let live = connect(&program("python3", &arguments, &[("PYTHONPATH", &python)])).await;
        assert_eq!(live.peer().protocol_version, "2026-07-28", "{module}");
        assert!(tools(&*live).await >= least, "{module}");
        live.close().await.expect("an end");
    }
}

#[tokio::test]
async fn connections_conform_and_real_servers_answer() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    conforms();
    real_servers_answer().await;
    group.ran();
}
