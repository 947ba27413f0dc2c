use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

use super::server::{
    Headers, SECRET, WireServer, call, config, connector, failure, options, parts, response,
};
use crate::{
    adapter::rmcp::{RmcpConnector, RmcpParts, failure::Failures, http::open_within},
    codes::{
        MCP_ADDRESS_BLOCKED, MCP_AUTHORIZATION_MISSING, MCP_CONFIG_INVALID, MCP_CONNECT_FAILED,
        MCP_CREDENTIAL_MISSING, MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT,
        MCP_MESSAGE_SIZE_LIMIT, MCP_REQUEST_FAILED,
    },
    config::{EnvReference, HttpServer, ResolvedSecrets, ServerConfig, Transport},
    error::McpError,
    ports::{BoxFuture, Connected, McpConnector as _, McpRequest, TokenSource, TokenSources},
    testing::{connection_contract, contract_server},
    wire::MessageLimits,
};

const LIMITS: MessageLimits = MessageLimits {
    bytes: 4096,
    depth: 16,
    values: 200,
    string_bytes: 4096,
};

/// What came over HTTP: the request line, the headers in lower case, the body.
#[derive(Debug, Clone)]
struct Received {
    line: String,
    headers: Vec<(String, String)>,
    body: Value,
}

impl Received {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name)?;
        Some(&found.1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Json,
    Events,
}

type Gate = Arc<dyn Fn(&Received) -> Option<String> + Send + Sync>;

/// A server behind HTTP; `gate` may answer first, with a whole reply.
#[derive(Clone)]
struct Site {
    server: WireServer,
    style: Style,
    gate: Gate,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Site {
    fn new(server: WireServer, style: Style) -> Self {
        Self {
            server,
            style,
            gate: Arc::new(|_| None),
            received: Arc::default(),
        }
    }

    fn gated(mut self, gate: impl Fn(&Received) -> Option<String> + Send + Sync + 'static) -> Self {
        self.gate = Arc::new(gate);
        self
    }

    async fn open(&self) -> ServerConfig {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let site = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let site = site.clone();
                tokio::spawn(async move { site.serve(stream).await });
            }
        });
        http_config(&url)
    }

    async fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        let received = receive(&mut stream).await?;
        self.received.lock().unwrap().push(received.clone());
        if let Some(reply) = (self.gate)(&received) {
            stream.write_all(reply.as_bytes()).await.ok()?;
            return Some(());
        }
        if !received.line.starts_with("POST") {
            let refused = reply("405 Method Not Allowed", "", "");
            stream.write_all(refused.as_bytes()).await.ok()?;
            return Some(());
        }
        let answers = self.server.answer(&received.body);
        let is_request = received.body.get("id").is_some() && received.body.get("method").is_some();
        if answers.is_empty() && is_request {
            // It answers never: the connection stays open until the client lets it go.
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).await.ok()?;
            return None;
        }
        let whole = match (self.style, answers.first()) {
            (_, None) => reply("202 Accepted", "", ""),
            (Style::Json, Some(answer)) => reply(
                "200 OK",
                "content-type: application/json\r\n",
                &answer.to_string(),
            ),
            (Style::Events, Some(_)) => {
                let event = |answer: &Value| format!("event: message\r\ndata: {answer}\r\n\r\n");
                let events: String = answers.iter().map(event).collect();
                reply("200 OK", "content-type: text/event-stream\r\n", &events)
            }
        };
        stream.write_all(whole.as_bytes()).await.ok()
    }

    fn posts(&self, method: &str) -> Vec<Received> {
        let received = self.received.lock().unwrap();
        let posts = received.iter().filter(|post| post.body["method"] == method);
        posts.cloned().collect()
    }
}

