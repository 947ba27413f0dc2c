//! Messages: the request's body and the events of the reply.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use eyes_evidence::digest::Sha256Digest;
use serde_json::{Map, Value, json};

use super::super::{
    call::{AnswerState, Decoder, document, number, text},
    conversation::{Seal, Side, arguments, schema, sides},
    fault::{Fault, Reported},
    sse::SseEvent,
};
use crate::{
    limits::MAX_SEAL_BYTES,
    model::{
        ContentBlock, FinishReason, GenerateRequest, ImageInput, Reasoning, Role, TokenUsage,
        ToolResult, ToolSpec,
    },
};

/// Builds the members that the form names its own way; `unsigned` lets thoughts without a signature go back.
pub(super) fn body(
    request: &GenerateRequest,
    max_tokens: u32,
    unsigned: bool,
) -> Map<String, Value> {
    let messages = sides(&request.messages)
        .into_iter()
        .map(|side| match side.role {
            Role::User => json!({"role": "user", "content": user(&side)}),
            Role::Assistant => json!({"role": "assistant", "content": assistant(&side, unsigned)}),
        });
    let messages: Vec<Value> = messages.collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.as_str().into());
    body.insert("max_tokens".to_owned(), max_tokens.into());
    if let Some(system) = &request.system {
        body.insert("system".to_owned(), system.as_str().into());
    }
    body.insert("messages".to_owned(), messages.into());
    if !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    body.insert("stream".to_owned(), true.into());
    body
}

fn tool(tool: &ToolSpec) -> Value {
    let mut entry = json!({"name": tool.name});
    if !tool.description.is_empty() {
        entry["description"] = tool.description.as_str().into();
    }
    entry["input_schema"] = schema(tool);
    entry
}

/// The form wants the results of a message before all else in it.
fn user(side: &Side<'_>) -> Vec<Value> {
    let results = side.results.iter().map(|result| tool_result(result));
    let blocks = side.blocks.iter().filter_map(|block| shown(block));
    results.chain(blocks).collect()
}

fn shown(block: &ContentBlock) -> Option<Value> {
    match block {
        // The form refuses blocks of blank text.
        ContentBlock::Text(text) if text.trim().is_empty() => None,
        ContentBlock::Text(text) => Some(json!({"type": "text", "text": text})),
        ContentBlock::Image(image) => Some(image_block(image)),
        _ => None,
    }
}

fn image_block(image: &ImageInput) -> Value {
    json!({
        "type": "image",
        "source": {
            "type": "base64",
            "media_type": image.media_type().as_str(),
            "data": STANDARD.encode(&image.bytes),
        },
    })
}

fn tool_result(result: &ToolResult) -> Value {
    let mut content: Vec<Value> = result.content.iter().filter_map(shown).collect();
    let mut block = json!({"type": "tool_result", "tool_use_id": call_id(&result.call_id)});
    if result.is_error {
        // A failure without a word is refused.
        if content.is_empty() {
            content.push(json!({"type": "text", "text": "Error"}));
        }
        block["is_error"] = true.into();
    }
    if !content.is_empty() {
        block["content"] = content.into();
    }
    block
}

/// A text behind a call is refused: the calls then come last.
fn assistant(side: &Side<'_>, unsigned: bool) -> Vec<Value> {
    let is_call = |block: &&ContentBlock| matches!(block, ContentBlock::ToolCall(_));
    let mut blocks = side.blocks.clone();
    let first_call = blocks.iter().position(is_call).unwrap_or(blocks.len());
    let mut after = blocks[first_call..].iter();
    if after.any(|block| matches!(block, ContentBlock::Text(_))) {
        blocks.sort_by_key(is_call);
    }
    let parts = blocks.into_iter().filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(json!({
            "type": "tool_use",
            "id": call_id(&call.id),
            "name": call.name,
            "input": arguments(call),
        })),
        ContentBlock::Reasoning(reasoning) => thinking(reasoning, unsigned),
        _ => shown(block),
    });
    parts.collect()
}

fn thinking(reasoning: &Reasoning, unsigned: bool) -> Option<Value> {
    match Seal::on(reasoning) {
        Some(Seal::Signature(signature)) => {
            Some(json!({"type": "thinking", "thinking": reasoning.text, "signature": signature}))
        }
        Some(Seal::Redacted(data)) => Some(json!({"type": "redacted_thinking", "data": data})),
        Some(Seal::Encrypted(_)) | None if unsigned && !reasoning.text.is_empty() => {
            Some(json!({"type": "thinking", "thinking": reasoning.text}))
        }
        Some(Seal::Encrypted(_)) | None => None,
    }
}

