//! From lines to messages of the protocol library.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::model::{CustomResult, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult};
use serde_json::Value;

use super::{
    Traffic,
    pending::{Form, Pending},
};
use crate::{
    adapter::rmcp::fault,
    wire::{Frame, Message, MessageFault, MessageLimits, Refused},
};

/// Decodes what a server sends; whatever cannot be handed on fails only the request it answers.
#[derive(Debug)]
pub(super) struct Inbound {
    pub(super) limits: MessageLimits,
    pub(super) pending: Arc<Mutex<Pending>>,
    pub(super) traffic: Arc<Traffic>,
}

impl Inbound {
    /// Puts what a line says to the end of `out`.
    pub(super) fn take(&self, frame: Frame, out: &mut VecDeque<ServerJsonRpcMessage>) {
        match frame {
            Frame::Skipped(line) => self.traffic.skip(&line),
            Frame::Refused(refused) => out.extend(self.refused(&refused)),
            Frame::Message(message) if message.bytes.first() == Some(&b'[') => {
                self.batch(&message, out);
            }
            Frame::Message(message) => out.extend(self.message(message)),
        }
    }

    fn refused(&self, refused: &Refused) -> Option<ServerJsonRpcMessage> {
        let Some(id) = refused.envelope.answers() else {
            self.traffic.drop_one();
            return None;
        };
        let Some((id, _)) = self.pending().take(id) else {
            self.traffic.miss();
            return None;
        };
        Some(self.failure(id, refused.fault))
    }

    /// Several messages in one line, which revision 2025-03-26 has.
    fn batch(&self, message: &Message, out: &mut VecDeque<ServerJsonRpcMessage>) {
        let Ok(messages) = serde_json::from_slice::<Vec<Value>>(&message.bytes) else {
            // A line such as `[info] listening`.
            self.traffic.skip(&message.bytes);
            return;
        };
        for message in messages {
            let bytes = message.to_string().into_bytes();
            out.extend(match Message::admit(bytes, &self.limits) {
                Ok(message) => self.message(message),
                Err(refused) => self.refused(&refused),
            });
        }
    }

    fn message(&self, message: Message) -> Option<ServerJsonRpcMessage> {
        let Message { bytes, envelope } = message;
        if let Some(id) = envelope.answers() {
            let Some((id, form)) = self.pending().take(id) else {
                self.traffic.miss();
                return None;
            };
            let raw = envelope
                .result
                .filter(|_| envelope.complete && !envelope.error && form == Form::Raw);
            let decoded = match raw {
                Some(range) => bytes
                    .get(range)
                    .and_then(result)
                    .map(|result| JsonRpcMessage::response(result, id.clone())),
                None => typed(&bytes).map(|message| answer(message, id.clone())),
            };
            return Some(decoded.unwrap_or_else(|| self.failure(id, MessageFault::Invalid)));
        }
        let decoded = typed(&bytes);
        if decoded.is_none() {
            if envelope.jsonrpc {
                self.traffic.drop_one();
            } else {
                self.traffic.skip(&bytes);
            }
        }
        decoded
    }

    fn failure(&self, id: RequestId, found: MessageFault) -> ServerJsonRpcMessage {
        self.traffic.fail();
        let error = fault::to_rpc(found.code(), found.describe(&self.limits));
        JsonRpcMessage::error(error, Some(id))
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Decodes a result once, and keeps it as it is unless the protocol library has to go on with it.
fn result(bytes: &[u8]) -> Option<ServerResult> {
    let value: Value = serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()?;
    if !value.is_object() {
        return None;
    }
    match value.get("resultType") {
        // `input_required` and `task` are steps of the protocol, not results.
        Some(kind) if kind != "complete" => serde_json::from_value(value).ok(),
        _ => Some(ServerResult::CustomResult(CustomResult(value))),
    }
}

/// Decodes a message, and takes from errors what only a transport may say.
fn typed(bytes: &[u8]) -> Option<ServerJsonRpcMessage> {
    let mut message = serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()?;
    if let JsonRpcMessage::Error(error) = &mut message {
        fault::disown(&mut error.error);
    }
    Some(message)
}

/// Gives a response the id in the form in which it was asked.
fn answer(mut message: ServerJsonRpcMessage, id: RequestId) -> ServerJsonRpcMessage {
    match &mut message {
        JsonRpcMessage::Response(response) => response.id = id,
        JsonRpcMessage::Error(error) => error.id = Some(id),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
    }
    message
}
