//! A client for the protocol's conformance suite, on the connections of `eyes-mcp`.
//!
//! Started by `@modelcontextprotocol/conformance` with the address of a server as its last argument. It connects,
//! lists what is there and uses all of it, once; what a scenario wants in particular is in the environment.

mod authorize;

use std::{
    collections::BTreeMap,
    env,
    io::{self, Write as _},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use eyes_mcp::{
    adapter::rmcp::{RmcpConnector, RmcpParts},
    config::{Approval, HttpServer, Planes, RiskPolicy, ServerConfig, Transport},
    error::McpError,
    net::NetConfig,
    policy::Selectors,
    ports::{
        BoxFuture, Elicitor, McpConnection, McpConnector as _, McpRequest, RequestOptions,
        SecretSource,
    },
};
use serde_json::{Map, Value, json};

use self::authorize::{Authorizations, Context};

const TIMEOUT: Duration = Duration::from_secs(25);

/// Answers with the defaults of the form (SEP-1034).
#[derive(Debug)]
struct Defaults;

impl Elicitor for Defaults {
    fn elicit<'a>(
        &'a self,
        _message: &'a str,
        schema: &'a Value,
    ) -> BoxFuture<'a, Option<Map<String, Value>>> {
        let fields = schema["properties"].as_object();
        let required = schema["required"].as_array();
        let is_required = |name: &str| {
            required.is_some_and(|names| names.iter().any(|required| required == name))
        };
        let answers = fields.into_iter().flatten().filter_map(|(name, field)| {
            let value = match field.get("default") {
                Some(default) => default.clone(),
                None if is_required(name) => sample(field),
                None => return None,
            };
            Some((name.clone(), value))
        });
        let answers = answers.collect();
        Box::pin(async move { Some(answers) })
    }
}

/// Makes a value that fits a schema well enough.
fn sample(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(|choices| choices.get(0)) {
        return first.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => json!(3),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some("null") => Value::Null,
        _ => json!("test"),
    }
}

fn arguments(tool: &Value, tools: &[Value]) -> Map<String, Value> {
    let schema = &tool["inputSchema"];
    if tool["name"] == "json_schema_echo" {
        // The suite compares what came here with what it sent.
        let other = tools.iter().find(|other| other["name"] != tool["name"]);
        let schema = other.map_or(Value::Null, |other| other["inputSchema"].clone());
        return Map::from_iter([("schema".to_owned(), schema)]);
    }
    let required = schema["required"].as_array().into_iter().flatten();
    let named = required.filter_map(Value::as_str).map(|name| {
        let value = sample(&schema["properties"][name]);
        (name.to_owned(), value)
    });
    named.collect()
}

struct Client {
    connection: Arc<dyn McpConnection>,
}

impl Client {
    async fn ask(&self, request: McpRequest) -> Result<Value, McpError> {
        let options = RequestOptions {
            idle: TIMEOUT,
            total: TIMEOUT,
            progress: None,
        };
        self.connection.request(request, options).await
    }

    /// Lists everything, page by page.
    async fn list(
        &self,
        member: &str,
        page: impl Fn(Option<String>) -> McpRequest,
    ) -> Result<Vec<Value>, McpError> {
        let mut all = Vec::new();
        let mut cursor = None;
        loop {
            let mut listed = self.ask(page(cursor)).await?;
            if let Value::Array(entries) = listed[member].take() {
                all.extend(entries);
            }
            cursor = listed["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return Ok(all);
            }
        }
    }

