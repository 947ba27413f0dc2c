//! Environment variables that set members.

use serde_json::Value;

use super::ConfigError;

/// Environment variables and the members that they set; servers are never taken from the environment.
pub const VARIABLES: [(&str, &str); 7] = [
    ("DEEPSEEKEYES_MCP_ENABLED", "mcpEnabled"),
    ("DEEPSEEKEYES_MCP_MAX_TOOLS", "mcpMaxTools"),
    ("DEEPSEEKEYES_MCP_MAX_SCHEMA_TOKENS", "mcpMaxSchemaTokens"),
    ("DEEPSEEKEYES_MCP_MAX_RESULT_CHARS", "mcpMaxResultChars"),
    (
        "DEEPSEEKEYES_MCP_MAX_EXTERNAL_CALLS_PER_RUN",
        "mcpMaxExternalCallsPerRun",
    ),
    (
        "DEEPSEEKEYES_MCP_TOOL_CALL_TIMEOUT_MS",
        "mcpToolCallTimeoutMs",
    ),
    ("DEEPSEEKEYES_MCP_AUDIT", "mcpAudit"),
];

/// The largest integer that every reader of JSON keeps exactly (RFC 8259, section 6).
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Reads the text of the variable that sets `member`, one of [`VARIABLES`]; nothing for any other member.
///
/// A switch is `1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off` in any case; a number has digits only and does
/// not begin with a zero. Errors: `MCP_CONFIG_INVALID`.
pub fn variable_value(member: &str, text: &str) -> Option<Result<Value, ConfigError>> {
    let &(variable, _) = VARIABLES.iter().find(|(_, known)| *known == member)?;
    let text = text.trim();
    let read = if matches!(member, "mcpEnabled" | "mcpAudit") {
        switch(text)
            .map(Value::Bool)
            .ok_or("is none of 1, true, yes, on, 0, false, no, off")
    } else {
        integer(text)
            .map(Value::from)
            .ok_or("is no plain decimal number")
    };
    Some(read.map_err(|reason| ConfigError::Variable { variable, reason }))
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

fn integer(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (text == "0" || !text.starts_with('0'));
    let number = text.parse().ok().filter(|_| plain)?;
    (number <= MAX_SAFE_INTEGER).then_some(number)
}
