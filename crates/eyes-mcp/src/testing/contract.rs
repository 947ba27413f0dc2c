//! What every connection does, whatever is underneath.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use super::ScriptedServer;
use crate::{
    codes::{MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_FAILED, MCP_REQUEST_TIMEOUT},
    error::McpError,
    ports::{Connected, ConnectionEvent, McpConnection, McpRequest, RequestOptions},
};

/// The tool of a contract server that never answers.
pub const NEVER: &str = "never";
const NAMES: [&str; 3] = ["echo", "fail", NEVER];

/// Makes the server that [`connection_contract`] is held against: its tools are `echo`, `fail`, whose result is an
/// error, and [`NEVER`]; calls of the last two have to be answered so by whoever runs it.
pub fn contract_server() -> ScriptedServer {
    let server = ScriptedServer::new("contract");
    for name in NAMES {
        server.add_tool(name);
    }
    server.add_resource("memo://one", "the first");
    server.add_prompt(json!({"name": "greet"}), "hello");
    server.set_page_size(1);
    server
}

/// Returns the result of the contract server's tool `fail`.
pub fn contract_failure() -> Value {
    json!({"content": [{"type": "text", "text": "it did not work"}], "isError": true})
}

/// Checks a connection to a contract server, and ends it.
///
/// # Panics
///
/// Panics where the connection breaks the contract of [`McpConnection`].
pub async fn connection_contract(connected: Connected) {
    let Connected {
        connection,
        mut events,
    } = connected;
    assert_eq!(connection.peer().name, "contract");
    assert!(connection.peer().tools.is_some(), "tools are announced");
    lists_come_page_by_page(&*connection).await;
    results_are_whole(&*connection).await;
    failures_are_told_apart(&*connection).await;
    requests_run_side_by_side(&connection).await;
    what_is_given_up_harms_nothing(&*connection).await;
    connection.close().await.expect("a connection ends");
    connection.close().await.expect("an ended connection ends");
    let gone = connection.request(McpRequest::Ping, options()).await;
    let gone = gone.expect_err("nothing answers after the end");
    assert_eq!((gone.code, gone.sent), (MCP_CONNECTION_UNHEALTHY, false));
    let mut last = None;
    while let Some(event) = events.recv().await {
        last = Some(event);
    }
    assert!(
        matches!(last, Some(ConnectionEvent::Closed { .. })),
        "the end is the last event: {last:?}"
    );
}

fn options() -> RequestOptions {
    RequestOptions {
        idle: Duration::from_secs(10),
        total: Duration::from_secs(20),
        progress: None,
    }
}

fn call(name: &str, arguments: Value) -> McpRequest {
    let Value::Object(arguments) = arguments else {
        return call(name, json!({}));
    };
    McpRequest::CallTool {
        name: name.to_owned(),
        arguments,
    }
}

async fn ask(connection: &dyn McpConnection, request: McpRequest) -> Result<Value, McpError> {
    connection.request(request, options()).await
}

async fn lists_come_page_by_page(connection: &dyn McpConnection) {
    let mut names = Vec::new();
    let mut cursor = None;
    loop {
        let page = McpRequest::ListTools { cursor };
        let page = ask(connection, page).await.expect("a page of tools");
        let tools = page["tools"].as_array().expect("tools");
        assert_eq!(tools.len(), 1, "the page is as the server cut it");
        names.extend(
            tools
                .iter()
                .filter_map(|tool| tool["name"].as_str().map(str::to_owned)),
        );
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(names, NAMES);
    let resources = ask(connection, McpRequest::ListResources { cursor: None }).await;
    let resources = resources.expect("resources");
    assert_eq!(resources["resources"][0]["uri"], "memo://one");
    let templates = ask(
        connection,
        McpRequest::ListResourceTemplates { cursor: None },
    )
    .await;
    assert_eq!(
        templates.expect("templates")["resourceTemplates"],
        json!([])
    );
    let prompts = ask(connection, McpRequest::ListPrompts { cursor: None }).await;
    assert_eq!(prompts.expect("prompts")["prompts"][0]["name"], "greet");
}

async fn results_are_whole(connection: &dyn McpConnection) {
    let arguments = json!({
        "z": 1,
        "a": {"deep": [null, true, 9_007_199_254_740_993_u64, "\u{1F600}"]},
    });
    let result = ask(connection, call("echo", arguments.clone())).await;
    let result = result.expect("an echo");
    assert_eq!(result["structuredContent"], arguments);
    assert_eq!(result["content"][0]["text"], arguments.to_string());
    let uri = "memo://one".to_owned();
    let read = ask(connection, McpRequest::ReadResource { uri }).await;
    assert_eq!(
        read.expect("a resource")["contents"][0]["text"],
        "the first"
    );
    let prompt = McpRequest::GetPrompt {
        name: "greet".to_owned(),
        arguments: Map::new(),
    };
    let prompt = ask(connection, prompt).await.expect("a prompt");
    assert_eq!(prompt["messages"][0]["content"]["text"], "hello");
    ask(connection, McpRequest::Ping)
        .await
        .expect("a sign of life");
}

async fn failures_are_told_apart(connection: &dyn McpConnection) {
    let failed = ask(connection, call("fail", json!({}))).await;
    assert_eq!(failed.expect("a result")["isError"], true);
    let unknown = ask(connection, call("nothing", json!({}))).await;
    let unknown = unknown.expect_err("there is no such tool");
    assert_eq!(unknown.code, MCP_REQUEST_FAILED);
    assert_eq!((unknown.rpc_code, unknown.sent), (Some(-32602), true));
    assert!(unknown.message.contains("nothing"), "{unknown}");
}

async fn requests_run_side_by_side(connection: &Arc<dyn McpConnection>) {
    let calls = (0..8).map(|number| async move {
        let result = ask(&**connection, call("echo", json!({"n": number}))).await;
        result.expect("an echo")["structuredContent"]["n"].clone()
    });
    let answers = join_all(calls).await;
    assert_eq!(answers, (0..8).map(Value::from).collect::<Vec<_>>());
}

async fn what_is_given_up_harms_nothing(connection: &dyn McpConnection) {
    let short = RequestOptions {
        idle: Duration::from_millis(50),
        ..options()
    };
    let late = connection.request(call(NEVER, json!({})), short).await;
    let late = late.expect_err("the tool never answers");
    assert_eq!((late.code, late.sent), (MCP_REQUEST_TIMEOUT, true));
    let dropped = connection.request(call(NEVER, json!({})), options());
    assert!(
        tokio::time::timeout(Duration::from_millis(50), dropped)
            .await
            .is_err(),
        "the tool never answers"
    );
    let after = ask(connection, call("echo", json!({"after": true}))).await;
    assert_eq!(after.expect("an echo")["structuredContent"]["after"], true);
}
