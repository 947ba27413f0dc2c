//! Responses.

use serde_json::{Map, Value, json};

use super::{
    super::{
        call::{AnswerState, Decoder, document, number},
        fault::{Fault, Reported},
        sse::SseEvent,
    },
    ImageDetail, data_url,
};
use crate::model::{ContentBlock, FinishReason, GenerateRequest, Message, Role, TokenUsage};

/// Builds the members that the form names its own way; nothing is kept at the provider.
pub(super) fn body(request: &GenerateRequest, detail: Option<ImageDetail>) -> Map<String, Value> {
    let input: Vec<Value> = request
        .messages
        .iter()
        .map(|message| item(message, detail))
        .collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    if let Some(system) = &request.system {
        body.insert("instructions".to_owned(), system.as_str().into());
    }
    body.insert("input".to_owned(), input.into());
    body.insert("store".to_owned(), false.into());
    body
}

fn item(message: &Message, detail: Option<ImageDetail>) -> Value {
    let (role, text_kind) = match message.role {
        Role::User => ("user", "input_text"),
        Role::Assistant => ("assistant", "output_text"),
    };
    let part = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => json!({"type": text_kind, "text": text}),
        ContentBlock::Image(image) => {
            let mut part = json!({"type": "input_image", "image_url": data_url(image)});
            if let Some(detail) = detail {
                part["detail"] = detail.as_str().into();
            }
            part
        }
        _ => Value::Null,
    };
    let content: Vec<Value> = message.content.iter().map(part).collect();
    json!({"role": role, "content": content})
}

/// Reads `response.*` events and whole `response` documents.
#[derive(Debug, Default)]
pub(super) struct ResponsesDecoder {
    has_text: bool,
}

impl Decoder for ResponsesDecoder {
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault> {
        let Some(data) = document(event)? else {
            return Ok(());
        };
        let kind = data.get("type").and_then(Value::as_str);
        let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
        match kind.unwrap_or(event.event.as_str()) {
            "response.output_text.delta" => {
                self.has_text = true;
                state.text(text("delta"));
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                state.reasoning(text("delta"));
            }
            "response.refusal.delta" => {
                let words = state.refusal.get_or_insert_default();
                words.push_str(text("delta"));
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.end(data.get("response").unwrap_or(&data), state)?;
            }
            "error" => {
                return Err(Fault::Reported(Reported::find(&data).unwrap_or_default()));
            }
            _ if data.get("error").is_some_and(Value::is_object) => {
                return Err(Fault::Reported(Reported::find(&data).unwrap_or_default()));
            }
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, document: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        self.end(document, state)
    }
}

impl ResponsesDecoder {
    /// Takes the response object that closes the answer.
    fn end(&mut self, response: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
            state.usage(read_usage(usage));
        }
        if response.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Fault::Reported(
                Reported::find(response).unwrap_or_default(),
            ));
        }
        let status = response.get("status").and_then(Value::as_str);
        let finish = match status {
            Some("failed" | "cancelled") => {
                let text = format!("the response is {}", status.unwrap_or_default());
                return Err(Fault::Reported(Reported::named("failed", text)));
            }
            Some("incomplete") => {
                let reason = response.pointer("/incomplete_details/reason");
                match reason.and_then(Value::as_str) {
                    Some("content_filter") => {
                        let text = "the response was stopped by the content filter";
                        return Err(Fault::Blocked(text.to_owned()));
                    }
                    _ => FinishReason::MaxTokens,
                }
            }
            Some("completed") => FinishReason::Stop,
            // A response that still runs, or a document of another kind.
            _ => {
                let text = format!("the reply ended with a response of status {status:?}");
                return Err(Fault::Invalid(text));
            }
        };
        if !self.has_text {
            read_output(response, state);
        }
        state.finish = Some(finish);
        state.is_closed = true;
        Ok(())
    }
}

/// Takes the answer out of the closing object, from servers that send no pieces before.
fn read_output(response: &Value, state: &mut AnswerState) {
    let items = response.get("output").and_then(Value::as_array);
    let seen_reasoning = state.has_content();
    for item in items.into_iter().flatten() {
        let parts = |name: &str| {
            item.get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        let text = |part: &Value, name: &str| part.get(name)?.as_str().map(str::to_owned);
        match item.get("type").and_then(Value::as_str) {
            Some("reasoning") if !seen_reasoning => {
                for part in parts("summary").chain(parts("content")) {
                    state.reasoning(&text(part, "text").unwrap_or_default());
                }
            }
            Some("message") | None => {
                for part in parts("content") {
                    state.text(&text(part, "text").unwrap_or_default());
                    if let Some(words) = text(part, "refusal") {
                        state.refusal = Some(words);
                    }
                }
            }
            _ => {}
        }
    }
}

fn read_usage(usage: &Value) -> TokenUsage {
    TokenUsage {
        input: number(usage, &["/input_tokens"]),
        output: number(usage, &["/output_tokens"]),
        cache_read: number(usage, &["/input_tokens_details/cached_tokens"]),
        cache_write: number(usage, &["/input_tokens_details/cache_write_tokens"]),
        reasoning: number(usage, &["/output_tokens_details/reasoning_tokens"]),
    }
}
