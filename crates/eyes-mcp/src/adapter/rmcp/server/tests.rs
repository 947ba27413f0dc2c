//! Clients that speak to the server: line by line, request by request, and through our own connector.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use eyes_evidence::testing::CountingRandom;
use serde_json::{Map, Value, json};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
    },
    net::TcpStream,
    sync::{Notify, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    codes::{MCP_SERVE_FAILED, MCP_TOOL_CALL_FAILED},
    definition::Annotations,
    error::McpError,
    limits::{MAX_SERVED_LINE_BYTES, SERVED_TOOLS_PER_PAGE},
    ports::{BoxFuture, Progress},
    serve::{BearerToken, HostedCall, HostedResult, HostedTool, Hosts, ServerIdentity, ToolHost},
};

/// Tools of a test: what each does is its name.
#[derive(Debug)]
struct Toy {
    names: Vec<String>,
    changes: watch::Sender<u64>,
    dropped: Arc<AtomicUsize>,
    /// Told when a call of `slow` begins.
    begun: Notify,
}

impl Toy {
    fn new(names: &[&str]) -> Arc<Self> {
        Arc::new(Self {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            changes: watch::Sender::new(0),
            dropped: Arc::default(),
            begun: Notify::new(),
        })
    }
}

/// Counts itself when a call is dropped before its end.
struct Counted(Option<Arc<AtomicUsize>>);

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(dropped) = &self.0 {
            dropped.fetch_add(1, Ordering::Release);
        }
    }
}

impl ToolHost for Toy {
    fn tools(&self) -> Vec<HostedTool> {
        let schema = |name: &str| -> Map<String, Value> {
            let region = json!({"region": {"type": "string", "x-mcp-header": "Region"}});
            let schema = match name {
                "mirrored" => json!({"type": "object", "properties": region}),
                _ => json!({"type": "object"}),
            };
            serde_json::from_value(schema).unwrap()
        };
        let tool = |name: &String| HostedTool {
            name: name.clone(),
            title: None,
            description: format!("The tool {name}."),
            input_schema: Arc::new(schema(name)),
            output_schema: None,
            annotations: Annotations {
                read_only_hint: Some(true),
                ..Annotations::default()
            },
        };
        self.names.iter().map(tool).collect()
    }

    fn instructions(&self) -> Option<String> {
        Some(format!("{} tools", self.names.len()))
    }

    fn changes(&self) -> Vec<watch::Receiver<u64>> {
        vec![self.changes.subscribe()]
    }

    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>> {
        Box::pin(async move {
            match call.name.as_str() {
                "echo" => Ok(HostedResult {
                    structured: Some(Value::Object(call.arguments.clone())),
                    ..HostedResult::text(Value::Object(call.arguments).to_string())
                }),
                "fail" => Err(McpError::new(MCP_TOOL_CALL_FAILED, "it broke")),
                "odd" => Ok(HostedResult {
                    content: vec![json!({"type": "tool_reference", "tool_name": "x"})],
                    ..HostedResult::default()
                }),
                "slow" => {
                    self.begun.notify_one();
                    let counted = Counted(Some(Arc::clone(&self.dropped)));
                    std::future::pending::<()>().await;
                    drop(counted);
                    Ok(HostedResult::default())
                }
                "progress" => {
                    for step in [1.0, 2.0] {
                        if let Some(sink) = &call.progress {
                            sink.progress(Progress {
                                progress: step,
                                total: Some(2.0),
                                message: None,
                            });
                        }
                    }
                    Ok(HostedResult::text("done"))
                }
                other => Ok(HostedResult::text(other)),
            }
        })
    }
}

fn identity() -> ServerIdentity {
    ServerIdentity {
        name: "eyes".to_owned(),
        version: "9.9.9".to_owned(),
    }
}

/// A client on two streams.
struct Client {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), McpError>>,
    stop: CancellationToken,
}

impl Client {
    fn connect(host: Arc<dyn ToolHost>) -> Self {
        let (here, there) = tokio::io::duplex(1 << 16);
        let stop = CancellationToken::new();
        let streams = tokio::io::split(there);
        let served = tokio::spawn(serve_streams(host, identity(), streams, stop.clone()));
        let (read, write) = tokio::io::split(here);
        Self {
            lines: BufReader::new(read).lines(),
            write,
            served,
            stop,
        }
    }

