//! The configured servers as a host.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use eyes_evidence::testing::{CountingRandom, FixedClock};
use eyes_usage::ports::NoUsageSink;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;

use super::*;
use crate::{
    audit::McpAudit,
    codes::{MCP_EXTERNAL_CALL_LIMIT_REACHED, MCP_TOOL_UNAVAILABLE},
    config::{
        Approval, ExposureMode, McpConfig, Planes, RiskPolicy, ServerConfig, StdioServer, Transport,
    },
    manager::{Manager, ManagerParts},
    pins::MemoryPins,
    policy::Selectors,
    ports::SecretSource,
    result::ArtifactBounds,
    testing::{LoopbackConnector, Script, ScriptedServer},
};

#[derive(Debug)]
struct NoSecrets;

impl SecretSource for NoSecrets {
    fn resolve(&self, _variable: &str) -> Option<String> {
        None
    }
}

async fn host(scripted: &ScriptedServer, exposure: ExposureMode) -> (ServersHost, Manager) {
    let connector = LoopbackConnector::new();
    connector.add("a", scripted);
    let server = ServerConfig {
        id: "a".parse().unwrap(),
        name: "A".to_owned(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: false,
            prompts: false,
        },
        risk_policy: RiskPolicy::Allow,
        tools: Selectors {
            allow: vec!["*".to_owned()],
            deny: vec!["denied".to_owned()],
        },
        resources: Selectors::default(),
        prompts: Selectors::default(),
        timeout: Duration::from_secs(30),
        exposure: None,
        approval: Approval::default(),
        transport: Transport::Stdio(StdioServer {
            command: "scripted".to_owned(),
            args: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
        }),
    };
    let config = McpConfig {
        enabled: true,
        servers: vec![server],
        max_tools: Some(16),
        max_schema_tokens: Some(12_000),
        max_result_chars: 20_000,
        max_calls_per_run: Some(64),
        call_timeout: Duration::from_secs(30),
        audit: true,
        audit_limit: 200,
        exposure,
        artifacts: ArtifactBounds::default(),
    };
    let parts = ManagerParts {
        connector: Arc::new(connector),
        secrets: Arc::new(NoSecrets),
        clock: Arc::new(FixedClock),
        random: Arc::new(CountingRandom::default()),
        audit: Arc::new(McpAudit::new(200, None)),
        tokens: None,
        usage: Arc::new(NoUsageSink),
        artifacts: None,
        pins: Arc::new(MemoryPins::default()),
        authorizer: None,
        runtime: Handle::current(),
    };
    let manager = Manager::new(config, parts);
    manager.start().await;
    manager.settled().await;
    (ServersHost::new(manager.clone()), manager)
}

fn call(name: &str, arguments: Value) -> HostedCall {
    let arguments: Map<String, Value> = serde_json::from_value(arguments).unwrap();
    HostedCall {
        name: name.to_owned(),
        arguments,
        run: None,
        progress: None,
    }
}

fn names(host: &ServersHost) -> Vec<String> {
    host.tools().into_iter().map(|tool| tool.name).collect()
}

#[tokio::test(start_paused = true)]
async fn servers_are_offered_under_their_policy_and_the_list_follows_them() {
    let scripted = ScriptedServer::new("a");
    for tool in ["one", "denied"] {
        scripted.add_tool(tool);
    }
    let (host, manager) = host(&scripted, ExposureMode::Inline).await;
    assert_eq!(names(&host), ["mcp__a__one"]);
    let one = host.tools().remove(0);
    assert_eq!(one.annotations.read_only_hint, Some(false));
    assert_eq!(
        one.annotations.destructive_hint,
        Some(true),
        "nobody said it is harmless"
    );
    assert!(!host.has_tool("mcp__a__denied"));
    assert_eq!(host.instructions(), None);

    let mut changes = host.changes().remove(0);
    changes.mark_unchanged();
    scripted.add_tool("two");
    manager.refresh(&"a".parse().unwrap()).await.unwrap();
    changes.changed().await.unwrap();
    assert_eq!(names(&host), ["mcp__a__one", "mcp__a__two"]);
    manager.stop().await;
    assert_eq!(names(&host), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn results_keep_their_marks_pictures_and_faults() {
    let scripted = ScriptedServer::new("a");
    scripted.add_tool("one");
    let (host, _manager) = host(&scripted, ExposureMode::Inline).await;
    let picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    let result = json!({
        "isError": true,
        "content": [
            {"type": "text", "text": "what was seen"},
            {"type": "image", "data": picture, "mimeType": "image/png"},
        ],
    });
    scripted.script("one", Script::result(result));
    let answer = host
        .call_tool(call("mcp__a__one", json!({})))
        .await
        .unwrap();
    assert!(answer.is_error);
    assert!(
        answer.content[0]["text"]
            .as_str()
            .unwrap()
            .contains("what was seen")
    );
    assert_eq!(answer.content[1]["data"], picture);
    let refused = host.call_tool(call("mcp__a__nope", json!({}))).await;
    assert_eq!(refused.unwrap_err().code, MCP_TOOL_UNAVAILABLE);
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_client_are_one_run() {
    let scripted = ScriptedServer::new("a");
    scripted.add_tool("one");
    let (host, manager) = host(&scripted, ExposureMode::Inline).await;
    let hosts = Hosts::new(vec![Arc::new(host)]);
    let (run, other) = (hosts.begin_run().unwrap(), hosts.begin_run().unwrap());
    assert!(run.session().is_some() && run.session() != other.session());
    for _ in 0..64 {
        let call = HostedCall {
            run: Some(run.clone()),
            ..call("mcp__a__one", json!({}))
        };
        hosts.call_tool(call).await.unwrap();
    }
    assert_eq!((run.calls(), other.calls()), (64, 0));
    let of = |run: &RunHandle| HostedCall {
        run: Some(run.clone()),
        ..call("mcp__a__one", json!({}))
    };
    let error = hosts.call_tool(of(&run)).await.unwrap_err();
    assert_eq!(error.code, MCP_EXTERNAL_CALL_LIMIT_REACHED);
    hosts.call_tool(of(&other)).await.unwrap();
    let audit = serde_json::to_value(manager.snapshot().audit).unwrap();
    let session = run.session().unwrap().to_string();
    let events = audit.as_array().unwrap().iter();
    let of_run = events.filter(|event| event["facts"]["session"] == session.as_str());
    assert_eq!(of_run.count(), 65);
}

#[tokio::test(start_paused = true)]
async fn a_large_catalogue_is_three_tools_and_an_index() {
    let scripted = ScriptedServer::new("a");
    scripted.add_tool("send_letter");
    let (host, _manager) = host(&scripted, ExposureMode::Catalog).await;
    assert_eq!(
        names(&host),
        [
            "capability_search",
            "capability_describe",
            "capability_call"
        ]
    );
    assert!(host.instructions().is_some());
    let found = host.call_tool(call("capability_search", json!({"query": "letter"})));
    assert!(
        found.await.unwrap().content[0]
            .to_string()
            .contains("mcp__a__send_letter")
    );
    let arguments = json!({"name": "mcp__a__send_letter", "arguments": {"to": "you"}});
    let answer = host
        .call_tool(call("capability_call", arguments))
        .await
        .unwrap();
    assert!(answer.content[0].to_string().contains("you"));
}
