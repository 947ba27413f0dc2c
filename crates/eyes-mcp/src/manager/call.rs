//! The guarded path of a call: found, allowed, approved, validated, counted, and only then sent; once.

use std::sync::Arc;

use eyes_evidence::{code::ErrorCode, redact::Redactor};
use serde_json::Value;

use super::{
    Inner, Manager,
    book::{Booking, Subject},
    route::{FoundTool, Way},
};
use crate::{
    audit::ArgumentsDigest,
    call::{CallOutcome, ToolCall},
    catalog::CatalogTool,
    codes::{MCP_REQUEST_CLOSED, MCP_REQUEST_FAILED, MCP_TOOL_CALL_FAILED, MCP_TOOL_NOT_APPROVED},
    error::McpError,
    ports::{CallQuestion, McpRequest},
    quota::CallQuota,
    result::{BoundContext, BoundedResult, bound},
    schema::Violation,
};

impl Manager {
    /// Calls a tool.
    ///
    /// In this order: the tool is there and policy allows it, somebody approves the call where that is asked for,
    /// its arguments fit the server's own schema, the run has calls left; after each wait it is looked at
    /// again. It is sent once and never again. Whatever comes of it is audited, also a refusal; dropping the
    /// future cancels it at the server and is audited too.
    ///
    /// A result that the tool calls an error is an outcome. Errors: `MCP_TOOL_UNAVAILABLE`,
    /// `MCP_TOOL_RISK_BLOCKED`, `MCP_TOOL_NOT_ALLOWED`, `MCP_TOOL_NOT_APPROVED`, those of
    /// [`ArgumentSchema`](crate::schema::ArgumentSchema), `MCP_EXTERNAL_CALL_LIMIT_REACHED`,
    /// `MCP_TOOL_CALL_FAILED` where the server refused, those of the connection, and those of
    /// [`bound`].
    pub async fn call_tool(&self, call: ToolCall) -> Result<CallOutcome, McpError> {
        let subject = Subject::Tool {
            public_name: call.name.clone(),
            found: None,
        };
        let arguments = ArgumentsDigest::of(&call.arguments);
        let mut booking = Booking::new(&self.inner, subject, arguments, call.run.as_ref());
        let answer = self.inner.call_tool(call, &mut booking).await;
        booking.ended(answer)
    }
}

impl Inner {
    async fn call_tool(
        &self,
        call: ToolCall,
        booking: &mut Booking<'_>,
    ) -> Result<BoundedResult, McpError> {
        let found = self.find_tool(&call.name)?;
        booking.server(&found.view.config);
        booking.tool(&found.tool);
        found.open()?;
        self.authorize_tool(&found, &call).await?;
        self.check_arguments(&found.tool, &call)?;
        let way = self.still(&found)?;
        let quota = CallQuota::new(self.state().config.max_calls_per_run);
        booking.holds(quota.reserve(call.run.as_ref())?);
        let request = McpRequest::CallTool {
            name: found.tool.definition.name.clone(),
            arguments: call.arguments,
        };
        booking.leaves();
        let options = way.options(call.progress);
        let answer = way.connection.request(request, options).await;
        let redactor = self.redactors.of(&way.config, self.parts.secrets.as_ref());
        let name = found.tool.public_name.as_str();
        let answer = answer.map_err(|error| told(error, MCP_TOOL_CALL_FAILED, name))?;
        let answer = Answer {
            value: answer,
            tool: found.tool.definition.name.clone(),
        };
        let mut result = self.bound(&way, answer, redactor).await?;
        if !result.is_error {
            self.note_mismatch(&found.tool, &mut result);
        }
        Ok(result.result)
    }

    async fn authorize_tool(&self, found: &FoundTool, call: &ToolCall) -> Result<(), McpError> {
        self.authorize(&CallQuestion {
            server: &found.view.config,
            action: &found.tool.definition.name,
            public_name: found.tool.public_name.as_str(),
            risk: found.tool.risk,
            arguments: &call.arguments,
        })
        .await?;
        self.still(found).map(drop)
    }