    async fn initialized(host: Arc<dyn ToolHost>) -> (Self, Value) {
        let mut client = Self::connect(host);
        let hello = client.request(1, "initialize", initialize()).await;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        (client, hello)
    }

    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.write.write_all(line.as_bytes()).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_mins(1), self.lines.next_line()).await;
        let line = line.expect("the server says something").unwrap();
        serde_json::from_str(&line.expect("the server is there")).unwrap()
    }

    /// Sends a request and waits for its answer; what comes before it is thrown away.
    async fn request(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        loop {
            let message = self.next().await;
            if message["id"] == id {
                return message;
            }
        }
    }
}

fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

#[tokio::test]
async fn a_client_over_streams_is_told_lists_and_calls() {
    let toy = Toy::new(&["echo", "fail", "odd"]);
    let (mut client, hello) = Client::initialized(toy).await;
    let hello = &hello["result"];
    assert_eq!(hello["serverInfo"]["name"], "eyes");
    assert_eq!(hello["instructions"], "3 tools");
    assert_eq!(hello["capabilities"]["tools"]["listChanged"], true);
    assert!(hello["capabilities"]["resources"].is_null());

    let listed = client.request(2, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 3);
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);

    let echo = json!({"name": "echo", "arguments": {"a": 1}});
    let answer = client.request(3, "tools/call", echo).await;
    assert_eq!(answer["result"]["structuredContent"], json!({"a": 1}));
    assert_ne!(answer["result"]["isError"], true);

    let answer = client
        .request(4, "tools/call", json!({"name": "fail"}))
        .await;
    assert_eq!(answer["result"]["isError"], true);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("error[MCP_TOOL_CALL_FAILED]: it broke\nhint: "),
        "{text}"
    );

    let answer = client
        .request(5, "tools/call", json!({"name": "odd"}))
        .await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("tool_reference"),
        "an unknown block is told as text"
    );

    let answer = client
        .request(6, "tools/call", json!({"name": "nope"}))
        .await;
    assert_eq!(answer["error"]["code"], -32_602);
    let answer = client.request(7, "resources/list", json!({})).await;
    assert_eq!(answer["error"]["code"], -32_601);
    client.stop.cancel();
    client.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn long_lists_come_in_pages() {
    let names: Vec<String> = (0..=SERVED_TOOLS_PER_PAGE)
        .map(|n| format!("t{n}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut client, _) = Client::initialized(Toy::new(&names)).await;
    let first = client.request(2, "tools/list", json!({})).await;
    let cursor = &first["result"]["nextCursor"];
    assert!(cursor.is_string());
    let second = client
        .request(3, "tools/list", json!({"cursor": cursor}))
        .await;
    assert_eq!(second["result"]["tools"].as_array().unwrap().len(), 1);
    assert!(second["result"]["nextCursor"].is_null());
    for (id, cursor) in [(4, "x"), (5, "100000")] {
        let bad = client
            .request(id, "tools/list", json!({"cursor": cursor}))
            .await;
        assert_eq!(bad["error"]["code"], -32_602, "{cursor}");
    }
}

#[tokio::test]
async fn progress_is_told_only_to_those_who_asked() {
    let (mut client, _) = Client::initialized(Toy::new(&["progress"])).await;
    let asked = json!({"name": "progress", "_meta": {"progressToken": "p"}});
    client
        .send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked}))
        .await;
    for step in [1.0, 2.0] {
        let told = client.next().await;
        assert_eq!(told["method"], "notifications/progress");
        assert_eq!(told["params"]["progressToken"], "p");
        assert_eq!(told["params"]["progress"].as_f64(), Some(step));
    }
    assert_eq!(client.next().await["id"], 2);
    client
        .send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "progress"}}))
        .await;
    assert_eq!(client.next().await["id"], 3, "nothing before the answer");
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_the_session_goes_on() {
    let toy = Toy::new(&["slow", "echo"]);
    let (mut client, _) = Client::initialized(Arc::clone(&toy) as Arc<dyn ToolHost>).await;
    client
        .send(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "slow"}}),
        )
        .await;
    // An answer to a later request shows that the earlier one was begun.
    client
        .request(3, "tools/call", json!({"name": "echo"}))
        .await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    client.send(&cancel).await;
    while toy.dropped.load(Ordering::Acquire) == 0 {
        client
            .request(4, "tools/call", json!({"name": "echo"}))
            .await;
    }
}

