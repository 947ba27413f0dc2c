use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex, split};
use tokio_util::sync::CancellationToken;

use super::server::{
    Named, REVISIONS, SECOND, SECRET, WireServer, call, config, connector, failure, notification,
    options, response,
};
use crate::{
    adapter::rmcp::{RmcpConnector, connector::Opened, failure::Failures, stdio::StdioTransport},
    codes::{
        MCP_CONNECT_FAILED, MCP_CONNECTION_UNHEALTHY, MCP_INPUT_ROUND_LIMIT,
        MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT, MCP_REQUEST_FAILED, MCP_REQUEST_TIMEOUT,
    },
    config::{StdioServer, Transport},
    limits::MAX_ERROR_CHARS,
    ports::{Connected, ConnectionEvent, McpConnector as _, McpRequest, Progress, ProgressSink},
    testing::{NEVER, connection_contract, contract_server},
    wire::MessageLimits,
};

const LIMITS: MessageLimits = MessageLimits {
    bytes: 4096,
    depth: 16,
    values: 200,
    string_bytes: 4096,
};

/// Connects over a pair of pipes.
async fn over_pipes(
    connector: &RmcpConnector,
    server: WireServer,
    limits: MessageLimits,
) -> Connected {
    let (ours, theirs) = duplex(1 << 16);
    let (reader, writer) = split(ours);
    tokio::spawn(async move {
        let (reader, mut writer) = split(theirs);
        let mut lines = BufReader::new(reader).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            for answer in server.answer(&message) {
                let line = format!("{answer}\n");
                if writer.write_all(line.as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    });
    let opened = Opened {
        transport: StdioTransport::over(reader, writer, CancellationToken::new(), limits),
        bypass: None,
        companion: None,
    };
    let failures = Failures {
        redactor: Arc::new(eyes_evidence::redact::Redactor::with_values([SECRET])),
    };
    let connected = connector.shake_hands(opened, &failures, false).await;
    connected.map_err(|refused| refused.error).unwrap()
}

fn modern(server: WireServer) -> WireServer {
    WireServer {
        revision: "2026-07-28",
        ..server
    }
}

fn contract(revision: &'static str) -> WireServer {
    WireServer::new(contract_server(), revision)
}

#[tokio::test]
async fn every_revision_keeps_the_contract_over_pipes() {
    for revision in REVISIONS {
        let server = contract(revision);
        let connector = connector(|_| ());
        let connected = over_pipes(&connector, server.clone(), MessageLimits::default()).await;
        assert_eq!(connected.connection.peer().protocol_version, revision);
        connection_contract(connected).await;
        let cancelled = server.saw("notifications/cancelled");
        assert_eq!(cancelled.len(), 2, "{revision}");
        let calls = server.saw("tools/call");
        assert!(
            calls
                .iter()
                .all(|call| call["params"]["_meta"]["progressToken"].is_number()),
            "every call has a token of progress"
        );
        let is_old = revision != "2026-07-28";
        assert_eq!(server.saw("initialize").len(), usize::from(is_old));
        assert_eq!(server.saw("ping").len(), usize::from(is_old));
    }
}

#[tokio::test]
async fn a_message_beyond_the_bounds_fails_only_its_request() {
    let server = contract("2025-11-25").with(|message| {
        let name = message["params"]["name"].as_str()?;
        let text = match name {
            "large" => json!("x".repeat(5000)),
            "many" => json!(vec![0; 300]),
            _ => return None,
        };
        Some(vec![response(
            message,
            &json!({"content": [], "structuredContent": {"x": text}}),
        )])
    });
    let live = over_pipes(&connector(|_| ()), server, LIMITS)
        .await
        .connection;
    let table = [
        ("large", MCP_MESSAGE_SIZE_LIMIT),
        ("many", MCP_MESSAGE_SHAPE_LIMIT),
    ];
    for (tool, code) in table {
        let error = live.request(call(tool), options()).await.unwrap_err();
        assert_eq!((error.code, error.sent, error.rpc_code), (code, true, None));
    }
    live.request(McpRequest::Ping, options()).await.unwrap();
}

#[tokio::test]
async fn messages_of_errors_are_redacted_and_short() {
    let server = contract("2025-11-25").with(|message| {
        let code = match message["params"]["name"].as_str()? {
            "leak" => -32000,
            "forged" => -32099,
            _ => return None,
        };
        let text = format!("password=hunter2 and {SECRET} and {}", "long ".repeat(400));
        let mut answer = failure(message, code, &text);
        answer["error"]["data"] = json!({"eyesCode": "MCP_MESSAGE_SIZE_LIMIT"});
        Some(vec![answer])
    });
    let live = over_pipes(&connector(|_| ()), server, LIMITS)
        .await
        .connection;
    for (tool, code) in [("leak", -32000), ("forged", -32099)] {
        let error = live.request(call(tool), options()).await.unwrap_err();
        assert_eq!(
            (error.code, error.rpc_code),
            (MCP_REQUEST_FAILED, Some(code))
        );
        assert!(!error.message.contains(SECRET), "{error}");
        assert!(!error.message.contains("hunter2"), "{error}");
        assert!(error.message.chars().count() <= MAX_ERROR_CHARS);
    }
}

#[derive(Debug, Default)]
struct Steps(Mutex<Vec<Progress>>);

impl ProgressSink for Steps {
    fn progress(&self, progress: Progress) {
        self.0.lock().unwrap().push(progress);
    }
}

#[tokio::test]
async fn progress_arrives_in_order_and_goes_forward() {
    let server = contract("2025-11-25").with(|message| {
        if message["params"]["name"] != "slow" {
            return None;
        }
        let token = &message["params"]["_meta"]["progressToken"];
        let step = |progress: f64| {
            let params = json!({"progressToken": token, "progress": progress, "total": 1.0, "message": "on it"});
            notification("notifications/progress", &params)
        };
        Some(vec![step(0.5), step(0.5), step(0.2)])
    });
    let live = over_pipes(&connector(|_| ()), server, LIMITS)
        .await
        .connection;
    let steps = Arc::<Steps>::default();
    let mut heard = options();
    heard.idle = SECOND / 4;
    heard.progress = Some(Arc::<Steps>::clone(&steps));
    let silent = live.request(call("slow"), heard).await.unwrap_err();
    assert_eq!(silent.code, MCP_REQUEST_TIMEOUT);
    let step = Progress {
        progress: 0.5,
        total: Some(1.0),
        message: Some("on it".to_owned()),
    };
    // The library hands notifications on side by side: which of two comes first is open, but not that it grows.
    let seen = steps.0.lock().unwrap();
    assert_eq!(seen.last(), Some(&step));
    assert!(
        seen.windows(2)
            .all(|pair| pair[0].progress < pair[1].progress)
    );
}

#[tokio::test]
async fn events_are_merged_and_the_end_is_the_last() {
    let server = contract("2025-11-25").with(|message| {
        if message["params"]["name"] != "change" {
            return None;
        }
        let empty = json!({});
        let changed =
            |list: &str| notification(&format!("notifications/{list}/list_changed"), &empty);
        let updated = notification(
            "notifications/resources/updated",
            &json!({"uri": "memo://one"}),
        );
        Some(vec![
            changed("tools"),
            changed("prompts"),
            changed("resources"),
            updated,
            response(message, &json!({"content": []})),
        ])
    });
    let Connected {
        connection,
        mut events,
    } = over_pipes(&connector(|_| ()), server, LIMITS).await;
    connection.request(call("change"), options()).await.unwrap();
    let mut seen = Vec::new();
    while seen.len() < 4 {
        seen.push(format!("{:?}", events.recv().await.unwrap()));
    }
    seen.sort();
    assert_eq!(
        seen,
        [
            "PromptsChanged",
            "ResourceUpdated { uri: \"memo://one\" }",
            "ResourcesChanged",
            "ToolsChanged",
        ]
    );
    drop(connection);
    assert!(matches!(
        events.recv().await,
        Some(ConnectionEvent::Closed { .. })
    ));
}

/// A server that asks on its own when `ask` is called, and answers the call with what it was told.
fn asking(method: &'static str, params: Value) -> WireServer {
    let open = Arc::new(Mutex::new(Value::Null));
    contract("2025-11-25").with(move |message| {
        if message["params"]["name"] == "ask" {
            *open.lock().unwrap() = message.clone();
            let question =
                json!({"jsonrpc": "2.0", "id": "q1", "method": method, "params": params});
            return Some(vec![question]);
        }
        if message["id"] != "q1" {
            return None;
        }
        let told = json!({"content": [], "structuredContent": message});
        Some(vec![response(&open.lock().unwrap(), &told)])
    })
}

fn form() -> Value {
    let name = json!({"type": "string", "maxLength": 10});
    json!({
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"name": name}, "required": ["name"]},
    })
}

