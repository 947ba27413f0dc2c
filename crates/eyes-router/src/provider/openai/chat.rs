//! Chat completions.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{
    super::{
        call::{AnswerState, Decoder, END_MARK, document, number, text},
        conversation::{Side, arguments_text, joined, outcome_text, schema, sides},
        fault::{Fault, Reported},
        sse::SseEvent,
        tool_calls::Delta,
    },
    ImageDetail, data_url,
};
use crate::model::{
    ContentBlock, FinishReason, GenerateRequest, ImageInput, Role, TokenUsage, ToolSpec,
};

/// What servers differ in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) detail: Option<ImageDetail>,
    pub(super) reasoning: Option<ReasoningMember>,
}

/// The member of an assistant message in which reasoning goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReasoningMember {
    ReasoningContent,
    Reasoning,
}

/// Builds the members that the form names its own way.
pub(super) fn body(request: &GenerateRequest, style: Style) -> Map<String, Value> {
    let mut messages = Vec::new();
    if let Some(system) = &request.system {
        messages.push(json!({"role": "system", "content": system}));
    }
    for side in sides(&request.messages) {
        match side.role {
            Role::User => user(&side, style.detail, &mut messages),
            Role::Assistant => messages.push(assistant(&side, request, style.reasoning)),
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    body.insert("messages".to_owned(), messages.into());
    if !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    body
}

fn tool(tool: &ToolSpec) -> Value {
    let mut function = json!({"name": tool.name});
    if !tool.description.is_empty() {
        function["description"] = tool.description.as_str().into();
    }
    function["parameters"] = schema(tool);
    json!({"type": "function", "function": function})
}

/// The results come first, one message each. They take text only: their images follow in a message of the user,
/// each behind the mark that stands for it in its result.
fn user(side: &Side<'_>, detail: Option<ImageDetail>, messages: &mut Vec<Value>) {
    let mut parts = Vec::new();
    let mut images = 0;
    for result in &side.results {
        let mut texts = Vec::new();
        for block in &result.content {
            match block {
                ContentBlock::Text(text) if !text.trim().is_empty() => texts.push(text.clone()),
                ContentBlock::Image(image) => {
                    images += 1;
                    let mark = format!("[image {images}]");
                    parts.push(json!({"type": "text", "text": mark}));
                    parts.push(image_part(image, detail));
                    texts.push(mark);
                }
                _ => {}
            }
        }
        let text = outcome_text(result, &texts.join("\n\n"));
        messages.push(json!({"role": "tool", "tool_call_id": result.call_id, "content": text}));
    }
    if parts.is_empty() && side.blocks.is_empty() {
        return;
    }
    // Servers without images know nothing but plain strings.
    let plain = joined(side.blocks.iter().copied()).filter(|_| parts.is_empty());
    let content = plain.map_or_else(
        || {
            parts.extend(side.blocks.iter().filter_map(|block| match block {
                ContentBlock::Text(text) => Some(json!({"type": "text", "text": text})),
                ContentBlock::Image(image) => Some(image_part(image, detail)),
                _ => None,
            }));
            Value::Array(parts)
        },
        Value::String,
    );
    messages.push(json!({"role": "user", "content": content}));
}

fn image_part(image: &ImageInput, detail: Option<ImageDetail>) -> Value {
    let mut source = json!({"url": data_url(image)});
    if let Some(detail) = detail {
        source["detail"] = detail.as_str().into();
    }
    json!({"type": "image_url", "image_url": source})
}

fn assistant(side: &Side<'_>, request: &GenerateRequest, member: Option<ReasoningMember>) -> Value {
    let is_text = |block: &&&ContentBlock| matches!(block, ContentBlock::Text(_));
    let text = joined(side.blocks.iter().filter(is_text).copied());
    let text = text.filter(|text| !text.is_empty());
    let calls = side.blocks.iter().filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(json!({
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": arguments_text(call)},
        })),
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    let mut message = json!({"role": "assistant", "content": text});
    if let Some(member) = member {
        let needs_it = !request.tools.is_empty() || !calls.is_empty();
        if let Some((name, thoughts)) = reasoning(side, member, needs_it) {
            message[name] = thoughts.into();
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

/// Returns the member and its text.
///
/// Where tools are in play, servers that want `reasoning_content` want it of every message, and take none and an
/// empty one alike for missing; a space says that there was none.
fn reasoning(
    side: &Side<'_>,
    member: ReasoningMember,
    needs_it: bool,
) -> Option<(&'static str, String)> {
    let thoughts = side.blocks.iter().filter_map(|block| match block {
        ContentBlock::Reasoning(reasoning) => Some(reasoning.text.as_str()),
        _ => None,
    });
    let thoughts: Vec<_> = thoughts.filter(|text| !text.trim().is_empty()).collect();
    match member {
        ReasoningMember::ReasoningContent if thoughts.is_empty() => {
            needs_it.then(|| ("reasoning_content", " ".to_owned()))
        }
        ReasoningMember::ReasoningContent => Some(("reasoning_content", thoughts.join("\n\n"))),
        ReasoningMember::Reasoning if thoughts.is_empty() => None,
        ReasoningMember::Reasoning => Some(("reasoning", thoughts.join("\n\n"))),
    }
}

/// Reads `chat.completion.chunk` events and whole `chat.completion` documents.
#[derive(Debug)]
pub(super) struct ChatDecoder;

impl Decoder for ChatDecoder {
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault> {
        state.is_closed |= event.data.trim() == END_MARK;
        let Some(chunk) = document(event)? else {
            return Ok(());
        };
        if event.event == "error" {
            return Err(Fault::Reported(Reported::find(&chunk).unwrap_or_default()));
        }
        read(&chunk, "delta", state)
    }

    fn whole(&mut self, document: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        read(document, "message", state)?;
        if document.get("choices").is_none() {
            return Err(Fault::Invalid("the reply has no `choices`".to_owned()));
        }
        state.is_closed = true;
        Ok(())
    }
}

fn read(chunk: &Value, part: &str, state: &mut AnswerState) -> Result<(), Fault> {
    if chunk.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Fault::Reported(Reported::find(chunk).unwrap_or_default()));
    }
    // One answer was asked for; servers that add another are not listened to twice.
    let choice = chunk
        .get("choices")
        .and_then(Value::as_array)
        .and_then(|choices| {
            let first =
                |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
            choices.iter().find(first)
        });
    if let Some(choice) = choice {
        // A few servers answer a streaming request with whole messages.
        let body = choice.get(part).filter(|body| !body.is_null());
        let is_whole = part == "message" || body.is_none();
        if let Some(body) = body.or_else(|| choice.get("message")) {
            read_content(body, state);
            read_calls(body, is_whole, state)?;
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            state.finish = finish(reason, state)?.or(state.finish);
        }
    }
    let usage = [
        chunk.get("usage"),
        choice.and_then(|choice| choice.get("usage")),
    ];
    if let Some(usage) = usage.into_iter().flatten().find(|usage| usage.is_object()) {
        state.usage(read_usage(usage));
    }
    Ok(())
}

fn read_content(body: &Value, state: &mut AnswerState) {
    // Servers in transition send the same words under both names.
    let reasoning = ["reasoning_content", "reasoning"]
        .iter()
        .filter_map(|name| body.get(name)?.as_str())
        .find(|text| !text.is_empty());
    state.reasoning(reasoning.unwrap_or_default());
    match body.get("content") {
        Some(Value::String(text)) => state.text(text),
        Some(Value::Array(parts)) => {
            for part in parts {
                let text = part.get("text").and_then(Value::as_str);
                state.text(text.unwrap_or_default());
            }
        }
        _ => {}
    }
    if let Some(refusal) = body.get("refusal").and_then(Value::as_str)
        && !refusal.is_empty()
    {
        let words = state.refusal.get_or_insert_default();
        words.push_str(refusal);
    }
}

fn read_calls(body: &Value, is_whole: bool, state: &mut AnswerState) -> Result<(), Fault> {
    let entries = body.get("tool_calls").and_then(Value::as_array);
    for entry in entries.into_iter().flatten() {
        let function = entry.get("function").unwrap_or(&Value::Null);
        let delta = Delta {
            index: entry.get("index").and_then(Value::as_u64),
            id: text(entry, "id"),
            name: text(function, "name"),
            arguments: match function.get("arguments") {
                None | Some(Value::Null) => Cow::Borrowed(""),
                Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
                // Some servers send the object itself.
                Some(object) => Cow::Owned(object.to_string()),
            },
        };
        if is_whole {
            state.calls.begin("", delta.id, delta.name)?;
            state.calls.add("", &delta.arguments)?;
        } else {
            state.calls.take(&delta)?;
        }
    }
    Ok(())
}

fn finish(reason: &str, state: &AnswerState) -> Result<Option<FinishReason>, Fault> {
    match reason {
        "" => Ok(None),
        "length" | "max_tokens" | "model_context_window_exceeded" => {
            Ok(Some(FinishReason::MaxTokens))
        }
        "content_filter" | "sensitive" => {
            let words = state.refusal.clone();
            let words = words.unwrap_or_else(|| format!("the answer ended with `{reason}`"));
            Err(Fault::Blocked(words))
        }
        "abort" | "network_error" => Err(Fault::Cut(format!("the answer ended with `{reason}`"))),
        "insufficient_system_resource" => Err(Fault::Reported(Reported::named(
            "server_error",
            format!("the answer ended with `{reason}`"),
        ))),
        "error" => Err(Fault::Reported(Reported::named(
            reason,
            "the answer ended with `error`",
        ))),
        "tool_calls" => Ok(Some(FinishReason::ToolCalls)),
        _ => Ok(Some(FinishReason::Stop)),
    }
}

fn read_usage(usage: &Value) -> TokenUsage {
    TokenUsage {
        input: number(usage, &["/prompt_tokens", "/input_tokens"]),
        output: number(usage, &["/completion_tokens", "/output_tokens"]),
        cache_read: number(
            usage,
            &[
                "/prompt_tokens_details/cached_tokens",
                "/prompt_cache_hit_tokens",
                "/cached_tokens",
            ],
        ),
        cache_write: number(usage, &["/prompt_tokens_details/cache_write_tokens"]),
        reasoning: number(usage, &["/completion_tokens_details/reasoning_tokens"]),
    }
}