#[tokio::test]
async fn a_client_is_told_when_tools_change() {
    let toy = Toy::new(&["echo"]);
    let (mut client, _) = Client::initialized(Arc::clone(&toy) as Arc<dyn ToolHost>).await;
    // The answer shows that the notification before it was taken in.
    client
        .request(2, "tools/call", json!({"name": "echo"}))
        .await;
    while toy.changes.receiver_count() == 0 {
        tokio::task::yield_now().await;
    }
    toy.changes.send_modify(|count| *count += 1);
    assert_eq!(
        client.next().await["method"],
        "notifications/tools/list_changed"
    );
}

#[tokio::test]
async fn an_oversized_line_is_dropped_and_the_session_goes_on() {
    let (mut client, _) = Client::initialized(Toy::new(&["echo"])).await;
    let huge = "x".repeat(MAX_SERVED_LINE_BYTES + 1);
    let huge = json!({"name": "echo", "arguments": {"a": huge}});
    client
        .send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": huge}))
        .await;
    let answer = client
        .request(3, "tools/call", json!({"name": "echo"}))
        .await;
    assert_eq!(answer["result"]["structuredContent"], json!({}));
}

#[tokio::test]
async fn a_client_that_goes_at_once_is_no_fault() {
    let Client {
        write,
        lines,
        served,
        stop: _stop,
    } = Client::connect(Toy::new(&[]));
    drop((write, lines));
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn several_hosts_are_one_and_the_first_of_a_name_answers() {
    let hosts = Hosts::new(vec![Toy::new(&["echo", "one"]), Toy::new(&["one", "two"])]);
    let names: Vec<String> = hosts.tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["echo", "one", "two"]);
    assert_eq!(hosts.instructions().unwrap(), "2 tools\n\n2 tools");
    assert_eq!(hosts.changes().len(), 2);
    let call = |name: &str| HostedCall {
        name: name.to_owned(),
        arguments: Map::new(),
        run: None,
        progress: None,
    };
    let two = hosts.call_tool(call("two")).await.unwrap();
    assert_eq!(two, HostedResult::text("two"));
    assert!(hosts.call_tool(call("three")).await.is_err());
    assert_eq!(Hosts::default().instructions(), None);
    assert!(hosts.begin_run().is_none());
}

#[test]
fn only_the_token_itself_admits_and_nobody_sees_it() {
    let random = CountingRandom::default();
    let token = BearerToken::generate(&random);
    assert_ne!(token, BearerToken::generate(&random));
    assert_eq!(token.reveal().len(), 64);
    let bearer = |text: &str| format!("Bearer {text}");
    let shorter = &token.reveal()[..63];
    for (given, expected) in [
        (Some(bearer(token.reveal())), true),
        (Some(format!("bearer  {}", token.reveal())), true),
        (Some(token.reveal().to_owned()), false),
        (Some(bearer(shorter)), false),
        (Some(bearer("")), false),
        (Some(format!("Basic {}", token.reveal())), false),
        (Some("B".to_owned()), false),
        (None, false),
    ] {
        let given = given.as_deref().map(str::as_bytes);
        assert_eq!(token.admits(given), expected, "{given:?}");
    }
    assert!(!format!("{token:?}").contains(token.reveal()));
}

async fn serving(host: Arc<dyn ToolHost>) -> (HttpServing, BearerToken) {
    let token = BearerToken::generate(&CountingRandom::default());
    let options = HttpServeOptions {
        port: 0,
        token: token.clone(),
    };
    let serving = HttpServing::start(host, identity(), options).await.unwrap();
    assert!(serving.address().ip().is_loopback());
    (serving, token)
}

