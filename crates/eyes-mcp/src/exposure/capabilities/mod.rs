//! What the three fixed tools answer.

mod request;

use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use self::request::SearchRequest;
use self::request::{CallRequest, DescribeRequest};
use super::{
    Exposure, Presentation,
    description::{said, summary},
    fixed::{CAPABILITY_CALL, CAPABILITY_DESCRIBE, CAPABILITY_SEARCH},
};
use crate::{
    catalog::CatalogTool,
    codes,
    error::McpError,
    limits::{
        MAX_CLOSE_NAMES, MAX_DESCRIBED_SCHEMA_BYTES, MAX_SUMMARY_PARAMETERS, SCHEMA_HASH_DIGITS,
    },
    names::ServerId,
    search::{SearchIndex, SearchQuery},
};

/// The capabilities that are there now: searched, described and resolved.
///
/// It holds allowed tools only, whoever fills it sees to that. Cloning is cheap, and one server's tools are replaced
/// without the others being looked at.
#[derive(Debug, Clone, Default)]
pub struct Capabilities {
    index: SearchIndex,
}

/// What one of the three tools answers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum CapabilityAnswer {
    /// The hits of a search, best first; [`Exposure::found`] makes the blocks of them.
    Found {
        /// The hits as JSON for the model.
        value: Value,
        /// Their public names.
        names: Vec<String>,
    },
    /// Something that the model reads.
    Told(Value),
    /// A call to be made: everything else is checked by whoever makes it.
    Call {
        /// The tool.
        tool: Arc<CatalogTool>,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
}

impl Capabilities {
    /// Makes one without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the tools of a server instead of those it had; without any the server is forgotten.
    pub fn replace(&mut self, server: &ServerId, tools: &[Arc<CatalogTool>]) {
        self.index.replace(server, tools);
    }

    /// Returns the index.
    pub const fn index(&self) -> &SearchIndex {
        &self.index
    }

