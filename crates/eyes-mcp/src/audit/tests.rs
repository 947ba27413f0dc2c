//! What records say, and what they never say.

use std::{sync::Arc, time::Duration};

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome, RingAudit},
    canonical::{Canonical, canonical_digest},
    provenance::Timestamp,
    redact::Redactor,
    report::ValueDigest,
    testing::audit_sink_contract,
};
use serde_json::{Map, Value, json};

use super::*;
use crate::{
    authorization::{OAuthEvent, OAuthEventSink as _, OAuthFault},
    codes,
    config::{Planes, RiskPolicy, ServerConfig, StdioServer, Transport},
    error::McpError,
    policy::{Risk, Selectors},
    result::{BoundContext, BoundedResult, bound},
};

fn server() -> ServerConfig {
    ServerConfig {
        id: "srv".parse().unwrap(),
        name: "My server".to_owned(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: false,
            prompts: false,
        },
        risk_policy: RiskPolicy::ReadOnly,
        tools: Selectors::default(),
        resources: Selectors::default(),
        prompts: Selectors::default(),
        timeout: Duration::from_secs(1),
        exposure: None,
        approval: crate::config::Approval::default(),
        transport: Transport::Stdio(StdioServer {
            command: "server".to_owned(),
            args: Vec::new(),
            cwd: None,
            env: std::collections::BTreeMap::new(),
        }),
    }
}

fn now() -> Timestamp {
    Timestamp::new("2026-01-31T23:59:59Z").unwrap()
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is no object"),
    }
}

fn result(value: &Value) -> BoundedResult {
    let context = BoundContext {
        server: "srv",
        tool: "write",
        max_chars: 256,
        artifacts: None,
        redactor: &Redactor::default(),
    };
    bound(value, &context).unwrap()
}

fn event(ending: CallEnding<'_>) -> AuditEvent {
    let record = CallRecord {
        at: now(),
        duration: Duration::from_micros(1_500),
        server: Some(&server()),
        target: CallTarget::Tool {
            name: "write",
            public_name: "mcp__srv__write",
            risk: Risk::Destructive,
            open_world: Some(true),
        },
        policy_allowed: false,
        session: None,
        arguments: &ArgumentsDigest::of(&map(json!({"path": "/hunter2"}))),
        ending,
    };
    record.event()
}

#[test]
fn a_call_says_server_tool_risk_and_digests_only() {
    let value = json!({"content": [{"type": "text", "text": "hunter2"}]});
    let event = event(CallEnding::Answered(&result(&value)));
    let text = serde_json::to_value(&event).unwrap();
    let arguments = json!({"path": "/hunter2"});
    assert_eq!(
        text,
        json!({
            "at": "2026-01-31T23:59:59Z",
            "subject": "srv",
            "action": "write",
            "durationMs": 2,
            "arguments": {
                "length": arguments.to_string().len(),
                "sha256": canonical_digest(&arguments).unwrap(),
            },
            "facts": {
                "openWorld": "true",
                "plane": "tools",
                "publicName": "mcp__srv__write",
                "resultBytes": value.to_string().len().to_string(),
                "resultTruncated": "false",
                "risk": "destructive",
                "riskPolicy": "read-only",
                "riskPolicyAllowed": "false",
                "serverName": "My server",
            },
            "status": "success",
            "result": {
                "length": value.to_string().len(),
                "sha256": canonical_digest(&value).unwrap(),
            },
        })
    );
    assert!(!text.to_string().contains("hunter2"));
    assert_eq!(serde_json::from_value::<AuditEvent>(text).unwrap(), event);
}

#[test]
fn w7_an_error_of_the_tool_is_recorded_as_one() {
    let value = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
    let result = result(&value);
    let event = event(CallEnding::Answered(&result));
    let AuditOutcome::Error {
        code,
        message_sha256,
    } = &event.outcome
    else {
        panic!("{event:?} is no error");
    };
    assert_eq!(code.as_str(), "MCP_TOOL_CALL_FAILED");
    assert_eq!(*message_sha256, result.sha256);
    let text = serde_json::to_string(&event).unwrap();
    assert!(text.contains(&format!("\"resultSha256\":\"{}\"", result.sha256)));
}