#[tokio::test]
async fn questions_are_answered_only_where_somebody_answers_them() {
    let told = async |connector: &RmcpConnector, server: WireServer| {
        let live = over_pipes(connector, server.clone(), LIMITS)
            .await
            .connection;
        let told = live.request(call("ask"), options()).await.unwrap();
        let hello = server.saw("initialize").remove(0);
        (
            told["structuredContent"].clone(),
            hello["params"]["capabilities"].clone(),
        )
    };
    let nobody = connector(|_| ());
    for (method, params) in [
        ("elicitation/create", form()),
        (
            "sampling/createMessage",
            json!({"messages": [], "maxTokens": 1}),
        ),
        ("roots/list", json!({})),
        ("of/another/kind", json!({})),
    ] {
        let (told, capabilities) = told(&nobody, asking(method, params)).await;
        assert_eq!(told["error"]["code"], -32601, "{method}: {told}");
        assert_eq!(capabilities, json!({}));
    }
    let ada = connector(|parts| parts.elicitor = Some(Arc::new(Named("Ada"))));
    let (answer, capabilities) = told(&ada, asking("elicitation/create", form())).await;
    assert_eq!(
        answer["result"],
        json!({"action": "accept", "content": {"name": "Ada"}})
    );
    assert!(capabilities["elicitation"]["form"].is_object());
    let long = connector(|parts| parts.elicitor = Some(Arc::new(Named("Augusta Ada King"))));
    let (answer, _) = told(&long, asking("elicitation/create", form())).await;
    assert_eq!(answer["result"], json!({"action": "decline"}));
    let url =
        json!({"mode": "url", "message": "m", "url": "https://x.example", "elicitationId": "1"});
    let (answer, _) = told(&ada, asking("elicitation/create", url)).await;
    assert_eq!(answer["result"]["action"], "decline");
}

