//! A request's messages as the wire forms take them: user and assistant in turns, results before all else.

#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;

use serde_json::{Map, Value, json};

use crate::model::{ContentBlock, Message, Reasoning, Role, ToolCall, ToolResult, ToolSpec};

/// What one of the two says before the other one speaks.
#[derive(Debug, PartialEq)]
pub(super) struct Side<'a> {
    pub(super) role: Role,
    /// A user's results of tools; they answer the calls of the side before, whatever was said in between.
    pub(super) results: Vec<&'a ToolResult>,
    /// All else in order: a user's texts and images, an assistant's texts, calls and reasoning.
    pub(super) blocks: Vec<&'a ContentBlock>,
}

/// Sorts the messages into sides.
///
/// Consecutive messages of one role become one side: Anthropic merges them itself, and the templates of many
/// local models refuse them. Blank texts are left out, since some forms refuse them, and so are messages of
/// which nothing is left. Reasoning that nothing follows is left out too: no form takes it as the last word.
pub(super) fn sides(messages: &[Message]) -> Vec<Side<'_>> {
    let mut sides = Vec::new();
    let mut thoughts = Vec::new();
    for message in messages {
        for block in &message.content {
            match block {
                ContentBlock::Text(text) if text.trim().is_empty() => continue,
                ContentBlock::Reasoning(_) => {
                    thoughts.push(block);
                    continue;
                }
                _ => {}
            }
            let side = open(&mut sides, speaker(block, message.role));
            if side.role == Role::Assistant {
                side.blocks.append(&mut thoughts);
            }
            thoughts.clear();
            match block {
                ContentBlock::ToolResult(result) => side.results.push(result),
                _ => side.blocks.push(block),
            }
        }
    }
    sides
}

/// Only a user shows images and gives results, and only an assistant calls, whatever the message says.
const fn speaker(block: &ContentBlock, role: Role) -> Role {
    match block {
        ContentBlock::Image(_) | ContentBlock::ToolResult(_) => Role::User,
        ContentBlock::ToolCall(_) | ContentBlock::Reasoning(_) => Role::Assistant,
        ContentBlock::Text(_) => role,
    }
}

fn open<'s, 'a>(sides: &'s mut Vec<Side<'a>>, role: Role) -> &'s mut Side<'a> {
    if sides.last().is_none_or(|side| side.role != role) {
        sides.push(Side {
            role,
            results: Vec::new(),
            blocks: Vec::new(),
        });
    }
    let last = sides.len() - 1;
    &mut sides[last]
}

/// Joins texts where a form takes one string; none where they are no texts only.
#[cfg(feature = "openai")]
pub(super) fn joined<'a>(blocks: impl IntoIterator<Item = &'a ContentBlock>) -> Option<String> {
    let texts = blocks.into_iter().map(|block| match block {
        ContentBlock::Text(text) => Some(text.as_str()),
        _ => None,
    });
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n\n"))
}

/// Returns the schema of a tool's arguments as every form accepts it: an object's.
pub(super) fn schema(tool: &ToolSpec) -> Value {
    let Value::Object(schema) = &tool.parameters else {
        return json!({"type": "object", "properties": {}});
    };
    let mut schema = schema.clone();
    if !schema.contains_key("type") {
        schema.insert("type".to_owned(), "object".into());
    }
    schema.into()
}

/// Returns a call's arguments as the object that every form can take back.
///
/// No arguments at all are an empty object. Anything else that is no object stands in one as it was written,
/// under `arguments`: Messages takes objects only, and servers that read the arguments for their templates fail
/// on anything else.
pub(super) fn arguments(call: &ToolCall) -> Map<String, Value> {
    let written = match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(object)) => return object,
        Ok(other) => other,
        Err(_) if call.arguments.trim().is_empty() => return Map::new(),
        Err(_) => call.arguments.as_str().into(),
    };
    Map::from_iter([("arguments".to_owned(), written)])
}

/// Returns the same as text; an object stays as the model wrote it.
#[cfg(feature = "openai")]
pub(super) fn arguments_text(call: &ToolCall) -> String {
    let is_object = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
    if is_object {
        return call.arguments.clone();
    }
    Value::Object(arguments(call)).to_string()
}

/// Tells a failed call from a good one where the form has no place for it.
#[cfg(feature = "openai")]
pub(super) fn outcome_text(result: &ToolResult, text: &str) -> String {
    let says_so = text
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("error"));
    match (result.is_error && !says_so, text.is_empty()) {
        (false, _) => text.to_owned(),
        (true, false) => format!("Error: {text}"),
        (true, true) => "Error".to_owned(),
    }
}

/// A provider's seal on reasoning, and what it opens.
///
/// [`Reasoning::signature`] has one text for all forms. What Messages calls a signature stands bare; the others
/// bear a mark, which no such signature has, so that no provider is sent the seal of another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seal<'a> {
    /// The signature of a `thinking` block of Messages.
    Signature(&'a str),
    /// The data of a `redacted_thinking` block of Messages.
    Redacted(&'a str),
    /// The `encrypted_content` of a reasoning item of Responses.
    Encrypted(&'a str),
}

const REDACTED: &str = "redacted_thinking:";
const ENCRYPTED: &str = "encrypted_content:";

impl<'a> Seal<'a> {
    /// Reads the seal on a block; an empty one is none.
    pub(super) fn on(reasoning: &'a Reasoning) -> Option<Self> {
        let text = reasoning.signature.as_deref()?;
        if let Some(data) = text.strip_prefix(REDACTED) {
            return Some(Self::Redacted(data));
        }
        if let Some(content) = text.strip_prefix(ENCRYPTED) {
            return Some(Self::Encrypted(content));
        }
        (!text.is_empty()).then_some(Self::Signature(text))
    }

    /// Writes the seal as one text.
    pub(super) fn write(self) -> String {
        match self {
            Self::Signature(text) => text.to_owned(),
            Self::Redacted(data) => format!("{REDACTED}{data}"),
            Self::Encrypted(content) => format!("{ENCRYPTED}{content}"),
        }
    }
}
