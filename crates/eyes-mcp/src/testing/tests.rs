use std::{sync::Mutex, time::Duration};

use serde_json::{Map, json};

use super::*;
use crate::{
    codes::{
        MCP_CONNECT_FAILED, MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_FAILED, MCP_REQUEST_TIMEOUT,
    },
    ports::{
        Connected, ConnectionEvent, McpConnector as _, McpRequest, Progress, ProgressSink,
        RequestOptions,
    },
};

const SECOND: Duration = Duration::from_secs(1);

fn options() -> RequestOptions {
    RequestOptions {
        idle: 10 * SECOND,
        total: 30 * SECOND,
        progress: None,
    }
}

fn step(progress: f64) -> Progress {
    Progress {
        progress,
        total: None,
        message: None,
    }
}

fn call(name: &str) -> McpRequest {
    McpRequest::CallTool {
        name: name.to_owned(),
        arguments: Map::from_iter([("n".to_owned(), json!(1))]),
    }
}

async fn connected(server: &ScriptedServer) -> Connected {
    let connector = LoopbackConnector::new();
    connector.add("memo", server);
    connector.connect(&fixture::server("memo")).await.unwrap()
}

#[derive(Debug, Default)]
struct Steps(Mutex<Vec<f64>>);

impl ProgressSink for Steps {
    fn progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress.progress);
    }
}

#[tokio::test(start_paused = true)]
async fn lists_come_in_pages_and_tools_answer_with_their_arguments() {
    let server = ScriptedServer::new("memo");
    for name in ["a", "b", "c"] {
        server.add_tool(name);
    }
    server.set_page_size(2);
    let live = connected(&server).await.connection;
    let first = McpRequest::ListTools { cursor: None };
    let page = live.request(first, options()).await.unwrap();
    assert_eq!(page["tools"].as_array().unwrap().len(), 2);
    let second = McpRequest::ListTools {
        cursor: page["nextCursor"].as_str().map(str::to_owned),
    };
    let page = live.request(second, options()).await.unwrap();
    assert_eq!(page["tools"][0]["name"], "c");
    assert!(page.get("nextCursor").is_none());
    let result = live.request(call("a"), options()).await.unwrap();
    assert_eq!(result["structuredContent"], json!({"n": 1}));
    let unknown = live.request(call("z"), options()).await.unwrap_err();
    assert_eq!(
        (unknown.code, unknown.rpc_code),
        (MCP_REQUEST_FAILED, Some(-32602))
    );
}

#[tokio::test(start_paused = true)]
async fn progress_renews_the_idle_time_but_not_the_whole() {
    let server = ScriptedServer::new("memo");
    server.add_tool("slow");
    let live = connected(&server).await.connection;
    let slow = Script::usual()
        .progress(9 * SECOND, step(0.3))
        .progress(9 * SECOND, step(0.6))
        .after(9 * SECOND);
    let steps = std::sync::Arc::new(Steps::default());
    let mut heard = options();
    heard.progress = Some(std::sync::Arc::<Steps>::clone(&steps));
    server.script("slow", slow.clone());
    live.request(call("slow"), heard).await.unwrap();
    assert_eq!(*steps.0.lock().unwrap(), [0.3, 0.6]);
    server.script("slow", slow.progress(9 * SECOND, step(0.9)));
    let late = live.request(call("slow"), options()).await.unwrap_err();
    assert_eq!(late.code, MCP_REQUEST_TIMEOUT);
    server.script("slow", Script::never());
    let never = live.request(call("slow"), options()).await.unwrap_err();
    assert_eq!(never.code, MCP_REQUEST_TIMEOUT);
    assert_eq!(server.cancelled(), [call("slow"), call("slow")]);
}

#[tokio::test(start_paused = true)]
async fn the_end_reaches_requests_and_events() {
    let server = ScriptedServer::new("memo");
    server.add_tool("last");
    let Connected {
        connection,
        mut events,
    } = connected(&server).await;
    server.emit(&ConnectionEvent::ToolsChanged);
    server.script("last", Script::close("crashed").after(SECOND));
    let error = connection.request(call("last"), options()).await;
    assert_eq!(error.unwrap_err().code, MCP_CONNECTION_UNHEALTHY);
    assert_eq!(events.recv().await, Some(ConnectionEvent::ToolsChanged));
    let reason = "crashed".to_owned();
    assert_eq!(
        events.recv().await,
        Some(ConnectionEvent::Closed { reason })
    );
    assert_eq!(events.recv().await, None);
    assert_eq!(server.connections(), 0);
    let after = connection.request(McpRequest::Ping, options()).await;
    assert!(!after.unwrap_err().sent);
}

#[tokio::test(start_paused = true)]
async fn attempts_fail_as_they_are_told() {
    let server = ScriptedServer::new("memo");
    let connector = LoopbackConnector::new();
    connector.add("memo", &server);
    let config = fixture::server("memo");
    server.script_connect(Script::close("refused"));
    server.script_connect(Script::never());
    let refused = connector.connect(&config).await.unwrap_err();
    assert_eq!(refused.code, MCP_CONNECT_FAILED);
    let silent = connector.connect(&config).await.unwrap_err();
    assert_eq!(silent.code, MCP_REQUEST_TIMEOUT);
    let live = connector.connect(&config).await.unwrap();
    assert_eq!((server.attempts(), server.connections()), (3, 1));
    drop(live);
    assert_eq!(server.connections(), 0);
    let unknown = connector.connect(&fixture::server("other")).await;
    assert_eq!(unknown.unwrap_err().code, MCP_CONNECT_FAILED);
}

#[tokio::test(start_paused = true)]
async fn scripted_servers_keep_the_contract_of_connections() {
    let server = contract_server();
    server.script("fail", Script::result(contract_failure()));
    server.script(NEVER, Script::never());
    server.script(NEVER, Script::never());
    connection_contract(connected(&server).await).await;
    assert_eq!(server.cancelled().len(), 2);
}
