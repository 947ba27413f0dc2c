//! Whole sessions with a program: whatever it answers, the session goes on, and nothing of it is left.

use std::{collections::BTreeMap, fs, time::Duration};

use eyes_evidence::code::ErrorCode;
use rmcp::{
    RoleClient, ServiceError,
    model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerResult},
    service::{RunningService, serve_client},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::super::*;
use crate::{
    adapter::rmcp::fault,
    codes::{MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT},
    config::{ServerConfig, Transport},
    limits::MAX_STDERR_BYTES,
    ports::SecretSource,
    testing::fixture,
};

/// Far beyond what anything here takes; reached only by a defect.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server with tools that are named for what they do.
const SERVER: &str = r#"
echo "Server running on stdio"
part() { printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"; }
fill() { head -c "$1" /dev/zero | tr '\0' "$2"; }
while IFS= read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}\n' "$id" ;;
    *'"plain"'*) part; printf '%s"}]}}\n' "$$" ;;
    *'"large"'*) part; fill 11000000 A; printf '"}]}}\n' ;;
    *'"huge"'*) part; fill 30000000 A; printf '"},{"text":"'; fill 30000000 A; printf '"}]}}\n' ;;
    *'"long"'*) part; fill 45000000 A; printf '"}]}}\n' ;;
    *'"late-id"'*) printf '{"result":{"text":"'; fill 30000000 A; printf '","more":"'; fill 30000000 A; printf '"},"jsonrpc":"2.0","id":%s}\n' "$id" ;;
    *'"deep"'*) printf '{"jsonrpc":"2.0","id":%s,"result":' "$id"; fill 20000 '['; fill 20000 ']'; printf '}\n' ;;
    *'"broken"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"a" 1}}\n' "$id" ;;
    *'"noise"'*) echo "[debug] called"; fill 5000000 e >&2; part; printf '"}]}}\n' ;;
    *'"endless"'*) part; fill 64000000 A; sleep 1000 & wait ;;
  esac
done
"#;

#[derive(Debug)]
struct NoSecrets;

impl SecretSource for NoSecrets {
    fn resolve(&self, _variable: &str) -> Option<String> {
        None
    }
}

struct Session {
    client: RunningService<RoleClient, ()>,
    guard: ChildGuard,
    traffic: std::sync::Arc<Traffic>,
}

impl Session {
    async fn start(server: &StdioServer) -> Self {
        let config = ServerConfig {
            transport: Transport::Stdio(server.clone()),
            ..fixture::server("program")
        };
        let resolved = ResolvedSecrets::of(&config, &NoSecrets).expect("no references");
        let (transport, guard) = open(server, &resolved).expect("it starts");
        let traffic = transport.traffic();
        let client = timeout(PATIENCE, serve_client((), transport))
            .await
            .expect("in time")
            .expect("it connects");
        Self {
            client,
            guard,
            traffic,
        }
    }

    async fn call(&self, tool: &'static str) -> Result<Value, ErrorCode> {
        let request =
            ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new(tool)));
        match timeout(PATIENCE, self.client.peer().send_request(request))
            .await
            .expect("in time")
        {
            Ok(ServerResult::CustomResult(result)) => Ok(result.0),
            Err(ServiceError::McpError(error)) => {
                Err(fault::from_rpc(&error).expect("a fault").code)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Closes both, and checks that the server is taken away.
    async fn close(mut self) {
        let process = self.guard.process();
        timeout(PATIENCE, self.guard.close())
            .await
            .expect("in time")
            .expect("it ends");
        timeout(PATIENCE, self.client.close())
            .await
            .expect("in time")
            .expect("no panic");
        assert!(fs::metadata(format!("/proc/{process}")).is_err());
    }
}

fn shell(script: &str) -> StdioServer {
    StdioServer {
        command: "sh".to_owned(),
        args: vec!["-c".into(), script.into()],
        cwd: None,
        env: BTreeMap::new(),
    }
}

#[tokio::test]
async fn a_session_survives_every_answer() {
    let session = Session::start(&shell(SERVER)).await;
    let process =
        json!({"content": [{"type": "text", "text": session.guard.process().to_string()}]});
    for (tool, code) in [
        ("huge", MCP_MESSAGE_SIZE_LIMIT),
        ("late-id", MCP_MESSAGE_SIZE_LIMIT),
        ("long", MCP_MESSAGE_SHAPE_LIMIT),
        ("deep", MCP_MESSAGE_SHAPE_LIMIT),
        ("broken", MCP_MESSAGE_INVALID),
    ] {
        assert_eq!(session.call(tool).await, Err(code), "{tool}");
        assert_eq!(session.call("plain").await.as_ref(), Ok(&process), "{tool}");
    }
    let large = session.call("large").await.expect("within the bounds");
    assert_eq!(
        large["content"][0]["text"].as_str().map(str::len),
        Some(11_000_000)
    );
    session.call("noise").await.expect("a result");
    let counts = session.traffic.counts();
    assert_eq!((counts.skipped, counts.failed, counts.dropped), (2, 5, 0));
    assert!(session.guard.stderr_tail().len() <= MAX_STDERR_BYTES);
    session.close().await;
}

#[tokio::test]
async fn a_response_without_an_end_fails_its_request() {
    let session = Session::start(&shell(SERVER)).await;
    assert_eq!(session.call("endless").await, Err(MCP_MESSAGE_SHAPE_LIMIT));
    session.close().await;
}

#[tokio::test]
async fn a_server_that_ends_ends_the_session() {
    let session = Session::start(&shell(&format!("{SERVER}\nexit 3"))).await;
    session.call("plain").await.expect("a result");
    session.guard.close().await.expect("it ends");
    assert_eq!(session.guard.exit().as_deref(), Some("exit status: 3"));
    let reason = timeout(PATIENCE, session.client.waiting())
        .await
        .expect("in time")
        .expect("no panic");
    assert!(
        matches!(reason, rmcp::service::QuitReason::Closed),
        "{reason:?}"
    );
}
