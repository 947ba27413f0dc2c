//! Responses.

use serde_json::{Map, Value, json};

use super::{
    super::{
        call::{AnswerState, Decoder, document, number, text},
        conversation::{Seal, Side, arguments_text, outcome_text, schema, sides},
        fault::{Fault, Reported},
        sse::SseEvent,
    },
    ImageDetail, data_url,
};
use crate::model::{
    ContentBlock, FinishReason, GenerateRequest, ImageInput, Reasoning, Role, TokenUsage,
    ToolResult, ToolSpec,
};

/// Builds the members that the form names its own way; nothing is kept at the provider.
pub(super) fn body(request: &GenerateRequest, detail: Option<ImageDetail>) -> Map<String, Value> {
    let mut input = Vec::new();
    for side in sides(&request.messages) {
        match side.role {
            Role::User => user(&side, detail, &mut input),
            Role::Assistant => assistant(&side, &mut input),
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    if let Some(system) = &request.system {
        body.insert("instructions".to_owned(), system.as_str().into());
    }
    body.insert("input".to_owned(), input.into());
    if !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    body.insert("store".to_owned(), false.into());
    body
}

/// Without `strict`, the form would hold the model to the schema and refuse schemas that are not made for that.
fn tool(tool: &ToolSpec) -> Value {
    let mut entry = json!({"type": "function", "name": tool.name});
    if !tool.description.is_empty() {
        entry["description"] = tool.description.as_str().into();
    }
    entry["parameters"] = schema(tool);
    entry["strict"] = false.into();
    entry
}

fn user(side: &Side<'_>, detail: Option<ImageDetail>, input: &mut Vec<Value>) {
    for result in &side.results {
        let output = output(result, detail);
        input.push(
            json!({"type": "function_call_output", "call_id": result.call_id, "output": output}),
        );
    }
    let parts = side.blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(json!({"type": "input_text", "text": text})),
        ContentBlock::Image(image) => Some(image_part(image, detail)),
        _ => None,
    });
    let parts: Vec<Value> = parts.collect();
    if !parts.is_empty() {
        input.push(json!({"role": "user", "content": parts}));
    }
}

/// A result without images is a plain string: some servers know nothing else.
fn output(result: &ToolResult, detail: Option<ImageDetail>) -> Value {
    let mut texts = Vec::new();
    let mut images = Vec::new();
    let mut parts = Vec::new();
    for block in &result.content {
        match block {
            ContentBlock::Text(text) if !text.trim().is_empty() => {
                texts.push(text.as_str());
                parts.push(json!({"type": "input_text", "text": text}));
            }
            ContentBlock::Image(image) => {
                images.push(parts.len());
                parts.push(image_part(image, detail));
            }
            _ => {}
        }
    }
    let whole = texts.join("\n\n");
    let told = outcome_text(result, &whole);
    if images.is_empty() {
        return told.into();
    }
    if told != whole {
        parts.insert(0, json!({"type": "input_text", "text": "Error:"}));
    }
    parts.into()
}

fn image_part(image: &ImageInput, detail: Option<ImageDetail>) -> Value {
    let mut part = json!({"type": "input_image", "image_url": data_url(image)});
    if let Some(detail) = detail {
        part["detail"] = detail.as_str().into();
    }
    part
}

fn assistant(side: &Side<'_>, input: &mut Vec<Value>) {
    let mut texts: Vec<Value> = Vec::new();
    for block in &side.blocks {
        let item = match block {
            ContentBlock::Text(text) => {
                texts.push(json!({"type": "output_text", "text": text}));
                continue;
            }
            ContentBlock::ToolCall(call) => Some(json!({
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": arguments_text(call),
            })),
            ContentBlock::Reasoning(reasoning) => reasoning_item(reasoning),
            _ => None,
        };
        if let Some(item) = item {
            flush(&mut texts, input);
            input.push(item);
        }
    }
    flush(&mut texts, input);
}

/// Makes one message of the texts so far.
fn flush(texts: &mut Vec<Value>, input: &mut Vec<Value>) {
    if !texts.is_empty() {
        let content = std::mem::take(texts);
        input.push(json!({"role": "assistant", "content": content}));
    }
}

