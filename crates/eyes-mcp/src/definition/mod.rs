//! Definitions of tools as servers give them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a server says of a tool's effects; hints, never proof (MCP 2025-11-25, `ToolAnnotations`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// It changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it twice does no more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// A tool as its server defines it, before any policy.
///
/// Schemas are the server's own, byte for byte in meaning; with [`rest`](Self::rest) they are everything that was
/// said, and each value is held once.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// The server's own name.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it does, as the server says.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Arc<Map<String, Value>>,
    /// The JSON Schema of its structured content.
    pub output_schema: Option<Arc<Map<String, Value>>>,
    /// Hints about its effects.
    pub annotations: Annotations,
    /// The object of `tools/list` without the two schemas: name, description and annotations as they came, and
    /// whatever else was said.
    pub rest: Arc<Map<String, Value>>,
}

/// Why an object of `tools/list` defines no tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionFault {
    /// It is no object.
    #[error("the definition is {0}, not an object")]
    NotAnObject(&'static str),
    /// A member is missing or of another type.
    #[error("member {member:?} is {found}, not {wanted}")]
    Member {
        /// Which member.
        member: &'static str,
        /// What stands there.
        found: &'static str,
        /// What should.
        wanted: &'static str,
    },
    /// The schema of the arguments admits no object, so no call could fit it.
    #[error("the schema of the arguments has a type other than object")]
    NoObjectSchema,
    /// The tool can only be called as a task, which is not supported.
    #[error("the tool only runs as a task (execution.taskSupport is required)")]
    TaskRequired,
}

impl ToolDefinition {
    /// Takes an object of `tools/list` apart; nothing is copied but name, title and description.
    ///
    /// A hint of another type than a boolean counts as not given.
    pub fn parse(whole: Value) -> Result<Self, DefinitionFault> {
        let mut rest = match whole {
            Value::Object(members) => members,
            other => return Err(DefinitionFault::NotAnObject(kind(Some(&other)))),
        };
        let name = text(&rest, "name")?.ok_or(DefinitionFault::Member {
            member: "name",
            found: "missing",
            wanted: "a text",
        })?;
        let title = text(&rest, "title")?;
        let description = text(&rest, "description")?;
        let task = rest
            .get("execution")
            .and_then(|execution| execution.get("taskSupport"));
        if task.and_then(Value::as_str) == Some("required") {
            return Err(DefinitionFault::TaskRequired);
        }
        let annotations = annotations(rest.get("annotations"));
        let input_schema = schema(&mut rest, "inputSchema")?.ok_or(DefinitionFault::Member {
            member: "inputSchema",
            found: "missing",
            wanted: "an object",
        })?;
        if !admits_objects(&input_schema) {
            return Err(DefinitionFault::NoObjectSchema);
        }
        let output_schema = schema(&mut rest, "outputSchema")?;
        Ok(Self {
            name,
            title,
            description,
            input_schema: Arc::new(input_schema),
            output_schema: output_schema.map(Arc::new),
            annotations,
            rest: Arc::new(rest),
        })
    }

    /// Puts everything that was said together again.
    pub fn whole(&self) -> Value {
        let mut members = (*self.rest).clone();
        members.insert(
            "inputSchema".to_owned(),
            Value::Object((*self.input_schema).clone()),
        );
        if let Some(schema) = &self.output_schema {
            members.insert("outputSchema".to_owned(), Value::Object((**schema).clone()));
        }
        Value::Object(members)
    }
}

fn text(
    members: &Map<String, Value>,
    member: &'static str,
) -> Result<Option<String>, DefinitionFault> {
    match members.get(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        other => Err(DefinitionFault::Member {
            member,
            found: kind(other),
            wanted: "a text",
        }),
    }
}

fn schema(
    members: &mut Map<String, Value>,
    member: &'static str,
) -> Result<Option<Map<String, Value>>, DefinitionFault> {
    match members.shift_remove(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(schema)) => Ok(Some(schema)),
        other => Err(DefinitionFault::Member {
            member,
            found: kind(other.as_ref()),
            wanted: "an object",
        }),
    }
}

fn admits_objects(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => true,
    }
}

fn annotations(said: Option<&Value>) -> Annotations {
    let hint = |name| {
        said.and_then(|said| said.get(name))
            .and_then(Value::as_bool)
    };
    Annotations {
        read_only_hint: hint("readOnlyHint"),
        destructive_hint: hint("destructiveHint"),
        idempotent_hint: hint("idempotentHint"),
        open_world_hint: hint("openWorldHint"),
    }
}

/// Names what a JSON value is.
pub(crate) const fn kind(value: Option<&Value>) -> &'static str {
    match value {
        None => "missing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a text",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    }
}

#[cfg(test)]
mod tests;
