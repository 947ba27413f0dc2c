//! Every rule of the settings, with what it takes and what it refuses.

mod identity;
mod rules;
mod secrets;
mod weak_spots;

use eyes_evidence::code::Coded as _;
use serde_json::{Map, Value, json};

use super::*;
use crate::codes;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is no object"),
    }
}

/// Puts the members of `changes` over those of `base`; null takes one away.
fn changed(mut base: Value, changes: Value) -> Value {
    let members = base.as_object_mut().unwrap();
    for (name, value) in object(changes) {
        if value.is_null() {
            members.shift_remove(&name);
        } else {
            members.insert(name, value);
        }
    }
    base
}

fn stdio(changes: Value) -> Value {
    changed(
        json!({ "id": "git", "name": "Git", "transport": "stdio", "command": "git-server" }),
        changes,
    )
}

fn http(changes: Value) -> Value {
    changed(
        json!({ "id": "hub", "name": "Hub", "transport": "streamable-http", "url": "https://hub.example/mcp" }),
        changes,
    )
}

fn read(servers: Value) -> Result<McpConfig, ConfigError> {
    McpConfig::from_document(Map::from_iter([("mcpServers".to_owned(), servers)]))
}

fn server(settings: Value) -> ServerConfig {
    let shown = settings.to_string();
    let config = read(Value::Array(vec![settings])).expect(&shown);
    config.servers.into_iter().next().unwrap()
}

fn refusal(document: Value) -> String {
    let shown = document.to_string();
    let error = McpConfig::from_document(object(document)).expect_err(&shown);
    assert_eq!(error.code(), codes::MCP_CONFIG_INVALID);
    assert_eq!(error.code().as_str(), "MCP_CONFIG_INVALID");
    assert!(!error.hint().is_empty());
    error.to_string()
}

fn server_refusal(settings: Value) -> String {
    let servers = Value::Array(vec![settings]);
    refusal(Map::from_iter([("mcpServers".to_owned(), servers)]).into())
}