/// Sends one request by hand and returns the whole answer.
async fn exchange(serving: &HttpServing, head: &[(&str, &str)], path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(serving.address()).await.unwrap();
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in head {
        request.extend([name, ": ", value, "\r\n"]);
    }
    request.push_str("\r\n");
    request.push_str(body);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // Whatever was said before the end counts.
    drop(stream.read_to_end(&mut answer).await);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Headers, a path, and the status of the answer.
type Case<'a> = (Vec<(&'a str, &'a str)>, &'a str, &'a str);

#[tokio::test]
async fn http_needs_the_token_the_host_and_no_foreign_origin() {
    let (serving, token) = serving(Toy::new(&["echo"])).await;
    let authorization = format!("Bearer {}", token.reveal());
    let own = serving.address().to_string();
    let local = format!("localhost:{}", serving.address().port());
    let origin = format!("http://{own}");
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    let hello = hello.to_string();
    let good = ("Authorization", authorization.as_str());
    let host = ("Host", own.as_str());
    let foreign = ("Origin", "https://evil.example");
    let cases: [Case<'_>; 9] = [
        (vec![good, host], "/mcp", "200"),
        (vec![good, ("Host", &local)], "/mcp", "200"),
        (vec![good, host, ("Origin", &origin)], "/mcp", "200"),
        (vec![host], "/mcp", "401"),
        (vec![("Authorization", "Bearer x"), host], "/mcp", "401"),
        (vec![good, host], "/", "404"),
        (vec![good, ("Host", "evil.example")], "/mcp", "403"),
        (vec![good, ("Host", "127.0.0.1:1")], "/mcp", "403"),
        (vec![good, host, foreign], "/mcp", "403"),
    ];
    for (head, path, expected) in cases {
        let answer = exchange(&serving, &head, path, &hello).await;
        let status = answer.split(' ').nth(1).unwrap_or("nothing");
        assert_eq!(status, expected, "{head:?} {path}: {answer}");
        if expected == "401" {
            assert!(
                answer
                    .to_ascii_lowercase()
                    .contains("www-authenticate: bearer")
            );
        }
    }
    let huge = "x".repeat(crate::limits::MAX_SERVED_BODY_BYTES + 1);
    let answer = exchange(&serving, &[good, host], "/mcp", &huge).await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 413"),
        "{answer}"
    );
    serving.stop().await;
}

