//! Chat completions.

use serde_json::{Map, Value, json};

use super::{
    super::{
        call::{AnswerState, Decoder, END_MARK, document, number},
        fault::{Fault, Reported},
        sse::SseEvent,
    },
    ImageDetail, data_url,
};
use crate::model::{ContentBlock, FinishReason, GenerateRequest, Message, Role, TokenUsage};

/// Builds the members that the form names its own way.
pub(super) fn body(request: &GenerateRequest, detail: Option<ImageDetail>) -> Map<String, Value> {
    let mut messages = Vec::new();
    if let Some(system) = &request.system {
        messages.push(json!({"role": "system", "content": system}));
    }
    for message in &request.messages {
        messages.push(json!({"role": role(message.role), "content": content(message, detail)}));
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    body.insert("messages".to_owned(), messages.into());
    body
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// A message of one text is a plain string: servers without images know nothing else.
fn content(message: &Message, detail: Option<ImageDetail>) -> Value {
    if let [ContentBlock::Text(text)] = message.content.as_slice() {
        return text.as_str().into();
    }
    let part = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => json!({"type": "text", "text": text}),
        ContentBlock::Image(image) => {
            let mut source = json!({"url": data_url(image)});
            if let Some(detail) = detail {
                source["detail"] = detail.as_str().into();
            }
            json!({"type": "image_url", "image_url": source})
        }
        _ => Value::Null,
    };
    message.content.iter().map(part).collect()
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
        if let Some(body) = body.or_else(|| choice.get("message")) {
            read_content(body, state);
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