/// Returns an id that the form accepts: other forms have ids with colons and dots.
fn call_id(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !id.is_empty() && id.bytes().all(is_plain) {
        return id.to_owned();
    }
    let digest = Sha256Digest::of(id.as_bytes()).to_string();
    format!("call_{}", &digest[digest.len() - 32..])
}

/// Reads the events of a streamed message and whole `message` documents.
#[derive(Debug, Default)]
pub(super) struct MessagesDecoder {
    /// The key of the call whose block is open.
    call: Option<String>,
    /// The arguments as they stood at the start of that block.
    input: Option<String>,
    /// The signature so far.
    signature: String,
}

impl Decoder for MessagesDecoder {
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault> {
        let Some(data) = document(event)? else {
            return Ok(());
        };
        let kind = data.get("type").and_then(Value::as_str);
        match kind.unwrap_or(event.event.as_str()) {
            "message_start" => read_usage(data.pointer("/message/usage"), state),
            "content_block_start" => {
                self.close(state)?;
                state.settle_calls()?;
                let index = data.get("index").and_then(Value::as_u64);
                let key = index.map(|index| index.to_string()).unwrap_or_default();
                self.open(&data["content_block"], key, state)?;
            }
            "content_block_delta" => self.read(&data["delta"], state)?,
            "content_block_stop" => self.close(state)?,
            "message_delta" => {
                self.close(state)?;
                read_usage(data.get("usage"), state);
                read_stop(data.pointer("/delta/stop_reason"), state)?;
            }
            "message_stop" => {
                self.close(state)?;
                state.is_closed = true;
            }
            "error" => return Err(Fault::Reported(Reported::find(&data).unwrap_or_default())),
            _ if data.get("error").is_some_and(Value::is_object) => {
                return Err(Fault::Reported(Reported::find(&data).unwrap_or_default()));
            }
            // `ping`, and kinds that are added later.
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
        for (index, block) in blocks.iter().enumerate() {
            state.settle_calls()?;
            self.open(block, index.to_string(), state)?;
            self.close(state)?;
        }
        read_usage(document.get("usage"), state);
        read_stop(document.get("stop_reason"), state)?;
        state.is_closed = true;
        Ok(())
    }
}

impl MessagesDecoder {
    /// Begins a block with what it has at its start; a whole one has everything.
    fn open(&mut self, block: &Value, key: String, state: &mut AnswerState) -> Result<(), Fault> {
        match text(block, "type") {
            "tool_use" => {
                state
                    .calls
                    .begin(&key, text(block, "id"), text(block, "name"))?;
                self.input = block.get("input").map(Value::to_string);
                self.call = Some(key);
                Ok(())
            }
            "redacted_thinking" => state.seal(Seal::Redacted(text(block, "data"))),
            _ => self.read(block, state),
        }
    }

    /// Takes what a block, or a piece of one, says.
    fn read(&mut self, piece: &Value, state: &mut AnswerState) -> Result<(), Fault> {
        match text(piece, "type") {
            "text" | "text_delta" => state.text(text(piece, "text")),
            "thinking" | "thinking_delta" => {
                state.reasoning(text(piece, "thinking"));
                return self.sign(text(piece, "signature"));
            }
            "signature_delta" => return self.sign(text(piece, "signature")),
            // The tools that a provider runs itself have input too.
            "input_json_delta" => {
                if let Some(key) = &self.call {
                    self.input = None;
                    return state.calls.add(key, text(piece, "partial_json"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn sign(&mut self, piece: &str) -> Result<(), Fault> {
        if piece.len() > MAX_SEAL_BYTES - self.signature.len() {
            let text = format!("a signature has more than {MAX_SEAL_BYTES} bytes");
            return Err(Fault::TooLong(text));
        }
        self.signature.push_str(piece);
        Ok(())
    }

    /// Ends the open block, which some servers do not.
    fn close(&mut self, state: &mut AnswerState) -> Result<(), Fault> {
        if !self.signature.is_empty() {
            let signature = std::mem::take(&mut self.signature);
            state.seal(Seal::Signature(&signature))?;
        }
        let Some(key) = self.call.take() else {
            return Ok(());
        };
        if let Some(input) = self.input.take() {
            state.calls.replace(&key, &input)?;
        }
        state.calls.close(&key);
        Ok(())
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
        Some("tool_use") => state.finish = Some(FinishReason::ToolCalls),
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
