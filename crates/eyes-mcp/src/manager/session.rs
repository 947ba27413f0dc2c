//! One session of a model: what it is told never changes, what it finds and calls is what there is.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::digest::Sha256Digest;
use serde_json::{Map, Value, json};

use super::{
    Manager,
    content::{PROMPT_TOOL, PromptCall, RESOURCE_TOOL, ResourceRead},
    exposed::{Audience, Exposed},
};
use crate::{
    call::{CallOutcome, ToolCall},
    codes::{MCP_CONTENT_INPUT_INVALID, MCP_TOOL_NOT_ALLOWED},
    error::McpError,
    exposure::{CapabilityAnswer, Exposure, ModelTool, Presentation, is_capability_tool},
    schema::SchemaProfile,
};

/// Whom a session is with.
#[derive(Debug, Clone, Copy, Default)]
pub struct SessionOptions {
    /// Tokens that the model's context holds, where that is known.
    pub context_tokens: Option<u64>,
    /// Whether the provider takes `defer_loading` and `tool_reference`.
    pub native_defer: bool,
    /// What schemas the provider accepts.
    pub profile: SchemaProfile,
}

/// A session of a model with the servers' tools.
///
/// Definitions and index are those of its beginning, so that a provider's prompt cache keeps its prefix; a change
/// of the servers shows in what searches find. A tool whose definition changed since the model was told of it is
/// not called: the answer tells the new one, and the next call goes by that.
#[derive(Debug)]
pub struct McpSession {
    manager: Manager,
    exposed: Arc<Exposed>,
    /// What a model without special abilities was told when the session began.
    standard: Arc<Exposed>,
    definitions: Vec<ModelTool>,
    /// What the model was told of each tool that was sent in full.
    told: Mutex<BTreeMap<String, Sha256Digest>>,
}

/// What a session's call gave.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SessionAnswer {
    /// The server answered.
    Outcome(Box<CallOutcome>),
    /// Something that the model reads.
    Told(Value),
    /// Content blocks of a search, some of them `tool_reference` where the provider takes these.
    Found(Vec<Value>),
}

impl Manager {
    /// Begins a session with what is connected now.
    pub fn session(&self, options: SessionOptions) -> McpSession {
        let state = self.inner.state();
        let audience = Audience {
            context_tokens: options.context_tokens,
            native_defer: options.native_defer,
            profile: options.profile,
        };
        let views = state.views();
        let exposures = &self.inner.exposures;
        let standard = exposures.standard(&state.config, &views);
        let exposed = exposures.of_session(&state.config, &views, audience);
        let mut told = BTreeMap::new();
        for row in &exposed.exposure.rows {
            let sent = row.presentation != Presentation::Catalog && row.blocked.is_none();
            let found = views
                .iter()
                .find_map(|view| view.tools.get(row.public_name.as_ref()));
            if let (true, Some((tool, _))) = (sent, found) {
                told.insert(row.public_name.to_string(), tool.digest());
            }
        }
        let mut definitions = exposed.exposure.definitions.clone();
        definitions.extend(exposed.content_tools.iter().cloned());
        McpSession {
            manager: self.clone(),
            exposed,
            standard,
            definitions,
            told: Mutex::new(told),
        }
    }
}

impl McpSession {
    /// Returns the definitions that every request of the session carries, in this order.
    pub fn definitions(&self) -> &[ModelTool] {
        &self.definitions
    }

    /// Returns the index of what can be searched, for the system text.
    pub fn index(&self) -> Option<&str> {
        self.exposed.exposure.index.as_deref()
    }

    /// Tells whether a session that begins now would be told the same.
    pub fn is_current(&self) -> bool {
        let state = self.manager.inner.state();
        let exposures = &self.manager.inner.exposures;
        Arc::ptr_eq(
            &self.standard,
            &exposures.standard(&state.config, &state.views()),
        )
    }

    /// Returns everything about what the model is told.
    pub fn exposure(&self) -> &Exposure {
        &self.exposed.exposure
    }

    /// Returns the estimated tokens of definitions and index.
    pub fn schema_tokens(&self) -> u64 {
        self.exposed.schema_tokens()
    }

    /// Answers a call of one of the session's tools.
    ///
    /// Errors: those of [`Manager::call_tool`], [`Manager::read_resource`] and [`Manager::get_prompt`],
    /// `MCP_CAPABILITY_REQUEST_INVALID`, `MCP_CONTENT_INPUT_INVALID`, and `MCP_TOOL_NOT_ALLOWED` for a tool that
    /// is not part of the session.
    pub async fn call(&self, call: ToolCall) -> Result<SessionAnswer, McpError> {
        if is_capability_tool(&call.name) && self.definitions.iter().any(|d| d.name == call.name) {
            return self.capability(call).await;
        }
        match call.name.as_str() {
            RESOURCE_TOOL => self.resource(call).await,
            PROMPT_TOOL => self.prompt(call).await,
            _ => self.tool(call).await,
        }
    }

