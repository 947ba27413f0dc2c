//! A server that turns messages into messages, and what connects to it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Map, Value, json};

use crate::{
    adapter::rmcp::{RmcpConnector, RmcpParts},
    config::{ServerConfig, Transport},
    net::NetConfig,
    ports::{BoxFuture, Elicitor, McpRequest, RequestOptions, SecretSource},
    testing::{NEVER, ScriptedServer, contract_failure, fixture},
};

pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];
pub(super) const SECRET: &str = "correct-horse-battery";

type Special = Arc<dyn Fn(&Value) -> Option<Vec<Value>> + Send + Sync>;

/// What the server does with one message is first asked of `special`.
#[derive(Clone)]
pub(super) struct WireServer {
    pub(super) scripted: ScriptedServer,
    pub(super) revision: &'static str,
    pub(super) special: Special,
    pub(super) seen: Arc<Mutex<Vec<Value>>>,
}

impl WireServer {
    pub(super) fn new(scripted: ScriptedServer, revision: &'static str) -> Self {
        Self {
            scripted,
            revision,
            special: Arc::new(|_| None),
            seen: Arc::default(),
        }
    }

    pub(super) fn with(
        mut self,
        special: impl Fn(&Value) -> Option<Vec<Value>> + Send + Sync + 'static,
    ) -> Self {
        self.special = Arc::new(special);
        self
    }

    pub(super) fn saw(&self, method: &str) -> Vec<Value> {
        let seen = self.seen.lock().unwrap();
        let of_method = seen.iter().filter(|message| message["method"] == method);
        of_method.cloned().collect()
    }

    pub(super) fn answer(&self, message: &Value) -> Vec<Value> {
        self.seen.lock().unwrap().push(message.clone());
        if let Some(answers) = (self.special)(message) {
            return answers;
        }
        if message.get("id").is_none() || message.get("method").is_none() {
            return Vec::new();
        }
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        let is_modern = self.revision == "2026-07-28";
        let result = match method {
            "initialize" => self.hello(&json!({"protocolVersion": self.revision})),
            "server/discover" if is_modern => self.hello(&json!({
                "supportedVersions": [self.revision],
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": self.scripted.peer().name, "version": "1"}},
            })),
            "tools/call" if params["name"] == "fail" => contract_failure(),
            "tools/call" if params["name"] == NEVER => return Vec::new(),
            _ => match request(method, params).map(|request| self.scripted.usual(&request)) {
                Some(Ok(result)) => result,
                Some(Err(error)) => {
                    let code = error.rpc_code.unwrap_or(-32603);
                    return vec![failure(message, code, &error.message)];
                }
                None => return vec![failure(message, -32601, "Method not found")],
            },
        };
        vec![response(message, &result)]
    }

    fn hello(&self, more: &Value) -> Value {
        let changing = json!({"listChanged": true});
        let mut hello = json!({
            "capabilities": {"tools": changing, "resources": {"listChanged": true, "subscribe": true}, "prompts": changing},
            "serverInfo": {"name": self.scripted.peer().name, "version": "1"},
        });
        for (name, value) in more.as_object().unwrap() {
            hello[name] = value.clone();
        }
        hello
    }
}

pub(super) fn response(request: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

pub(super) fn failure(request: &Value, code: i64, message: &str) -> Value {
    let error = json!({"code": code, "message": message});
    json!({"jsonrpc": "2.0", "id": request["id"], "error": error})
}

pub(super) fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

fn request(method: &str, params: &Value) -> Option<McpRequest> {
    let text = |name: &str| params[name].as_str().map(str::to_owned);
    let arguments = || params["arguments"].as_object().cloned().unwrap_or_default();
    let cursor = text("cursor");
    Some(match method {
        "tools/list" => McpRequest::ListTools { cursor },
        "resources/list" => McpRequest::ListResources { cursor },
        "resources/templates/list" => McpRequest::ListResourceTemplates { cursor },
        "prompts/list" => McpRequest::ListPrompts { cursor },
        "tools/call" => McpRequest::CallTool {
            name: text("name")?,
            arguments: arguments(),
        },
        "prompts/get" => McpRequest::GetPrompt {
            name: text("name")?,
            arguments: arguments(),
        },
        "resources/read" => McpRequest::ReadResource { uri: text("uri")? },
        "resources/subscribe" => McpRequest::Subscribe { uri: text("uri")? },
        "resources/unsubscribe" => McpRequest::Unsubscribe { uri: text("uri")? },
        "ping" => McpRequest::Ping,
        _ => return None,
    })
}

/// One variable, `TOKEN`.
#[derive(Debug)]
pub(super) struct OneSecret;

impl SecretSource for OneSecret {
    fn resolve(&self, variable: &str) -> Option<String> {
        (variable == "TOKEN").then(|| SECRET.to_owned())
    }
}

/// Answers every question with this name.
#[derive(Debug)]
pub(super) struct Named(pub(super) &'static str);

impl Elicitor for Named {
    fn elicit<'a>(
        &'a self,
        _message: &'a str,
        _schema: &'a Value,
    ) -> BoxFuture<'a, Option<Map<String, Value>>> {
        let answer = Map::from_iter([("name".to_owned(), json!(self.0))]);
        Box::pin(async move { Some(answer) })
    }
}

pub(super) fn parts() -> RmcpParts {
    RmcpParts {
        secrets: Arc::new(OneSecret),
        elicitor: None,
        tokens: None,
        net: NetConfig::default(),
    }
}

pub(super) fn connector(change: impl FnOnce(&mut RmcpParts)) -> RmcpConnector {
    let mut parts = parts();
    change(&mut parts);
    RmcpConnector::new(parts)
}

pub(super) fn config(transport: Transport) -> ServerConfig {
    ServerConfig {
        timeout: 20 * SECOND,
        transport,
        ..fixture::server("wire")
    }
}

pub(super) fn options() -> RequestOptions {
    RequestOptions {
        idle: 10 * SECOND,
        total: 20 * SECOND,
        progress: None,
    }
}

pub(super) fn call(name: &str) -> McpRequest {
    McpRequest::CallTool {
        name: name.to_owned(),
        arguments: Map::new(),
    }
}

pub(super) type Headers = BTreeMap<String, crate::config::EnvReference>;