/// Reasoning goes back only as the provider sealed it.
fn reasoning_item(reasoning: &Reasoning) -> Option<Value> {
    let Some(Seal::Encrypted(content)) = Seal::on(reasoning) else {
        return None;
    };
    let mut summary = Vec::new();
    if !reasoning.text.is_empty() {
        summary.push(json!({"type": "summary_text", "text": reasoning.text}));
    }
    Some(json!({"type": "reasoning", "summary": summary, "encrypted_content": content}))
}

/// Reads `response.*` events and whole `response` documents.
#[derive(Debug, Default)]
pub(super) struct ResponsesDecoder {
    has_text: bool,
    has_seal: bool,
}

impl Decoder for ResponsesDecoder {
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault> {
        let Some(data) = document(event)? else {
            return Ok(());
        };
        let kind = data.get("type").and_then(Value::as_str);
        match kind.unwrap_or(event.event.as_str()) {
            "response.output_text.delta" => {
                self.has_text = true;
                state.text(text(&data, "delta"));
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                state.reasoning(text(&data, "delta"));
            }
            "response.output_item.added" => {
                state.settle_calls()?;
                begin_item(&data, state)?;
            }
            "response.function_call_arguments.delta" => {
                state.calls.add(&key(&data), text(&data, "delta"))?;
            }
            "response.function_call_arguments.done" => {
                let arguments = text(&data, "arguments");
                if !arguments.is_empty() {
                    state.calls.replace(&key(&data), arguments)?;
                }
            }
            "response.output_item.done" => {
                let item = data.get("item").unwrap_or(&Value::Null);
                self.end_item(item, &key(&data), state)?;
            }
            "response.refusal.delta" => {
                let words = state.refusal.get_or_insert_default();
                words.push_str(text(&data, "delta"));
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
        self.read_output(response, state)?;
        state.finish = Some(finish);
        state.is_closed = true;
        Ok(())
    }

    /// Takes out of the closing object what did not come in pieces before.
    fn read_output(&mut self, response: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        let seen_text = self.has_text;
        let seen_reasoning = state.has_content();
        let seen_calls = state.calls.any();
        let seen_seal = self.has_seal;
        let items = response.get("output").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            state.settle_calls()?;
            let parts = |name: &str| {
                let parts = item.get(name).and_then(Value::as_array);
                parts.into_iter().flatten()
            };
            match item.get("type").and_then(Value::as_str) {
                Some("reasoning") => {
                    for part in parts("summary").chain(parts("content")) {
                        if !seen_text && !seen_reasoning {
                            state.reasoning(text(part, "text"));
                        }
                    }
                    if !seen_seal {
                        self.end_item(item, "", state)?;
                    }
                }
                Some("message") | None if !seen_text => {
                    for part in parts("content") {
                        state.text(text(part, "text"));
                        let refusal = text(part, "refusal");
                        if !refusal.is_empty() {
                            state.refusal = Some(refusal.to_owned());
                        }
                    }
                }
                Some("function_call") if !seen_calls => self.end_item(item, "", state)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes an item as it stands at its end.
    fn end_item(&mut self, item: &Value, key: &str, state: &mut AnswerState) -> Result<(), Fault> {
        match text(item, "type") {
            "function_call" => state.calls.whole(
                key,
                text(item, "call_id"),
                text(item, "name"),
                text(item, "arguments"),
            ),
            "reasoning" => {
                let content = text(item, "encrypted_content");
                if content.is_empty() {
                    return Ok(());
                }
                self.has_seal = true;
                state.seal(Seal::Encrypted(content))
            }
            _ => Ok(()),
        }
    }
}

fn begin_item(data: &Value, state: &mut AnswerState) -> Result<(), Fault> {
    let item = data.get("item").unwrap_or(&Value::Null);
    if text(item, "type") != "function_call" {
        return Ok(());
    }
    state
        .calls
        .begin(&key(data), text(item, "call_id"), text(item, "name"))?;
    state.calls.add("", text(item, "arguments"))
}

/// Returns what tells the items of one answer apart.
fn key(data: &Value) -> String {
    let id = text(data, "item_id");
    let id = if id.is_empty() {
        data.get("item").map_or("", |item| text(item, "id"))
    } else {
        id
    };
    if !id.is_empty() {
        return id.to_owned();
    }
    let index = data.get("output_index").and_then(Value::as_u64);
    index.map(|index| index.to_string()).unwrap_or_default()
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
