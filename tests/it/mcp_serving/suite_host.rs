//! The tools that scenarios of the conformance suite call, with what each has to answer.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use eyes_mcp::{
    codes::MCP_TOOL_CALL_FAILED,
    definition::Annotations,
    error::McpError,
    ports::{BoxFuture, Progress},
    serve::{HostedCall, HostedResult, HostedTool, ToolHost},
};
use serde_json::{Value, json};
use tokio::sync::watch;

/// A picture of one point.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// A sound without a sample.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
/// The tool that makes the list another one.
const CHANGES: &str = "test_trigger_tool_change";

/// Offers the tools of the suite.
#[derive(Debug)]
pub(super) struct SuiteHost {
    changes: watch::Sender<u64>,
    changed: AtomicBool,
}

impl SuiteHost {
    pub(super) fn new() -> Self {
        Self {
            changes: watch::Sender::new(0),
            changed: AtomicBool::new(false),
        }
    }

    fn answer(&self, name: &str) -> Value {
        match name {
            "test_simple_text" => {
                json!([{"type": "text", "text": "This is a simple text response for testing."}])
            }
            "test_image_content" => json!([picture()]),
            "test_audio_content" => {
                json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])
            }
            "test_embedded_resource" => json!([{"type": "resource", "resource": {
                "uri": "test://embedded-resource", "mimeType": "text/plain",
                "text": "This is an embedded resource content.",
            }}]),
            "test_multiple_content_types" => json!([
                {"type": "text", "text": "Multiple content types test:"},
                picture(),
                {"type": "resource", "resource": {
                    "uri": "test://mixed-content-resource", "mimeType": "application/json",
                    "text": r#"{"test":"data","value":123}"#,
                }},
            ]),
            CHANGES => {
                self.changed.store(true, Ordering::Release);
                self.changes.send_modify(|count| *count += 1);
                json!([{"type": "text", "text": "changed"}])
            }
            _ => json!([{"type": "text", "text": "done"}]),
        }
    }
}

impl ToolHost for SuiteHost {
    fn tools(&self) -> Vec<HostedTool> {
        let plain = json!({"type": "object", "properties": {}});
        let names = [
            "test_simple_text",
            "test_image_content",
            "test_audio_content",
            "test_embedded_resource",
            "test_multiple_content_types",
            "test_error_handling",
            "test_tool_with_progress",
            CHANGES,
        ];
        let mut tools: Vec<HostedTool> = names.map(|name| tool(name, plain.clone())).into();
        tools.push(tool("json_schema_2020_12_tool", rich_schema()));
        let mirrored = json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "required": ["region"],
        });
        tools.push(tool("test_custom_headers", mirrored));
        if self.changed.load(Ordering::Acquire) {
            tools.push(tool("test_added", plain));
        }
        tools
    }

    fn changes(&self) -> Vec<watch::Receiver<u64>> {
        vec![self.changes.subscribe()]
    }

    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>> {
        Box::pin(async move {
            if call.name == "test_error_handling" {
                let message = "This tool intentionally returns an error for testing";
                return Err(McpError::new(MCP_TOOL_CALL_FAILED, message));
            }
            if let ("test_tool_with_progress", Some(sink)) = (call.name.as_str(), &call.progress) {
                for step in [0.0, 50.0, 100.0] {
                    sink.progress(Progress {
                        progress: step,
                        total: Some(100.0),
                        message: None,
                    });
                }
            }
            let Value::Array(content) = self.answer(&call.name) else {
                unreachable!("every answer here is a list of blocks");
            };
            Ok(HostedResult {
                content,
                ..HostedResult::default()
            })
        })
    }
}

fn picture() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

fn tool(name: &str, schema: Value) -> HostedTool {
    let Value::Object(schema) = schema else {
        unreachable!("the schemas here are objects");
    };
    HostedTool {
        name: name.to_owned(),
        title: None,
        description: format!("{name} of the conformance suite"),
        input_schema: Arc::new(schema),
        output_schema: None,
        annotations: Annotations::default(),
    }
}

/// The keywords of JSON Schema 2020-12 that the suite looks for in the list.
fn rich_schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": text, "city": text},
        }},
        "properties": {
            "name": text,
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": text,
            "email": text,
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
