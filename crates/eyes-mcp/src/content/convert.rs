//! Results of `resources/read` and `prompts/get` as blocks, the way a tool gives them.
//!
//! What a model cannot see in a block stands in a line of text above it: address, media type, size. Embedded texts
//! and links become text altogether.

use serde_json::{Map, Value};

use crate::{
    codes,
    definition::kind,
    error::McpError,
    limits::{MAX_BLOCK_LABEL_CHARS, MAX_PROMPT_DESCRIPTION_CHARS},
    names::visible,
};

/// Turns the result of `resources/read` into `{"content": [..]}`; without an array of contents it is
/// `MCP_RESOURCE_RESULT_INVALID`.
pub fn resource_blocks(mut result: Value) -> Result<Value, McpError> {
    let found = kind(result.get("contents"));
    let Some(Value::Array(contents)) = result.get_mut("contents").map(Value::take) else {
        return Err(McpError::new(
            codes::MCP_RESOURCE_RESULT_INVALID,
            format!("the result of resources/read has contents that are {found}, not an array"),
        )
        .after_sending());
    };
    let mut blocks = Vec::with_capacity(contents.len());
    for content in contents {
        push_resource(&mut blocks, content);
    }
    Ok(with_content(result, blocks))
}

/// Turns the result of `prompts/get` into `{"content": [..]}`; without an array of messages it is
/// `MCP_PROMPT_RESULT_INVALID`.
pub fn prompt_blocks(mut result: Value) -> Result<Value, McpError> {
    let found = kind(result.get("messages"));
    let Some(Value::Array(messages)) = result.get_mut("messages").map(Value::take) else {
        return Err(McpError::new(
            codes::MCP_PROMPT_RESULT_INVALID,
            format!("the result of prompts/get has messages that are {found}, not an array"),
        )
        .after_sending());
    };
    let mut blocks = Vec::with_capacity(messages.len() + 1);
    if let Some(Value::String(description)) = result.get("description") {
        let bounded: String = description
            .chars()
            .take(MAX_PROMPT_DESCRIPTION_CHARS)
            .collect();
        let cut = if bounded.len() < description.len() {
            "\u{2026}"
        } else {
            ""
        };
        push_text(
            &mut blocks,
            format!("[MCP prompt description]\n{bounded}{cut}"),
        );
    }
    for mut message in messages {
        let role = match message.get("role") {
            Some(Value::String(role)) => label(role),
            _ => "message".to_owned(),
        };
        match message.get_mut("content").map(Value::take) {
            Some(Value::Array(contents)) => {
                for content in contents {
                    push_said(&mut blocks, &role, content);
                }
            }
            Some(content) => push_said(&mut blocks, &role, content),
            None => push_text(&mut blocks, format!("[MCP prompt {role}: no content]")),
        }
    }
    Ok(with_content(result, blocks))
}

/// Keeps what the protocol says of the whole result.
fn with_content(mut result: Value, blocks: Vec<Value>) -> Value {
    let mut converted = Map::new();
    converted.insert("content".to_owned(), Value::Array(blocks));
    if let Some(meta) = result.get_mut("_meta").map(Value::take) {
        converted.insert("_meta".to_owned(), meta);
    }
    Value::Object(converted)
}

/// Adds the content of one resource.
fn push_resource(blocks: &mut Vec<Value>, mut content: Value) {
    let mime = string(&content, "mimeType").map(label);
    let uri = string(&content, "uri").map_or_else(|| "without address".to_owned(), label);
    let of_type = mime
        .as_ref()
        .map_or_else(String::new, |mime| format!("; {mime}"));
    if let Some(text) = take_string(&mut content, "text") {
        push_text(blocks, format!("[MCP resource {uri}{of_type}]\n{text}"));
        return;
    }
    let Some(blob) = take_string(&mut content, "blob") else {
        push_text(
            blocks,
            format!("[MCP resource {uri}{of_type}: neither text nor bytes]"),
        );
        return;
    };
    // Four characters are three bytes; padding is not looked at.
    let bytes = blob.len() / 4 * 3;
    push_text(
        blocks,
        format!("[MCP resource {uri}{of_type}; about {bytes} bytes]"),
    );
    let mime = string(&content, "mimeType").unwrap_or("").to_owned();
    let family = mime.split('/').next().unwrap_or("").to_ascii_lowercase();
    if family == "image" || family == "audio" {
        let mut block = Map::new();
        block.insert("type".to_owned(), Value::String(family));
        block.insert("data".to_owned(), Value::String(blob));
        block.insert("mimeType".to_owned(), Value::String(mime));
        blocks.push(Value::Object(block));
    } else {
        if let Value::Object(members) = &mut content {
            members.insert("blob".to_owned(), Value::String(blob));
        }
        let mut block = Map::new();
        block.insert("type".to_owned(), Value::from("resource"));
        block.insert("resource".to_owned(), content);
        blocks.push(Value::Object(block));
    }
}

/// Adds what one message of a prompt says.
fn push_said(blocks: &mut Vec<Value>, role: &str, mut content: Value) {
    let said = string(&content, "type").unwrap_or("").to_owned();
    match said.as_str() {
        "text" => {
            let text = take_string(&mut content, "text").unwrap_or_default();
            push_text(blocks, format!("[MCP prompt {role}]\n{text}"));
        }
        "image" | "audio" => {
            let mime = string(&content, "mimeType").map_or_else(String::new, label);
            push_text(blocks, format!("[MCP prompt {role}: {said} {mime}]"));
            blocks.push(content);
        }
        "resource" => {
            push_text(blocks, format!("[MCP prompt {role}: resource]"));
            let resource = content.get_mut("resource").map_or(Value::Null, Value::take);
            push_resource(blocks, resource);
        }
        "resource_link" => {
            let link = link(&content);
            push_text(blocks, format!("[MCP prompt {role}: link]\n{link}"));
        }
        other => {
            let other = label(other);
            push_text(
                blocks,
                format!("[MCP prompt {role}: content of type {other:?}]"),
            );
        }
    }
}

/// Writes a link with everything that is known without following it.
fn link(content: &Value) -> String {
    let mut line = "[MCP link".to_owned();
    for member in ["name", "title", "uri", "mimeType"] {
        if let Some(said) = string(content, member) {
            line.push_str(if line.ends_with("link") { " " } else { "; " });
            line.push_str(&label(said));
        }
    }
    if let Some(bytes) = content.get("size").and_then(Value::as_u64) {
        line.push_str("; ");
        line.push_str(&bytes.to_string());
        line.push_str(" bytes");
    }
    line.push(']');
    if let Some(description) = string(content, "description") {
        line.push('\n');
        line.extend(description.chars().take(MAX_PROMPT_DESCRIPTION_CHARS));
    }
    line
}

fn label(said: &str) -> String {
    visible(said, MAX_BLOCK_LABEL_CHARS)
}

fn push_text(blocks: &mut Vec<Value>, text: String) {
    let mut block = Map::new();
    block.insert("type".to_owned(), Value::from("text"));
    block.insert("text".to_owned(), Value::String(text));
    blocks.push(Value::Object(block));
}

fn string<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member).and_then(Value::as_str)
}

fn take_string(value: &mut Value, member: &str) -> Option<String> {
    match value.get_mut(member) {
        Some(Value::String(text)) => Some(std::mem::take(text)),
        _ => None,
    }
}
