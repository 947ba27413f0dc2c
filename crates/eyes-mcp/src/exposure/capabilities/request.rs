//! Arguments of the three tools.

use serde_json::{Map, Value};

use crate::{
    codes,
    error::McpError,
    limits::{DEFAULT_SEARCH_HITS, MAX_DESCRIBED, MAX_QUERY_CHARS, MAX_SEARCH_HITS},
    policy::Risk,
};

/// Arguments of `capability_search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    /// What is looked for, at most [`MAX_QUERY_CHARS`] of it.
    pub query: String,
    /// Only of this server.
    pub server: Option<String>,
    /// Only of this risk.
    pub risk: Option<Risk>,
    /// Hits at most: 1 to [`MAX_SEARCH_HITS`].
    pub limit: usize,
}

/// Arguments of `capability_describe`.
#[derive(Debug)]
pub(super) struct DescribeRequest {
    pub(super) names: Vec<String>,
}

/// Arguments of `capability_call`.
#[derive(Debug)]
pub(super) struct CallRequest {
    pub(super) name: String,
    pub(super) schema_hash: Option<String>,
    pub(super) arguments: Map<String, Value>,
}

impl SearchRequest {
    /// Reads the arguments; `MCP_CAPABILITY_REQUEST_INVALID` names the one that is wrong.
    pub fn parse(arguments: &Map<String, Value>) -> Result<Self, McpError> {
        only(arguments, &["query", "server", "risk", "limit"])?;
        let query = text(arguments, "query")?.ok_or_else(|| invalid("/query", "a text"))?;
        let risk = match text(arguments, "risk")?.as_deref() {
            None => None,
            Some("read") => Some(Risk::Read),
            Some("write") => Some(Risk::Write),
            Some("unknown-write") => Some(Risk::UnknownWrite),
            Some("destructive") => Some(Risk::Destructive),
            Some(_) => {
                return Err(invalid(
                    "/risk",
                    "read, write, unknown-write or destructive",
                ));
            }
        };
        let limit = match arguments.get("limit") {
            None | Some(Value::Null) => DEFAULT_SEARCH_HITS,
            Some(limit) => limit
                .as_u64()
                .filter(|limit| (1..=MAX_SEARCH_HITS as u64).contains(limit))
                .ok_or_else(|| invalid("/limit", "a whole number from 1 to 20"))?
                as usize,
        };
        Ok(Self {
            query: query.chars().take(MAX_QUERY_CHARS).collect(),
            server: text(arguments, "server")?,
            risk,
            limit,
        })
    }
}

impl DescribeRequest {
    pub(super) fn parse(arguments: &Map<String, Value>) -> Result<Self, McpError> {
        only(arguments, &["names"])?;
        let expected = || invalid("/names", "1 to 5 names");
        let names: Vec<String> = match arguments.get("names") {
            // Models that want one often give one.
            Some(Value::String(name)) => vec![bounded(name)],
            Some(Value::Array(names)) if names.len() <= MAX_DESCRIBED => names
                .iter()
                .map(|name| name.as_str().map(bounded).ok_or_else(expected))
                .collect::<Result<_, _>>()?,
            _ => return Err(expected()),
        };
        if names.is_empty() {
            return Err(expected());
        }
        Ok(Self { names })
    }
}

impl CallRequest {
    pub(super) fn parse(arguments: &Map<String, Value>) -> Result<Self, McpError> {
        only(arguments, &["name", "schemaHash", "arguments"])?;
        let name = text(arguments, "name")?.ok_or_else(|| invalid("/name", "a text"))?;
        let passed = match arguments.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(map)) => map.clone(),
            Some(_) => return Err(invalid("/arguments", "an object")),
        };
        Ok(Self {
            name: bounded(&name),
            schema_hash: text(arguments, "schemaHash")?.filter(|hash| !hash.is_empty()),
            arguments: passed,
        })
    }
}

fn only(arguments: &Map<String, Value>, known: &[&str]) -> Result<(), McpError> {
    match arguments.keys().find(|key| !known.contains(&key.as_str())) {
        Some(_) => Err(invalid("", &format!("nothing but {}", known.join(", ")))),
        None => Ok(()),
    }
}

fn text(arguments: &Map<String, Value>, key: &str) -> Result<Option<String>, McpError> {
    match arguments.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(invalid(&format!("/{key}"), "a text")),
    }
}

fn invalid(pointer: &str, expected: &str) -> McpError {
    let place = if pointer.is_empty() {
        "(root)"
    } else {
        pointer
    };
    McpError::new(
        codes::MCP_CAPABILITY_REQUEST_INVALID,
        format!("{place}: must be {expected}"),
    )
}

/// Names of tools are short; longer texts are not repeated in messages.
fn bounded(name: &str) -> String {
    name.chars().take(128).collect()
}
