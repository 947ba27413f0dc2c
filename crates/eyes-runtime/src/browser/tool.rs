//! The tool `browser` for other hosts.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use eyes_browser::{
    session::{Session, StepResult},
    tool::{DESCRIPTION, NAME, SYSTEM_SECTION, schema},
};
use eyes_mcp::{
    definition::Annotations,
    error::McpError,
    ports::BoxFuture,
    serve::{HostedCall, HostedResult, HostedTool, ToolHost},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::BrowserPlane;

/// Offers `browser`: one browser for everybody who is served, one action at a time.
///
/// A state belongs to the session, not to a client: an action that is grounded in a state before another client's
/// action is stale.
#[derive(Debug)]
pub struct BrowserTool {
    plane: BrowserPlane,
}

impl BrowserTool {
    /// Takes a session; nothing is started before the first call.
    pub const fn new(plane: BrowserPlane) -> Self {
        Self { plane }
    }

    /// Returns the session.
    pub const fn session(&self) -> &Session {
        &self.plane.session
    }
}

impl ToolHost for BrowserTool {
    fn tools(&self) -> Vec<HostedTool> {
        let Value::Object(input_schema) = schema() else {
            unreachable!("the schema of the tool is an object")
        };
        vec![HostedTool {
            name: NAME.to_owned(),
            title: Some("Operate a web browser".to_owned()),
            description: DESCRIPTION.to_owned(),
            input_schema: Arc::new(input_schema),
            output_schema: None,
            annotations: Annotations {
                read_only_hint: Some(false),
                destructive_hint: Some(true),
                idempotent_hint: Some(false),
                open_world_hint: Some(true),
            },
        }]
    }

    fn instructions(&self) -> Option<String> {
        Some(SYSTEM_SECTION.to_owned())
    }

    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>> {
        Box::pin(async move {
            // Dropping the future stops the action and not the browser.
            let never = CancellationToken::new();
            let arguments = Value::Object(call.arguments);
            let result = self.plane.session.run_json(&arguments, &never).await;
            Ok(told(&result))
        })
    }
}

/// The text for a model, and the pictures that are delivered.
fn told(result: &StepResult) -> HostedResult {
    let mut content = vec![json!({"type": "text", "text": result.text()})];
    content.extend(result.pictures.iter().map(|picture| {
        json!({
            "type": "image",
            "data": STANDARD.encode(&picture.png),
            "mimeType": "image/png",
        })
    }));
    HostedResult {
        content,
        structured: None,
        is_error: !result.ok,
    }
}