#[tokio::test]
async fn input_is_given_in_rounds_that_end() {
    let asking = |message: &Value| {
        let params = &message["params"];
        let name = params["name"].as_str()?;
        let question = json!({"method": "elicitation/create", "params": form()});
        let ask = json!({
            "resultType": "input_required",
            "inputRequests": {"who": question},
            "requestState": "s1",
        });
        let result = match name {
            "once" if params["inputResponses"].is_null() => ask,
            "once" => json!({
                "resultType": "complete",
                "content": [],
                "structuredContent": {"answers": params["inputResponses"], "state": params["requestState"]},
            }),
            "forever" => ask,
            _ => return None,
        };
        Some(vec![response(message, &result)])
    };
    let server = modern(contract("").with(asking));
    let ada = connector(|parts| parts.elicitor = Some(Arc::new(Named("Ada"))));
    let live = over_pipes(&ada, server, LIMITS).await.connection;
    let result = live.request(call("once"), options()).await.unwrap();
    let answer = json!({"who": {"action": "accept", "content": {"name": "Ada"}}});
    assert_eq!(
        result["structuredContent"],
        json!({"answers": answer, "state": "s1"})
    );
    let endless = live.request(call("forever"), options()).await.unwrap_err();
    assert_eq!(endless.code, MCP_INPUT_ROUND_LIMIT);
}

#[tokio::test]
async fn subscriptions_of_the_newest_revision_tell_events() {
    let server = modern(contract("").with(|message| {
        if message["method"] != "subscriptions/listen" {
            return None;
        }
        let about = |method: &str, mut params: Value| {
            params["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": message["id"]});
            notification(method, &params)
        };
        let filter = message["params"]["notifications"].clone();
        let mut answers = vec![about(
            "notifications/subscriptions/acknowledged",
            json!({"notifications": filter}),
        )];
        if let Some(uri) = filter["resourceSubscriptions"].get(0) {
            answers.push(about(
                "notifications/resources/updated",
                json!({"uri": uri}),
            ));
        } else {
            answers.push(about("notifications/tools/list_changed", json!({})));
        }
        Some(answers)
    }));
    let Connected {
        connection,
        mut events,
    } = over_pipes(&connector(|_| ()), server.clone(), LIMITS).await;
    assert_eq!(events.recv().await, Some(ConnectionEvent::ToolsChanged));
    let uri = "memo://one".to_owned();
    let subscribe = McpRequest::Subscribe { uri: uri.clone() };
    connection.request(subscribe, options()).await.unwrap();
    assert_eq!(
        events.recv().await,
        Some(ConnectionEvent::ResourceUpdated { uri: uri.clone() })
    );
    let unsubscribe = McpRequest::Unsubscribe { uri };
    connection.request(unsubscribe, options()).await.unwrap();
    assert!(server.saw("resources/subscribe").is_empty());
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_late_answer_to_the_probe_is_not_taken_for_the_handshake() {
    // What the library sends after ten seconds of silence is sent here at once.
    let probe = Arc::new(Mutex::new(Value::Null));
    let server = contract("2025-06-18").with(move |message| match message["method"].as_str() {
        Some("server/discover") => {
            *probe.lock().unwrap() = message.clone();
            Some(Vec::new())
        }
        Some("initialize") => {
            let late = failure(&probe.lock().unwrap(), -32601, "Method not found");
            let result = json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "serverInfo": {"name": "slow", "version": "1"},
            });
            Some(vec![late, response(message, &result)])
        }
        _ => None,
    });
    tokio::time::pause();
    let live = over_pipes(&connector(|_| ()), server, LIMITS)
        .await
        .connection;
    assert_eq!(live.peer().name, "slow");
}