    async fn capability(&self, call: ToolCall) -> Result<SessionAnswer, McpError> {
        let state = self.manager.inner.state();
        let exposures = &self.manager.inner.exposures;
        let capabilities = exposures.capabilities(&state.config, &state.views());
        match capabilities.answer(&call.name, &call.arguments)? {
            CapabilityAnswer::Found { value, names } => Ok(SessionAnswer::Found(
                self.exposed.exposure.found(&value, &names),
            )),
            CapabilityAnswer::Told(value) => Ok(SessionAnswer::Told(value)),
            CapabilityAnswer::Call { tool, arguments } => {
                let outcome = self.manager.call_tool(ToolCall {
                    name: tool.public_name.to_string(),
                    arguments,
                    ..call
                });
                Ok(SessionAnswer::Outcome(Box::new(outcome.await?)))
            }
        }
    }

    async fn tool(&self, call: ToolCall) -> Result<SessionAnswer, McpError> {
        if let Some(row) = self.exposed.row(&call.name)
            && let Some(block) = &row.blocked
        {
            return Err(McpError::new(
                MCP_TOOL_NOT_ALLOWED,
                format!(
                    "{} is not part of this session: {}",
                    call.name,
                    block.as_str()
                ),
            ));
        }
        if let Some(news) = self.news(&call.name) {
            return Ok(SessionAnswer::Told(news));
        }
        let outcome = self.manager.call_tool(call).await?;
        Ok(SessionAnswer::Outcome(Box::new(outcome)))
    }

    /// Returns the definition of a tool that is another one than the model was told, and counts it as told.
    fn news(&self, name: &str) -> Option<Value> {
        let found = self.manager.inner.find_tool(name).ok()?;
        // A blocked one is refused by the call itself.
        found.open().ok()?;
        let digest = found.tool.digest();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let known = told.get_mut(name)?;
        if *known == digest {
            return None;
        }
        *known = digest;
        let definition = &found.tool.definition;
        Some(json!({
            "called": false,
            "reason": "the definition changed since this session began; this is what it is now",
            "tool": {
                "name": name,
                "description": definition.description,
                "inputSchema": *definition.input_schema,
            },
        }))
    }

    async fn resource(&self, call: ToolCall) -> Result<SessionAnswer, McpError> {
        let [server, uri] = texts(&call.arguments, ["serverId", "uri"])?;
        only(&call.arguments, &["serverId", "uri"])?;
        let (run, progress) = (call.run, call.progress);
        let outcome = self.manager.read_resource(ResourceRead {
            server,
            uri,
            run,
            progress,
        });
        Ok(SessionAnswer::Outcome(Box::new(outcome.await?)))
    }

    async fn prompt(&self, mut call: ToolCall) -> Result<SessionAnswer, McpError> {
        let [server, name] = texts(&call.arguments, ["serverId", "name"])?;
        only(&call.arguments, &["serverId", "name", "arguments"])?;
        let arguments = call.arguments.remove("arguments");
        let (run, progress) = (call.run, call.progress);
        let outcome = self.manager.get_prompt(PromptCall {
            server,
            name,
            arguments,
            run,
            progress,
        });
        Ok(SessionAnswer::Outcome(Box::new(outcome.await?)))
    }
}

fn texts<const N: usize>(
    arguments: &Map<String, Value>,
    members: [&str; N],
) -> Result<[String; N], McpError> {
    let mut texts = [const { String::new() }; N];
    for (text, member) in texts.iter_mut().zip(members) {
        match arguments.get(member) {
            Some(Value::String(given)) if !given.is_empty() => text.clone_from(given),
            _ => {
                return Err(invalid(&format!(
                    "/{member} must be a text that is not empty"
                )));
            }
        }
    }
    Ok(texts)
}

fn only(arguments: &Map<String, Value>, members: &[&str]) -> Result<(), McpError> {
    if arguments.keys().all(|key| members.contains(&key.as_str())) {
        return Ok(());
    }
    Err(invalid(&format!(
        "there must be no members but {}",
        members.join(", ")
    )))
}

fn invalid(what: &str) -> McpError {
    McpError::new(MCP_CONTENT_INPUT_INVALID, what)
}
