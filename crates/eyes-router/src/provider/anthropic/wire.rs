//! Messages: the request's body and the events of the reply.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use super::super::{
    call::{AnswerState, Decoder, document, number},
    fault::{Fault, Reported},
    sse::SseEvent,
};
use crate::model::{ContentBlock, FinishReason, GenerateRequest, Role, TokenUsage};

pub(super) fn body(request: &GenerateRequest, max_tokens: u32) -> Map<String, Value> {
    let mut messages = Vec::new();
    for message in &request.messages {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        // The form refuses blocks of empty text.
        let content: Vec<Value> = message.content.iter().filter_map(block).collect();
        messages.push(json!({"role": role, "content": content}));
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    body.insert("max_tokens".to_owned(), max_tokens.into());
    if let Some(system) = &request.system {
        body.insert("system".to_owned(), system.as_str().into());
    }
    body.insert("messages".to_owned(), messages.into());
    body.insert("stream".to_owned(), true.into());
    body
}

fn block(block: &ContentBlock) -> Option<Value> {
    match block {
        ContentBlock::Text(text) if text.is_empty() => None,
        ContentBlock::Text(text) => Some(json!({"type": "text", "text": text})),
        ContentBlock::Image(image) => Some(json!({
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": image.media_type().as_str(),
                "data": STANDARD.encode(&image.bytes),
            },
        })),
        _ => None,
    }
}

/// Reads the events of a streamed message and whole `message` documents.
#[derive(Debug)]
pub(super) struct MessagesDecoder;

impl Decoder for MessagesDecoder {
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault> {
        let Some(data) = document(event)? else {
            return Ok(());
        };
        let kind = data.get("type").and_then(Value::as_str);
        match kind.unwrap_or(event.event.as_str()) {
            "message_start" => read_usage(data.pointer("/message/usage"), state),
            "content_block_start" => read_block(data.get("content_block"), state),
            "content_block_delta" => read_block(data.get("delta"), state),
            "message_delta" => {
                read_usage(data.get("usage"), state);
                read_stop(data.pointer("/delta/stop_reason"), state)?;
            }
            "message_stop" => state.is_closed = true,
            "error" => return Err(Fault::Reported(Reported::find(&data).unwrap_or_default())),
            _ if data.get("error").is_some_and(Value::is_object) => {
                return Err(Fault::Reported(Reported::find(&data).unwrap_or_default()));
            }
            // `ping`, `content_block_stop`, and kinds that are added later.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, document: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        if document.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Fault::Reported(
                Reported::find(document).unwrap_or_default(),
            ));
        }
        let Some(blocks) = document.get("content").and_then(Value::as_array) else {
            return Err(Fault::Invalid("the reply has no `content`".to_owned()));
        };
        for block in blocks {
            read_block(Some(block), state);
        }
        read_usage(document.get("usage"), state);
        read_stop(document.get("stop_reason"), state)?;
        state.is_closed = true;
        Ok(())
    }
}

/// Takes what a block, or a piece of one, says; signatures and tool input say nothing here.
fn read_block(block: Option<&Value>, state: &mut AnswerState) {
    let Some(block) = block else { return };
    let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    match block.get("type").and_then(Value::as_str) {
        Some("text" | "text_delta") => state.text(text("text")),
        Some("thinking" | "thinking_delta") => state.reasoning(text("thinking")),
        _ => {}
    }
}

fn read_stop(reason: Option<&Value>, state: &mut AnswerState) -> Result<(), Fault> {
    match reason.and_then(Value::as_str) {
        None => {}
        Some("max_tokens" | "model_context_window_exceeded") => {
            state.finish = Some(FinishReason::MaxTokens);
        }
        Some("refusal") => {
            let text = "the model refused to answer (`stop_reason` is `refusal`)";
            return Err(Fault::Blocked(text.to_owned()));
        }
        Some(_) => state.finish = Some(FinishReason::Stop),
    }
    Ok(())
}

/// Adds up the input, which this form counts in three parts; a later event may name only some of them.
fn read_usage(usage: Option<&Value>, state: &mut AnswerState) {
    let Some(usage) = usage.filter(|usage| usage.is_object()) else {
        return;
    };
    let before = state.usage_so_far();
    let count = |name: &str, before: u64| usage.get(name).and_then(Value::as_u64).unwrap_or(before);
    let cache_read = count("cache_read_input_tokens", before.cache_read);
    let cache_write = count("cache_creation_input_tokens", before.cache_write);
    let uncached = count(
        "input_tokens",
        before
            .input
            .saturating_sub(before.cache_read)
            .saturating_sub(before.cache_write),
    );
    state.usage(TokenUsage {
        input: uncached
            .saturating_add(cache_read)
            .saturating_add(cache_write),
        output: count("output_tokens", before.output),
        cache_read,
        cache_write,
        reasoning: number(usage, &["/output_tokens_details/thinking_tokens"]).max(before.reasoning),
    });
}
