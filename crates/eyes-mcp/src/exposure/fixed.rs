//! The three tools through which a catalogue is used, the same in every session.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::ModelTool;

/// The name of the tool that searches.
pub const CAPABILITY_SEARCH: &str = "capability_search";
/// The name of the tool that describes.
pub const CAPABILITY_DESCRIBE: &str = "capability_describe";
/// The name of the tool that calls.
pub const CAPABILITY_CALL: &str = "capability_call";

/// Whether a name is that of one of the three tools.
pub fn is_capability_tool(name: &str) -> bool {
    [CAPABILITY_SEARCH, CAPABILITY_DESCRIBE, CAPABILITY_CALL].contains(&name)
}

/// The three tools of a catalogue.
pub(super) fn catalog_tools() -> Vec<ModelTool> {
    vec![
        search(
            "Find MCP capabilities by what they do, in English or Chinese. Returns names, summaries and required \
             parameters, best first.",
        ),
        tool(
            CAPABILITY_DESCRIBE,
            "Return the exact input schema, its schemaHash and the risk of capabilities by name.",
            json!({
                "type": "object",
                "properties": {
                    "names": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 5 },
                },
                "required": ["names"],
                "additionalProperties": false,
            }),
        ),
        tool(
            CAPABILITY_CALL,
            "Call one capability by name. Arguments are checked against its schema before anything is sent.",
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string" },
                    "schemaHash": { "type": "string", "description": "From capability_describe." },
                    "arguments": { "type": "object", "properties": {} },
                },
                "required": ["name", "arguments"],
                "additionalProperties": false,
            }),
        ),
    ]
}

/// The one tool beside definitions that the provider keeps back.
pub(super) fn reference_tools() -> Vec<ModelTool> {
    vec![search(
        "Find MCP tools by what they do, in English or Chinese. The tools that are found can be called from then on.",
    )]
}

fn search(description: &str) -> ModelTool {
    tool(
        CAPABILITY_SEARCH,
        description,
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string" },
                "server": { "type": "string" },
                "risk": { "type": "string", "enum": ["read", "write", "unknown-write", "destructive"] },
                "limit": { "type": "integer", "minimum": 1, "maximum": 20 },
            },
            "required": ["query"],
            "additionalProperties": false,
        }),
    )
}

fn tool(name: &str, description: &str, schema: Value) -> ModelTool {
    let input_schema = match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    ModelTool {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: Arc::new(input_schema),
        defer_loading: false,
    }
}

#[derive(Serialize)]
struct AsAnthropic<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Map<String, Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
}

impl ModelTool {
    /// Returns it as Anthropic's API takes it.
    pub fn to_anthropic(&self) -> Value {
        let mut value = json!({
            "name": self.name,
            "description": self.description,
            "input_schema": *self.input_schema,
        });
        if self.defer_loading {
            value["defer_loading"] = Value::Bool(true);
        }
        value
    }

    /// Returns what [`to_anthropic`](Self::to_anthropic) copies, to be written only.
    pub(super) fn as_anthropic(&self) -> impl Serialize {
        AsAnthropic {
            name: &self.name,
            description: &self.description,
            input_schema: &self.input_schema,
            defer_loading: self.defer_loading,
        }
    }

    /// Returns it as the chat APIs of `OpenAI` and `DeepSeek` take it.
    pub fn to_openai(&self) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": *self.input_schema,
            },
        })
    }

    /// Returns it as a tool of MCP.
    pub fn to_mcp(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": *self.input_schema,
        })
    }
}