    /// Answers a call of one of the three tools.
    ///
    /// Errors: `MCP_CAPABILITY_REQUEST_INVALID` names the argument that is wrong; `MCP_TOOL_UNAVAILABLE` names
    /// capabilities with names like the one that is not there.
    pub fn answer(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<CapabilityAnswer, McpError> {
        match name {
            CAPABILITY_SEARCH => Ok(self.search(&SearchRequest::parse(arguments)?)),
            CAPABILITY_DESCRIBE => Ok(self.describe(&DescribeRequest::parse(arguments)?)),
            CAPABILITY_CALL => self.call(CallRequest::parse(arguments)?),
            _ => Err(McpError::new(
                codes::MCP_TOOL_UNAVAILABLE,
                format!(
                    "{:?} is no capability tool",
                    name.chars().take(64).collect::<String>()
                ),
            )),
        }
    }

    fn search(&self, request: &SearchRequest) -> CapabilityAnswer {
        let hits = self.index.search(&SearchQuery {
            text: &request.query,
            server: request.server.as_deref(),
            risk: request.risk,
            limit: request.limit,
        });
        let names = hits
            .iter()
            .map(|hit| hit.tool.public_name.to_string())
            .collect();
        let listed: Vec<Value> = hits.iter().map(|hit| hit_value(&hit.tool)).collect();
        let mut value = json!({ "hits": listed });
        if hits.is_empty() {
            value["note"] = json!("nothing found; try other words, or leave server and risk out");
        }
        CapabilityAnswer::Found { value, names }
    }

    fn describe(&self, request: &DescribeRequest) -> CapabilityAnswer {
        let described: Vec<Value> = request
            .names
            .iter()
            .map(|name| match self.index.get(name) {
                Some(tool) => describe_value(tool),
                None => json!({ "name": name, "unknown": true, "closeNames": self.close(name) }),
            })
            .collect();
        CapabilityAnswer::Told(json!({ "capabilities": described }))
    }

    fn call(&self, request: CallRequest) -> Result<CapabilityAnswer, McpError> {
        let Some(tool) = self.index.get(&request.name) else {
            let close = self.close(&request.name);
            let advice = if close.is_empty() {
                "nothing has a name like it".to_owned()
            } else {
                format!("close names: {}", close.join(", "))
            };
            return Err(McpError::new(
                codes::MCP_TOOL_UNAVAILABLE,
                format!("no capability has the name {:?}; {advice}", request.name),
            ));
        };
        let is_stale = request
            .schema_hash
            .as_deref()
            .is_some_and(|hash| !matches_hash(tool, hash));
        if is_stale {
            return Ok(CapabilityAnswer::Told(json!({
                "called": false,
                "reason": "schemaHash is stale: the definition changed; this is what it is now",
                "capability": describe_value(tool),
            })));
        }
        Ok(CapabilityAnswer::Call {
            tool: Arc::clone(tool),
            arguments: request.arguments,
        })
    }

    fn close(&self, name: &str) -> Vec<String> {
        self.index.close_names(name, MAX_CLOSE_NAMES)
    }
}

impl Exposure {
    /// Makes the content blocks of a search's answer.
    ///
    /// What the provider keeps back becomes a `tool_reference`, but only if this session's definitions have it: a
    /// reference to anything else makes the provider refuse the request. Everything else is told as text.
    pub fn found(&self, value: &Value, names: &[String]) -> Vec<Value> {
        if !self.answers_with_references {
            return vec![json!({ "type": "text", "text": value.to_string() })];
        }
        let is_deferred = |name: &&String| {
            self.definitions
                .iter()
                .any(|definition| definition.defer_loading && definition.name == **name)
        };
        let mut blocks: Vec<Value> = names
            .iter()
            .filter(is_deferred)
            .map(|name| json!({ "type": "tool_reference", "tool_name": name }))
            .collect();
        let has_catalog = self
            .rows
            .iter()
            .any(|row| row.presentation == Presentation::Catalog && row.blocked.is_none());
        if has_catalog || blocks.is_empty() {
            blocks.push(json!({ "type": "text", "text": value.to_string() }));
        }
        blocks
    }
}

/// Returns what of a definition's digest stands for its schema.
fn hash(tool: &CatalogTool) -> String {
    let mut hash = tool.digest().to_string();
    hash.truncate(SCHEMA_HASH_DIGITS);
    hash
}

fn matches_hash(tool: &CatalogTool, hash: &str) -> bool {
    hash.len() >= SCHEMA_HASH_DIGITS && tool.digest().to_string().starts_with(hash)
}

fn required(tool: &CatalogTool) -> Vec<&str> {
    tool.definition
        .input_schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .take(MAX_SUMMARY_PARAMETERS)
        .collect()
}

fn hit_value(tool: &CatalogTool) -> Value {
    json!({
        "name": tool.public_name,
        "summary": summary(tool),
        "risk": tool.risk,
        "required": required(tool),
    })
}

fn describe_value(tool: &CatalogTool) -> Value {
    let schema = &tool.definition.input_schema;
    let mut value = json!({
        "name": tool.public_name,
        "description": said(tool),
        "risk": tool.risk,
        "schemaHash": hash(tool),
    });
    let bytes = serde_json::to_string(schema.as_ref()).map_or(usize::MAX, |text| text.len());
    if bytes <= MAX_DESCRIBED_SCHEMA_BYTES {
        value["inputSchema"] = Value::Object(schema.as_ref().clone());
    } else {
        value["inputSchemaTooLarge"] = json!({ "bytes": bytes, "members": outline(tool) });
    }
    value
}

/// Returns the members of a schema that is too large to be told: their types, and which are required.
fn outline(tool: &CatalogTool) -> Value {
    let required = required(tool);
    let members = tool
        .definition
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let listed: Map<String, Value> = members
        .into_iter()
        .flatten()
        .take(200)
        .map(|(name, schema)| {
            let kind = schema.get("type").cloned().unwrap_or_else(|| json!("any"));
            let required = required.contains(&name.as_str());
            (name.clone(), json!({ "type": kind, "required": required }))
        })
        .collect();
    listed.into()
}