fn shell(script: &str) -> crate::config::ServerConfig {
    config(Transport::Stdio(StdioServer {
        command: "sh".to_owned(),
        args: vec!["-c".into(), script.into()],
        cwd: None,
        env: BTreeMap::new(),
    }))
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_hangs_up_on_the_probe_is_connected_to_the_old_way() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("starts");
    let script = format!(
        r#"read -r line
        case "$line" in *server/discover*) echo probe >>{log}; exit 1;; esac
        echo old >>{log}
        echo '{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"2024-11-05","capabilities":{{}},"serverInfo":{{"name":"old","version":"1"}}}}}}'
        exec cat >/dev/null"#,
        log = log.display()
    );
    let connector = connector(|_| ());
    for _ in 0..2 {
        let connected = connector.connect(&shell(&script)).await.unwrap();
        assert_eq!(connected.connection.peer().protocol_version, "2024-11-05");
        connected.connection.close().await.unwrap();
    }
    let starts = std::fs::read_to_string(log).unwrap();
    assert_eq!(starts.lines().collect::<Vec<_>>(), ["probe", "old", "old"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_fails_says_why() {
    let failing = shell("echo 'no such database' >&2; exit 7");
    let error = connector(|_| ()).connect(&failing).await.unwrap_err();
    assert_eq!(error.code, MCP_CONNECT_FAILED);
    assert!(error.message.contains("no such database"), "{error}");
    assert!(error.message.contains('7'), "{error}");
    let mut silent = shell("exec sleep 60");
    silent.timeout = SECOND / 2;
    let error = connector(|_| ()).connect(&silent).await.unwrap_err();
    assert_eq!(error.code, MCP_REQUEST_TIMEOUT);
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_crashes_in_a_call_says_why() {
    let script = r#"read -r line
        case "$line" in *server/discover*) exit 1;; esac
        echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"old","version":"1"}}}'
        while read -r line; do
            case "$line" in *tools/call*)
                printf 'panicked:\n\033[31mno memory, token=hunter2hunter2\n' >&2; exit 9;;
            esac
        done"#;
    let mut connected = connector(|_| ()).connect(&shell(script)).await.unwrap();
    let live = &connected.connection;
    let error = live.request(call("echo"), options()).await.unwrap_err();
    assert_eq!(error.code, MCP_CONNECTION_UNHEALTHY);
    assert!(error.sent, "{error:?}");
    let Some(ConnectionEvent::Closed { reason }) = connected.events.recv().await else {
        panic!("the connection ended");
    };
    for text in [&error.message, &reason] {
        assert!(text.contains("ended with exit status: 9"), "{text}");
        assert!(text.contains("it wrote: panicked:"), "{text}");
        assert!(text.ends_with("no memory, token=[REDACTED]"), "{text}");
        assert!(!text.contains(|c: char| c.is_control()), "{text:?}");
    }
}

#[tokio::test]
async fn a_dropped_request_is_cancelled_at_the_server() {
    let server = contract("2025-11-25");
    let live = over_pipes(&connector(|_| ()), server.clone(), LIMITS)
        .await
        .connection;
    let waiting = live.request(call(NEVER), options());
    assert!(tokio::time::timeout(SECOND / 20, waiting).await.is_err());
    live.request(McpRequest::Ping, options()).await.unwrap();
    let sent = server.saw("tools/call").remove(0);
    let cancelled = server.saw("notifications/cancelled").remove(0);
    assert_eq!(cancelled["params"]["requestId"], sent["id"]);
}
