//! What servers send, before it is decoded.

use std::sync::Arc;

use rmcp::model::{JsonRpcMessage, NumberOrString, RequestId, ServerJsonRpcMessage};
use serde_json::{Value, json};

use super::answers::{Answers, Form};
use crate::{
    adapter::rmcp::fault,
    wire::{Envelope, MessageFault, MessageId, MessageLimits, Scanner},
};

/// Holds messages against the bounds and sends results around the protocol library.
#[derive(Debug, Clone)]
pub(super) struct Inbound {
    pub(super) answers: Arc<Answers>,
    pub(super) limits: MessageLimits,
}

impl Inbound {
    /// Takes a message and returns the one that the protocol library sees in its place.
    ///
    /// One that breaks a bound becomes the failure of the request it answers, or of `request`, on whose stream it
    /// came; with neither it is nothing.
    pub(super) fn take(&self, text: String, request: Option<&RequestId>) -> Option<String> {
        let mut scanner = Scanner::new();
        scanner.feed(text.as_bytes());
        let (shape, envelope) = scanner.finish();
        let awaited = envelope.answers().and_then(|id| self.answers.find(id));
        if let Some(found) = self.limits.check(text.len(), shape) {
            let id = awaited.map(|(id, _)| NumberOrString::Number(id));
            return self.failed_text(id.as_ref().or(request)?, found);
        }
        let Some((id, form)) = awaited else {
            return Some(text);
        };
        if envelope.error {
            return Some(disowned(text));
        }
        if form == Form::Through {
            return Some(text);
        }
        let Some(result) = result(&text, &envelope) else {
            return self.failed_text(&NumberOrString::Number(id), MessageFault::Invalid);
        };
        self.answers.arrive(id, result);
        if form == Form::Both {
            return Some(text);
        }
        Some(json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string())
    }

    /// Returns the request that an answer with this id belongs to, while it waits.
    pub(super) fn awaited(&self, id: &MessageId) -> Option<RequestId> {
        let (id, _) = self.answers.find(id)?;
        Some(NumberOrString::Number(id))
    }

    /// Makes the failure of a request.
    pub(super) fn failed(&self, id: &RequestId, found: MessageFault) -> ServerJsonRpcMessage {
        let error = fault::to_rpc(found.code(), found.describe(&self.limits));
        JsonRpcMessage::error(error, Some(id.clone()))
    }

    /// Makes the failure of a request, as text.
    pub(super) fn failed_text(&self, id: &RequestId, found: MessageFault) -> Option<String> {
        serde_json::to_string(&self.failed(id, found)).ok()
    }
}

/// Decodes a result as it is.
fn result(text: &str, envelope: &Envelope) -> Option<Value> {
    if !envelope.complete {
        return None;
    }
    let bytes = text.as_bytes().get(envelope.result.clone()?)?;
    let value: Value = serde_json::from_slice(bytes).ok()?;
    value.is_object().then_some(value)
}

/// Takes from an error of the server what only a transport may say.
fn disowned(text: String) -> String {
    match serde_json::from_str::<ServerJsonRpcMessage>(&text) {
        Ok(JsonRpcMessage::Error(mut error)) => {
            fault::disown(&mut error.error);
            serde_json::to_string(&error).unwrap_or(text)
        }
        _ => text,
    }
}
