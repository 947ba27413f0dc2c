//! What the model is told of a call that a program made, after the program ended.

use eyes_evidence::{digest::Sha256Digest, redact::safe_message};
use serde_json::{Map, Value, json};

use super::{BoundedResult, ResultImage};
use crate::{audit::CallEnding, codes, limits::MAX_DEFERRED_SUMMARY_CHARS};

/// The version of the JSON in the text.
pub const CONTEXT_SCHEMA_VERSION: &str = "deepseekeyes.mcp-context.v1";

/// A message that is put into the conversation for one call of a program.
///
/// Hosts give it the role `user` and the source `{kind: "plugin", plugin: "deepseekeyes", form: "mcp-context",
/// summary}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeferredContext {
    /// One line for people, at most 120 characters.
    pub summary: String,
    /// The prefix `[DeepSeekEyes MCP context]`, a line break and JSON.
    pub text: String,
    /// The pictures that the program cannot carry.
    pub images: Vec<ResultImage>,
}

/// Makes the message; exactly one for each call, however it ended.
pub fn deferred_context(tool: &str, ending: CallEnding<'_>) -> DeferredContext {
    let mut members = Map::new();
    let mut member = |name: &str, value: Value| members.insert(name.to_owned(), value);
    member("schemaVersion", json!(CONTEXT_SCHEMA_VERSION));
    member("tool", json!(tool));
    let (status, images) = match ending {
        CallEnding::Answered(result) if !result.is_error => {
            member("status", json!("success"));
            member("resultSha256", json!(result.sha256));
            ("success", result.images.clone())
        }
        CallEnding::Answered(result) => {
            member("status", json!("error"));
            member("errorCode", json!(codes::MCP_TOOL_CALL_FAILED.as_str()));
            member("errorSha256", json!(result.sha256));
            ("error", result.images.clone())
        }
        CallEnding::Failed(error) => {
            member("status", json!("error"));
            member("errorCode", json!(error.code.as_str()));
            let sha256 = Sha256Digest::of(error.message.as_bytes());
            member("errorSha256", json!(sha256));
            ("error", Vec::new())
        }
    };
    member("imageCount", json!(images.len()));
    DeferredContext {
        summary: safe_message(&format!("MCP {tool}: {status}"), MAX_DEFERRED_SUMMARY_CHARS),
        text: format!("[DeepSeekEyes MCP context]\n{}", Value::Object(members)),
        images,
    }
}

impl BoundedResult {
    /// Returns the result as a program gets it: its pictures go with the [`DeferredContext`].
    #[must_use]
    pub fn for_program(&self) -> Self {
        Self {
            images: Vec::new(),
            ..self.clone()
        }
    }
}