    /// Uses all that is there; a server may answer a use with an error, but not a list.
    async fn use_everything(&self, context: &Value) -> Result<(), McpError> {
        let info = self.connection.peer().clone();
        if info.tools.is_some() {
            let tools = self
                .list("tools", |cursor| McpRequest::ListTools { cursor })
                .await?;
            for (name, arguments) in calls(&tools, context) {
                report(
                    &name,
                    &self
                        .ask(McpRequest::CallTool {
                            name: name.clone(),
                            arguments,
                        })
                        .await,
                );
            }
        }
        if info.resources.is_some() {
            let resources = self
                .list("resources", |cursor| McpRequest::ListResources { cursor })
                .await?;
            for uri in resources
                .iter()
                .filter_map(|resource| resource["uri"].as_str())
            {
                let uri = uri.to_owned();
                report(
                    &uri,
                    &self
                        .ask(McpRequest::ReadResource { uri: uri.clone() })
                        .await,
                );
            }
        }
        if info.prompts.is_some() {
            let prompts = self
                .list("prompts", |cursor| McpRequest::ListPrompts { cursor })
                .await?;
            for name in prompts.iter().filter_map(|prompt| prompt["name"].as_str()) {
                let request = McpRequest::GetPrompt {
                    name: name.to_owned(),
                    arguments: Map::new(),
                };
                report(name, &self.ask(request).await);
            }
        }
        Ok(())
    }
}

/// The calls that the context lists, or one of every tool.
fn calls(tools: &[Value], context: &Value) -> Vec<(String, Map<String, Value>)> {
    let listed = context["toolCalls"].as_array();
    if let Some(listed) = listed {
        let call = |call: &Value| {
            let arguments = call["arguments"].as_object().cloned().unwrap_or_default();
            Some((call["name"].as_str()?.to_owned(), arguments))
        };
        return listed.iter().filter_map(call).collect();
    }
    let call = |tool: &Value| Some((tool["name"].as_str()?.to_owned(), arguments(tool, tools)));
    tools.iter().filter_map(call).collect()
}

/// The suite shows what a client writes to standard error.
fn say(line: &str) {
    drop(writeln!(io::stderr(), "{line}"));
}

fn told(error: &McpError) -> String {
    format!("{} {error}", error.code.as_str())
}

fn report(name: &str, result: &Result<Value, McpError>) {
    match result {
        Ok(result) => say(&format!("{name}: {result}")),
        Err(error) => say(&format!("{name}: {}", told(error))),
    }
}

fn server(url: &str, scenario: &str, context: &Value) -> Result<ServerConfig, String> {
    let everything = Selectors {
        allow: vec!["*".to_owned()],
        deny: Vec::new(),
    };
    Ok(ServerConfig {
        id: "conformance".parse().map_err(|error| format!("{error}"))?,
        name: "conformance".to_owned(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: true,
            prompts: true,
        },
        risk_policy: RiskPolicy::Allow,
        tools: everything.clone(),
        resources: everything.clone(),
        prompts: everything,
        timeout: TIMEOUT,
        exposure: None,
        approval: Approval::Changed,
        transport: Transport::Http(HttpServer {
            url: url.parse().map_err(|error| format!("{error}"))?,
            query: BTreeMap::new(),
            headers: BTreeMap::new(),
            oauth: authorize::settings(scenario, context),
            allow_private: false,
        }),
    })
}

async fn run(url: &str) -> Result<(), String> {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    let context: Value = serde_json::from_str(&context).unwrap_or_default();
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let secrets: Arc<dyn SecretSource> = Arc::new(Context(context.clone()));
    let connector = RmcpConnector::new(RmcpParts {
        secrets: Arc::clone(&secrets),
        elicitor: Some(Arc::new(Defaults)),
        tokens: Some(Arc::new(Authorizations::new(secrets))),
        net: NetConfig::default(),
    });
    let server = server(url, &scenario, &context)?;
    let connected = connector.connect(&server).await;
    let connected = connected.map_err(|error| told(&error))?;
    let client = Client {
        connection: connected.connection,
    };
    say(&format!("connected: {:?}", client.connection.peer()));
    let used = client.use_everything(&context).await;
    let closed = client.connection.close().await;
    used.and(closed).map_err(|error| told(&error))
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(url) = env::args().next_back() else {
        return ExitCode::FAILURE;
    };
    match run(&url).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error);
            ExitCode::FAILURE
        }
    }
}