#[tokio::test]
async fn a_header_that_mirrors_an_argument_must_be_the_same() {
    let (serving, token) = serving(Toy::new(&["mirrored"])).await;
    let authorization = format!("Bearer {}", token.reveal());
    let own = serving.address().to_string();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "mirrored",
        "arguments": {"region": "eu"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    for (region, status) in [
        (Some("eu"), "200"),
        (Some("=?base64?ZXU=?="), "200"),
        (Some("us"), "400"),
        (Some("=?base64?ZX?="), "400"),
        (None, "400"),
    ] {
        let mut head = vec![
            ("Authorization", authorization.as_str()),
            ("Host", own.as_str()),
            ("Mcp-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "mirrored"),
        ];
        head.extend(region.map(|region| ("Mcp-Param-Region", region)));
        let answer = exchange(&serving, &head, "/mcp", &call.to_string()).await;
        assert_eq!(
            answer.split(' ').nth(1),
            Some(status),
            "{region:?}: {answer}"
        );
        assert_eq!(
            answer.contains("-32020"),
            status == "400",
            "{region:?}: {answer}"
        );
    }
    serving.stop().await;
}

#[tokio::test]
async fn sessions_over_http_are_bounded() {
    let (serving, token) = serving(Toy::new(&["echo"])).await;
    let authorization = format!("Bearer {}", token.reveal());
    let own = serving.address().to_string();
    let head = [
        ("Authorization", authorization.as_str()),
        ("Host", own.as_str()),
    ];
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    let hello = hello.to_string();
    for _ in 0..crate::limits::MAX_SERVED_SESSIONS {
        let answer = exchange(&serving, &head, "/mcp", &hello).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let answer = exchange(&serving, &head, "/mcp", &hello).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    serving.stop().await;
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_and_a_stop_frees_it() {
    let (serving, token) = serving(Toy::new(&["slow"])).await;
    let port = serving.address().port();
    let again = HttpServeOptions {
        port,
        token: token.clone(),
    };
    let host = || Toy::new(&[]) as Arc<dyn ToolHost>;
    let taken = HttpServing::start(host(), identity(), again.clone()).await;
    assert_eq!(taken.unwrap_err().code, MCP_SERVE_FAILED);
    serving.stop().await;
    let free = HttpServing::start(host(), identity(), again).await.unwrap();
    assert_eq!(free.address().port(), port);
}

#[cfg(feature = "http")]
mod through_our_connector {
    use url::Url;

    use super::*;
    use crate::{
        adapter::rmcp::{RmcpConnector, RmcpParts},
        codes::MCP_REQUEST_FAILED,
        config::{Approval, EnvReference, HttpServer, Planes, RiskPolicy, ServerConfig, Transport},
        ports::{McpConnector as _, McpRequest, RequestOptions, SecretSource},
    };

    #[derive(Debug)]
    struct Token(String);

    impl SecretSource for Token {
        fn resolve(&self, _variable: &str) -> Option<String> {
            Some(self.0.clone())
        }
    }

    fn server(url: &str) -> ServerConfig {
        let reference = EnvReference {
            env: "TOKEN".to_owned(),
        };
        ServerConfig {
            id: "served".parse().unwrap(),
            name: "Served".to_owned(),
            enabled: true,
            planes: Planes::ALL,
            risk_policy: RiskPolicy::Allow,
            tools: crate::policy::Selectors::default(),
            resources: crate::policy::Selectors::default(),
            prompts: crate::policy::Selectors::default(),
            timeout: Duration::from_secs(30),
            exposure: None,
            approval: Approval::default(),
            transport: Transport::Http(HttpServer {
                url: Url::parse(url).unwrap(),
                query: BTreeMap::new(),
                headers: [("Authorization".to_owned(), reference)].into(),
                oauth: None,
                allow_private: false,
            }),
        }
    }

    #[tokio::test]
    async fn what_is_served_is_what_a_client_gets() {
        let toy = Toy::new(&["echo", "fail", "slow"]);
        let (serving, token) = serving(Arc::clone(&toy) as Arc<dyn ToolHost>).await;
        let connector = RmcpConnector::new(RmcpParts {
            secrets: Arc::new(Token(format!("Bearer {}", token.reveal()))),
            elicitor: None,
            tokens: None,
            net: crate::net::NetConfig::default(),
        });
        let connected = connector.connect(&server(&serving.url())).await.unwrap();
        let connection = Arc::clone(&connected.connection);
        assert_eq!(connection.peer().name, "eyes");
        let options = || RequestOptions {
            idle: Duration::from_secs(30),
            total: Duration::from_mins(1),
            progress: None,
        };
        let call = |name: &str| McpRequest::CallTool {
            name: name.to_owned(),
            arguments: [("a".to_owned(), json!(1))].into_iter().collect(),
        };
        let echo = connection.request(call("echo"), options()).await.unwrap();
        assert_eq!(echo["structuredContent"], json!({"a": 1}));
        let failed = connection.request(call("fail"), options()).await.unwrap();
        assert_eq!(failed["isError"], true);
        let unknown = connection
            .request(call("nope"), options())
            .await
            .unwrap_err();
        assert_eq!(
            (unknown.code, unknown.rpc_code),
            (MCP_REQUEST_FAILED, Some(-32_602))
        );
        connection
            .request(McpRequest::Ping, options())
            .await
            .unwrap();

        let slow = Arc::clone(&connection);
        let slow = tokio::spawn(async move { slow.request(call("slow"), options()).await });
        toy.begun.notified().await;
        serving.stop().await;
        assert!(
            slow.await.unwrap().is_err(),
            "a stop ends what does not end by itself"
        );
        connection.close().await.unwrap();
        assert_eq!(toy.dropped.load(Ordering::Acquire), 1);
    }
}