#[test]
fn calls_that_never_left_are_recorded_as_refused() {
    let refused = McpError::new(codes::MCP_TOOL_RISK_BLOCKED, "hunter2 may not");
    let failed = McpError::new(codes::MCP_REQUEST_TIMEOUT, "hunter2 took long").after_sending();
    let told = serde_json::to_string(&event(CallEnding::Failed(&refused))).unwrap();
    assert!(told.contains("\"status\":\"refused\",\"code\":\"MCP_TOOL_RISK_BLOCKED\""));
    let text = serde_json::to_string(&event(CallEnding::Failed(&failed))).unwrap();
    assert!(
        text.contains("\"status\":\"error\",\"code\":\"MCP_REQUEST_TIMEOUT\",\"messageSha256\":\"")
    );
    assert!(!text.contains("hunter2") && !told.contains("hunter2"));

    let unknown = CallRecord {
        at: now(),
        duration: Duration::ZERO,
        server: None,
        target: CallTarget::UnknownTool {
            public_name: "mcp__gone__tool",
        },
        policy_allowed: false,
        session: None,
        arguments: &ArgumentsDigest::of(&Map::new()),
        ending: CallEnding::Failed(&refused),
    };
    let event = unknown.event();
    assert_eq!(event.subject.as_str(), "mcp");
    assert_eq!(event.action.as_str(), "mcp__gone__tool");
}

#[test]
fn resources_and_prompts_do_not_say_which() {
    for (target, action) in [
        (CallTarget::Resource, "resource"),
        (CallTarget::Prompt, "prompt"),
    ] {
        let record = CallRecord {
            at: now(),
            duration: Duration::ZERO,
            server: Some(&server()),
            target,
            policy_allowed: true,
            session: None,
            arguments: &ArgumentsDigest::of(&map(json!({"uri": "file:///private"}))),
            ending: CallEnding::Failed(&McpError::new(codes::MCP_CONNECTION_UNHEALTHY, "gone")),
        };
        let event = record.event();
        assert_eq!(event.action.as_str(), action);
        let text = serde_json::to_string(&event).unwrap();
        assert!(text.contains("\"plane\":\"content\"") && !text.contains("private"));
    }
}

#[test]
fn arguments_beyond_the_bounds_are_not_hashed() {
    let nested = (0..65).fold(json!(1), |inner, _| json!([inner]));
    let shallow = (0..62).fold(json!(1), |inner, _| json!([inner]));
    let table = [
        (json!({}), true),
        (json!({ "a": shallow }), true),
        (json!({ "a": nested }), false),
        (json!({ "a": vec![1; 9_998] }), true),
        (json!({ "a": vec![1; 9_999] }), false),
        (json!({ "a": "x".repeat((1 << 20) - 1) }), true),
        (json!({ "a": "x".repeat(1 << 20) }), false),
        (json!({ "a": {"x".repeat(1 << 20): 1} }), false),
    ];
    for (at, (arguments, hashed)) in table.into_iter().enumerate() {
        let expected = hashed.then(|| canonical_digest(&arguments).unwrap());
        let digest = ArgumentsDigest::of(&map(arguments));
        assert_eq!(digest.value.map(|value| value.sha256), expected, "row {at}");
        assert_eq!(
            digest.sha256_text() == HASH_UNAVAILABLE,
            !hashed,
            "row {at}"
        );
    }
    let record = CallRecord {
        at: now(),
        duration: Duration::ZERO,
        server: Some(&server()),
        target: CallTarget::Resource,
        policy_allowed: true,
        session: None,
        arguments: &ArgumentsDigest::of(&map(json!({ "a": nested }))),
        ending: CallEnding::Failed(&McpError::new(codes::MCP_TOOL_UNAVAILABLE, "")),
    };
    let text = serde_json::to_string(&record.event()).unwrap();
    assert!(text.contains("\"argsSha256\":\"hash-unavailable\""));
}

#[test]
fn names_of_arguments_are_shown_in_order_and_bounded() {
    let digest = ArgumentsDigest::of(&map(
        json!({"b": 1, "a": "secret", "ghp_0123456789abcdefghijABCDEFGHIJ012345": 2}),
    ));
    assert_eq!(digest.keys, ["[REDACTED_TOKEN]", "a", "b"]);
    let shown = digest.to_json();
    assert_eq!(shown["argsSha256"], json!(digest.value.unwrap().sha256));
    assert!(!shown.to_string().contains("secret"));
    let many = |count: usize| (0..count).map(|n| (format!("k{n}"), json!(n))).collect();
    assert_eq!(ArgumentsDigest::of(&many(256)).keys.len(), 256);
    assert!(ArgumentsDigest::of(&many(257)).keys.is_empty());
    let long = |chars: usize| [("k".repeat(chars), json!(1))].into_iter().collect();
    assert_eq!(ArgumentsDigest::of(&long(8_192)).keys.len(), 1);
    assert!(ArgumentsDigest::of(&long(8_193)).keys.is_empty());
}