    /// Asks whoever decides about calls; without one every call that policy allows may leave.
    pub(super) async fn authorize(&self, question: &CallQuestion<'_>) -> Result<(), McpError> {
        let Some(authorizer) = &self.parts.authorizer else {
            return Ok(());
        };
        let name = question.public_name;
        match authorizer.authorize(question).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(McpError::new(
                MCP_TOOL_NOT_APPROVED,
                format!("nobody approved the call of {name}"),
            )),
            Err(error) => Err(McpError::new(
                MCP_TOOL_NOT_APPROVED,
                format!(
                    "the call of {name} could not be approved: {}",
                    error.message
                ),
            )),
        }
    }

    fn check_arguments(&self, tool: &CatalogTool, call: &ToolCall) -> Result<(), McpError> {
        match self.schemas.input(tool.digest(), &tool.definition).as_ref() {
            Ok(schema) => schema.check(&call.arguments),
            Err(error) => Err(error.clone()),
        }
    }

    /// Bounds a result. It may be large and may be written to the disk, so other calls do not wait for it.
    pub(super) async fn bound(
        &self,
        way: &Way,
        answer: Answer,
        redactor: Arc<Redactor>,
    ) -> Result<Bounded, McpError> {
        let max_chars = self.state().config.max_result_chars;
        let artifacts = self.parts.artifacts.clone();
        let server = way.config.id.clone();
        let work = move || {
            let context = BoundContext {
                server: server.as_str(),
                tool: &answer.tool,
                max_chars,
                artifacts: artifacts.as_deref(),
                redactor: &redactor,
            };
            let result = bound(&answer.value, &context)?;
            let structured = answer.value.get("structuredContent").cloned();
            Ok(Bounded { result, structured })
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result,
            // A defect shows where it would without the other thread.
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(McpError::new(
                MCP_REQUEST_CLOSED,
                "the runtime ended before the result was worked on",
            )
            .after_sending()),
        }
    }

    /// Says where structured content is not what the tool promised; it is kept as it is.
    fn note_mismatch(&self, tool: &CatalogTool, bounded: &mut Bounded) {
        let Some(schema) = self.schemas.output(tool.digest(), &tool.definition) else {
            return;
        };
        let note = match (schema.as_ref(), &bounded.structured) {
            (Ok(schema), Some(value)) => match schema.violations(value) {
                Ok(violations) if violations.is_empty() => return,
                Ok(violations) => {
                    let listed: Vec<String> = violations.iter().map(Violation::to_string).collect();
                    format!(
                        "structuredContent is not what the tool promises: {}",
                        listed.join("; ")
                    )
                }
                Err(error) => format!("structuredContent was not checked: {}", error.message),
            },
            (Ok(_), None) => "the tool promises structuredContent and gave none".to_owned(),
            (Err(error), _) => format!("structuredContent was not checked: {}", error.message),
        };
        bounded.result.notes.push(note);
    }
}

/// A result as the server gave it.
pub(super) struct Answer {
    pub(super) value: Value,
    /// The server's own name of the tool, or what stands for it.
    pub(super) tool: String,
}

/// A result that was bounded.
pub(super) struct Bounded {
    pub(super) result: BoundedResult,
    structured: Option<Value>,
}

impl std::ops::Deref for Bounded {
    type Target = BoundedResult;

    fn deref(&self) -> &BoundedResult {
        &self.result
    }
}

/// Says what failed; what the server itself refused gets the code of the kind of call.
pub(super) fn told(mut error: McpError, refused: ErrorCode, name: &str) -> McpError {
    if error.code == MCP_REQUEST_FAILED {
        error.code = refused;
    }
    error.message = format!("{name} failed: {}", error.message);
    error
}
