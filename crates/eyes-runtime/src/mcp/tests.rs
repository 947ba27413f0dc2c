//! What a composition writes down.

use std::{fs, path::Path};

use eyes_evidence::audit::{
    AuditEvent, AuditOutcome,
    chain::{ChainedLog, LogBounds},
};
use eyes_mcp::{call::ToolCall, oauth::OAuthStatus};
use serde_json::Map;

use super::*;
use crate::{environment::Platform, executor::Executor};

const SETTINGS: &str = r#"{
    "mcpEnabled": true,
    "mcpServers": [
        {"id": "gone", "name": "Gone", "transport": "stdio", "command": "/nowhere/at/all"},
        {
            "id": "web", "name": "Web", "transport": "streamable-http", "url": "http://127.0.0.1:9/mcp",
            "enabled": false,
            "oauth": {"enabled": true, "clientId": {"env": "NO_ID"}, "clientSecret": {"env": "NO_SECRET"}}
        }
    ]
}"#;

/// Starts a server that is not there, calls a tool of it, and asks for a token without credentials.
fn refused(settings: &Settings, data_dir: &Path) -> McpPlane {
    let executor = Executor::new().unwrap();
    executor.block_on(async {
        let surroundings = McpSurroundings {
            data_dir: Some(data_dir),
            environment: &Environment::new([], Platform::CURRENT),
            elicitor: None,
        };
        let plane = McpPlane::compose(settings, &surroundings).unwrap();
        plane.manager.start().await;
        plane.manager.settled().await;
        let call = ToolCall {
            name: "mcp__gone__look".to_owned(),
            arguments: Map::new(),
            run: None,
            progress: None,
        };
        plane.manager.call_tool(call).await.unwrap_err();
        let web = &plane.manager.config().servers[1];
        let source = plane.tokens.for_server(web).unwrap();
        source.token().await.unwrap_err();
        plane
    })
}

#[test]
fn calls_connections_and_authorizations_are_kept_in_a_private_log() {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings::parse_json(SETTINGS).unwrap();
    let plane = refused(&settings, dir.path());
    assert!(plane.warnings.is_empty(), "{:?}", plane.warnings);
    let path = dir.path().join(MCP_AUDIT);
    let log = ChainedLog::open(&path, LogBounds::default()).unwrap();
    assert!(log.verify().unwrap().is_intact());
    let kept: Vec<AuditEvent> = log
        .newest(10)
        .unwrap()
        .into_iter()
        .map(|entry| entry.event)
        .collect();
    let mut said: Vec<(&str, &str)> = kept
        .iter()
        .map(|event| match &event.outcome {
            AuditOutcome::Success { .. } => (event.action.as_str(), "ok"),
            AuditOutcome::Refused { code } | AuditOutcome::Error { code, .. } => {
                (event.action.as_str(), code.as_str())
            }
        })
        .collect();
    said.sort_unstable();
    assert_eq!(
        said,
        [
            ("connect", "MCP_CONNECT_FAILED"),
            ("mcp__gone__look", "MCP_TOOL_UNAVAILABLE"),
            ("token-error", "MCP_OAUTH_CREDENTIAL_MISSING"),
        ]
    );
    assert_eq!(plane.audit.events().len(), 3, "the ring has them too");

    let snapshot = serde_json::to_value(plane.manager.snapshot()).unwrap();
    let oauth = &snapshot["servers"][1]["oauth"];
    assert_eq!(oauth["status"], OAuthStatus::Error.name());
    assert_eq!(oauth["lastError"]["code"], "MCP_OAUTH_CREDENTIAL_MISSING");
    assert!(snapshot["servers"][0].get("oauth").is_none());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

#[test]
fn whoever_keeps_no_log_has_none() {
    for member in ["mcpAudit", "mcpAuditPath", "cacheDir"] {
        let dir = tempfile::tempdir().unwrap();
        let text = SETTINGS.replacen('{', &format!("{{\"{member}\": false, "), 1);
        let plane = refused(&Settings::parse_json(&text).unwrap(), dir.path());
        assert!(!dir.path().join(MCP_AUDIT).exists(), "{member}");
        let kept = if member == "mcpAudit" { 0 } else { 3 };
        assert_eq!(plane.audit.events().len(), kept, "{member}");
    }
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(MCP_AUDIT)).unwrap();
    let settings = Settings::parse_json(SETTINGS).unwrap();
    assert!(refused(&settings, dir.path()).audit.lost() > 0);
}