#[test]
fn steps_of_authorization_are_recorded_redacted() {
    let ring = Arc::new(RingAudit::new(10));
    let sink = AuthorizationAudit::new(
        Arc::clone(&ring) as _,
        Arc::new(eyes_evidence::testing::FixedClock),
        &[server()],
    );
    let failed = |code, message: &str| {
        let message = message.to_owned();
        OAuthEvent::Failed(OAuthFault { code, message })
    };
    let steps = [
        (OAuthEvent::TokenAcquired, "token-acquired"),
        (OAuthEvent::TokenRefreshed, "token-refreshed"),
        (OAuthEvent::LoggedIn, "logged-in"),
        (
            failed(codes::MCP_OAUTH_DISCOVERY_FAILED, "none"),
            "discovery-error",
        ),
        (
            failed(
                codes::MCP_OAUTH_FAILED,
                "client_secret=hunter2hunter2 was refused",
            ),
            "token-error",
        ),
    ];
    for (event, _) in &steps {
        sink.record(&"srv".parse().unwrap(), event);
    }
    let events = ring.events();
    let actions: Vec<&str> = events.iter().map(|event| event.action.as_str()).collect();
    assert_eq!(actions, steps.each_ref().map(|(_, name)| *name));
    assert_eq!(events[0].outcome, AuditOutcome::Success { result: None });
    let text = serde_json::to_string(&events[4]).unwrap();
    assert!(text.contains("\"plane\":\"oauth\"") && text.contains("\"serverName\":\"My server\""));
    assert!(
        text.contains("client_secret=[REDACTED] was refused"),
        "{text}"
    );
    sink.record(&"other".parse().unwrap(), &OAuthEvent::Connected);
    assert!(
        !serde_json::to_string(&ring.events()[5])
            .unwrap()
            .contains("serverName")
    );
}

#[test]
fn steps_of_connections_are_recorded_without_messages() {
    let peer = crate::ports::PeerInfo {
        protocol_version: "2025-11-25".to_owned(),
        name: "token=hunter2hunter2".to_owned(),
        ..crate::ports::PeerInfo::default()
    };
    let error = McpError::new(codes::MCP_CONNECT_FAILED, "hunter2hunter2");
    let said = |step| {
        let record = ConnectionRecord {
            at: now(),
            duration: Duration::from_millis(3),
            server: &server(),
            step,
        };
        serde_json::to_string(&record.event()).unwrap()
    };
    let texts = [
        said(ConnectionStep::Connected(&peer)),
        said(ConnectionStep::Refused(&error)),
        said(ConnectionStep::Ended(None)),
        said(ConnectionStep::Ended(Some(&error))),
    ];
    let words = [
        ["\"connect\"", "success", "2025-11-25"],
        ["\"connect\"", "\"error\"", "MCP_CONNECT_FAILED"],
        ["\"disconnect\"", "success", "\"transport\":\"stdio\""],
        ["\"disconnect\"", "\"error\"", "\"durationMs\":3"],
    ];
    for (text, words) in texts.iter().zip(words) {
        assert!(!text.contains("hunter2"), "{text}");
        for word in words {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}

#[test]
fn nothing_is_kept_while_it_is_switched_off() {
    let sink = Arc::new(RingAudit::new(10));
    let audit = McpAudit::new(10, Some(Arc::clone(&sink) as _));
    let error = McpError::new(codes::MCP_TOOL_NOT_ALLOWED, "no");
    audit.switch(false);
    audit.record(&event(CallEnding::Failed(&error)));
    assert_eq!((audit.events().len(), sink.events().len()), (0, 0));
    audit.switch(true);
    audit.record(&event(CallEnding::Failed(&error)));
    assert_eq!((audit.events().len(), sink.events().len()), (1, 1));
}

#[test]
fn the_ring_is_bounded_and_the_sink_gets_everything() {
    let alone = McpAudit::new(10, None);
    audit_sink_contract(&alone, || alone.events());
    let sink = Arc::new(RingAudit::new(100));
    let shared: Arc<dyn AuditSink> = Arc::<RingAudit>::clone(&sink);
    let audit = McpAudit::new(2, Some(shared));
    for _ in 0..5 {
        audit.record(&event(CallEnding::Failed(&McpError::new(
            codes::MCP_TOOL_NOT_ALLOWED,
            "no",
        ))));
    }
    assert_eq!((audit.events().len(), sink.events().len()), (2, 5));
    assert_eq!(audit.lost(), 0);
}

#[test]
fn a_result_is_measured_as_text() {
    let value = json!({"content": [{"type": "text", "text": "é"}]});
    let event = event(CallEnding::Answered(&result(&value)));
    let AuditOutcome::Success { result } = event.outcome else {
        panic!("no success");
    };
    let canonical = Canonical::of_value(&value).unwrap();
    assert_eq!(result, Some(ValueDigest::of(canonical.as_str())));
}