async fn receive(stream: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).await.ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Received {
        line,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

fn reply(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

fn http_config(url: &str) -> ServerConfig {
    config(Transport::Http(HttpServer {
        url: url.parse().unwrap(),
        query: Headers::new(),
        headers: Headers::new(),
        oauth: None,
        allow_private: false,
    }))
}

fn with_header(mut config: ServerConfig, name: &str, variable: &str) -> ServerConfig {
    if let Transport::Http(http) = &mut config.transport {
        let env = variable.to_owned();
        http.headers.insert(name.to_owned(), EnvReference { env });
    }
    config
}

fn contract(revision: &'static str) -> WireServer {
    WireServer::new(contract_server(), revision)
}

async fn connect(connector: &RmcpConnector, config: &ServerConfig) -> Connected {
    connector.connect(config).await.unwrap()
}

/// Connects within small bounds.
async fn connect_small(config: &ServerConfig) -> Connected {
    let Transport::Http(http) = &config.transport else {
        panic!("a server behind HTTP");
    };
    let parts = parts();
    let resolved = ResolvedSecrets::of(config, &*parts.secrets).unwrap();
    let opened = open_within((config, http), &resolved, &parts, LIMITS).unwrap();
    let failures = Failures {
        redactor: Arc::default(),
    };
    let connected = connector(|_| ())
        .shake_hands(opened, &failures, false)
        .await;
    connected.map_err(|refused| refused.error).unwrap()
}

#[tokio::test]
async fn old_and_new_revisions_keep_the_contract_over_http() {
    for (revision, style) in [
        ("2025-03-26", Style::Json),
        ("2025-11-25", Style::Json),
        ("2025-11-25", Style::Events),
        ("2026-07-28", Style::Json),
        ("2026-07-28", Style::Events),
    ] {
        let site = Site::new(contract(revision), style);
        let connected = connect(&connector(|_| ()), &site.open().await).await;
        assert_eq!(connected.connection.peer().protocol_version, revision);
        connection_contract(connected).await;
        let calls = site.posts("tools/call");
        let named = calls
            .iter()
            .all(|call| call.header("mcp-protocol-version") == Some(revision));
        assert!(named, "{revision}");
    }
}

#[tokio::test]
async fn a_result_beyond_the_bounds_fails_only_its_request() {
    for style in [Style::Json, Style::Events] {
        let server = contract("2025-11-25").with(|message| {
            let content = match message["params"]["name"].as_str()? {
                "large" => json!("x".repeat(5000)),
                "many" => json!(vec![0; 300]),
                "none" => return Some(vec![response(message, &json!(7))]),
                _ => return None,
            };
            Some(vec![response(
                message,
                &json!({"structuredContent": content}),
            )])
        });
        let live = connect_small(&Site::new(server, style).open().await)
            .await
            .connection;
        for (tool, code) in [
            ("large", MCP_MESSAGE_SIZE_LIMIT),
            ("many", MCP_MESSAGE_SHAPE_LIMIT),
            ("none", MCP_MESSAGE_INVALID),
        ] {
            let error = live.request(call(tool), options()).await.unwrap_err();
            assert_eq!((error.code, error.rpc_code), (code, None), "{tool}");
            live.request(McpRequest::Ping, options()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn failures_of_http_are_told_and_redacted() {
    let site = Site::new(contract("2025-11-25"), Style::Json).gated(|received| {
        let json = "content-type: application/json\r\n";
        Some(match received.body["params"]["name"].as_str()? {
            "busy" => reply("429 Too Many Requests", "retry-after: 7\r\n", "later"),
            "broken" => reply("500 Internal Server Error", "", "<html>"),
            "wrong" => reply("400 Bad Request", "", &format!("token {SECRET} is wrong")),
            "html" => reply("200 OK", "content-type: text/html\r\n", "<html>"),
            "rpc" => {
                let error = failure(&received.body, -32000, "not today");
                reply("400 Bad Request", json, &error.to_string())
            }
            _ => return None,
        })
    });
    let mut config = with_header(site.open().await, "X-Api-Key", "TOKEN");
    if let Transport::Http(http) = &mut config.transport {
        let env = "TOKEN".to_owned();
        http.query.insert("key".to_owned(), EnvReference { env });
    }
    let live = connect(&connector(|_| ()), &config).await.connection;
    for (tool, says) in [
        ("busy", "429; it says to wait: 7"),
        ("broken", "HTTP 500"),
        ("wrong", "HTTP 400"),
        ("html", "text/html"),
        ("rpc", "not today"),
    ] {
        let error = live.request(call(tool), options()).await.unwrap_err();
        assert_eq!(
            (error.code, error.sent),
            (MCP_REQUEST_FAILED, true),
            "{tool}"
        );
        assert!(error.message.contains(says), "{tool}: {error}");
        assert!(!error.message.contains(SECRET), "{error}");
    }
    let sent = site.posts("tools/call");
    assert_eq!(sent[0].header("x-api-key"), Some(SECRET));
    assert!(
        sent[0].line.contains(&format!("/mcp?key={SECRET} ")),
        "{}",
        sent[0].line
    );
}

#[tokio::test]
async fn settings_are_checked_before_anything_is_sent() {
    let site = Site::new(contract("2025-11-25"), Style::Json);
    let config = site.open().await;
    let private = http_config("https://10.0.0.1/mcp");
    let metadata = http_config("https://169.254.169.254/mcp");
    for (config, code) in [
        (
            with_header(config.clone(), "X-Key", "ABSENT"),
            MCP_CREDENTIAL_MISSING,
        ),
        (
            with_header(config.clone(), "Mcp-Session-Id", "TOKEN"),
            MCP_CONFIG_INVALID,
        ),
        (with_header(config, "no name", "TOKEN"), MCP_CONFIG_INVALID),
        (private, MCP_ADDRESS_BLOCKED),
        (metadata, MCP_ADDRESS_BLOCKED),
    ] {
        let error = connector(|_| ()).connect(&config).await.unwrap_err();
        assert_eq!(error.code, code, "{error}");
    }
    assert!(site.received.lock().unwrap().is_empty());
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/secret-path", gone.local_addr().unwrap());
    drop(gone);
    let error = connector(|_| ())
        .connect(&http_config(&url))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_CONNECT_FAILED);
    assert!(!error.message.contains("secret-path"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_too_large_on_a_resumed_stream_fails_its_request() {
    let asked = Arc::<Mutex<Value>>::default();
    let site = Site::new(contract("2025-11-25"), Style::Json).gated(move |received| {
        let events = |text: &str| {
            let headers = "content-type: text/event-stream\r\n";
            Some(reply("200 OK", headers, text))
        };
        if received.body["params"]["name"] == "large" {
            *asked.lock().unwrap() = received.body["id"].clone();
            return events("id: 1\nretry: 1\ndata: \n\n");
        }
        if received.header("last-event-id") != Some("1") {
            return None;
        }
        let id = asked.lock().unwrap().clone();
        let result = json!({"content": [{"type": "text", "text": "x".repeat(5000)}]});
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        events(&format!("id: 2\ndata: {answer}\n\n"))
    });
    let live = connect_small(&site.open().await).await.connection;
    let error = live.request(call("large"), options()).await.unwrap_err();
    assert_eq!(error.code, MCP_MESSAGE_SIZE_LIMIT, "{error}");
    live.request(McpRequest::Ping, options()).await.unwrap();
}

/// Gives `t0`, and for each refusal the next one.
#[derive(Debug, Default)]
struct Tokens {
    refusals: AtomicUsize,
    challenges: Mutex<Vec<String>>,
}

impl TokenSource for Tokens {
    fn token(&self) -> BoxFuture<'_, Result<Arc<str>, McpError>> {
        let refusals = self.refusals.load(Ordering::Relaxed);
        Box::pin(async move { Ok(Arc::from(format!("t{refusals}"))) })
    }

    fn refused<'a>(
        &'a self,
        token: &'a str,
        challenge: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Arc<str>, McpError>> {
        let refused = format!("{token} {}", challenge.unwrap_or("nothing"));
        self.challenges.lock().unwrap().push(refused);
        self.refusals.fetch_add(1, Ordering::Relaxed);
        self.token()
    }
}

#[derive(Debug)]
struct Registry(Arc<Tokens>);

impl TokenSources for Registry {
    fn for_server(&self, _server: &ServerConfig) -> Option<Arc<dyn TokenSource>> {
        Some(Arc::<Tokens>::clone(&self.0))
    }
}

fn authorized(tokens: &Arc<Tokens>) -> RmcpConnector {
    let tokens = Arc::clone(tokens);
    connector(|parts: &mut RmcpParts| parts.tokens = Some(Arc::new(Registry(tokens))))
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let challenge = "www-authenticate: Bearer scope=\"more\", error=\"insufficient_scope\"\r\n";
    let site = Site::new(contract("2025-11-25"), Style::Json).gated(move |received| {
        let token = received.header("authorization").unwrap_or_default();
        let name = received.body["params"]["name"].as_str().unwrap_or_default();
        match (token, name) {
            ("Bearer t0", _) => Some(reply("401 Unauthorized", "", "")),
            ("Bearer t1", "scoped") => Some(reply("403 Forbidden", challenge, "")),
            (_, "never-allowed") => Some(reply("401 Unauthorized", challenge, "")),
            (_, "forbidden") => Some(reply("403 Forbidden", "", "no")),
            _ => None,
        }
    });
    let tokens = Arc::<Tokens>::default();
    let live = connect(&authorized(&tokens), &site.open().await)
        .await
        .connection;
    live.request(McpRequest::Ping, options()).await.unwrap();
    assert_eq!(*tokens.challenges.lock().unwrap(), ["t0 nothing"]);
    // The tool is unknown, but the server said so with the new token.
    let scoped = live.request(call("scoped"), options()).await.unwrap_err();
    assert_eq!(scoped.rpc_code, Some(-32602));
    assert!(tokens.challenges.lock().unwrap()[1].starts_with("t1 Bearer scope"));
    let refused = live
        .request(call("never-allowed"), options())
        .await
        .unwrap_err();
    assert_eq!(refused.code, MCP_AUTHORIZATION_MISSING);
    assert_eq!(tokens.refusals.load(Ordering::Relaxed), 3);
    let forbidden = live
        .request(call("forbidden"), options())
        .await
        .unwrap_err();
    assert_eq!(forbidden.code, MCP_REQUEST_FAILED);
    assert_eq!(tokens.refusals.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_server_that_wants_authorization_is_named_as_one() {
    let site = Site::new(contract("2025-11-25"), Style::Json).gated(|_| {
        Some(reply(
            "401 Unauthorized",
            "www-authenticate: Bearer\r\n",
            "",
        ))
    });
    let error = connector(|_| ())
        .connect(&site.open().await)
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_AUTHORIZATION_MISSING);
    assert_eq!(site.received.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_expired_session_is_begun_anew() {
    let sessions = Arc::new(AtomicUsize::new(0));
    let begun = Arc::clone(&sessions);
    let server = contract("2025-11-25");
    let hello = server.clone();
    let site = Site::new(server, Style::Json).gated(move |received| {
        if received.body["method"] == "initialize" {
            let number = begun.fetch_add(1, Ordering::Relaxed);
            let headers =
                format!("content-type: application/json\r\nmcp-session-id: s{number}\r\n");
            let answer = hello.answer(&received.body).remove(0);
            return Some(reply("200 OK", &headers, &answer.to_string()));
        }
        let is_old = received.header("mcp-session-id") == Some("s0");
        let is_call = received.body["method"] == "tools/call";
        (is_old && is_call).then(|| reply("404 Not Found", "", ""))
    });
    let live = connect(&connector(|_| ()), &site.open().await)
        .await
        .connection;
    let result = live.request(call("echo"), options()).await.unwrap();
    assert_eq!(result["structuredContent"], json!({}));
    assert_eq!(sessions.load(Ordering::Relaxed), 2);
    live.close().await.unwrap();
    let received = site.received.lock().unwrap();
    let last = received.last().unwrap();
    assert!(last.line.starts_with("DELETE"), "{}", last.line);
    assert_eq!(last.header("mcp-session-id"), Some("s1"));
}

#[tokio::test]
async fn tools_with_broken_header_annotations_are_left_out_and_the_others_whole() {
    let tools = json!([
        {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": ""}}}},
        {"name": "good", "inputSchema": {"type": "object", "$anchor": "x"}, "futureMember": [1]},
    ]);
    let kept = tools[1].clone();
    let server = contract("2026-07-28").with(move |message| {
        (message["method"] == "tools/list")
            .then(|| vec![response(message, &json!({"tools": tools}))])
    });
    let live = connect(
        &connector(|_| ()),
        &Site::new(server, Style::Events).open().await,
    )
    .await;
    let list = McpRequest::ListTools { cursor: None };
    let listed = live.connection.request(list, options()).await.unwrap();
    assert_eq!(listed["tools"], json!([kept]));
}
