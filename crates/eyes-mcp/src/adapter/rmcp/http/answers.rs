//! Results on their way around the protocol library.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, NumberOrString};
use serde_json::Value;

use crate::{adapter::rmcp::connection::Bypass, limits::MAX_PENDING_REQUESTS, wire::MessageId};

/// How the result of a request goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Around the library, which sees an empty one instead.
    Around,
    /// Around the library, which sees it too: it makes headers of what tools are annotated with (SEP-2243).
    Both,
    /// Through the library, whose own machinery it is for.
    Through,
}

/// The requests that wait, and the results that came.
#[derive(Debug, Default)]
pub(super) struct Answers(Mutex<BTreeMap<i64, Slot>>);

#[derive(Debug)]
enum Slot {
    Awaited(Form),
    Arrived(Value),
}

impl Answers {
    /// Takes note of a request that is being sent.
    pub(super) fn expect(&self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else {
            return;
        };
        let NumberOrString::Number(id) = request.id else {
            return;
        };
        // The requests of connections are custom ones; the library's own machinery makes the others.
        let form = match &request.request {
            ClientRequest::CustomRequest(custom) if custom.method == "tools/list" => Form::Both,
            ClientRequest::CustomRequest(_) => Form::Around,
            _ => Form::Through,
        };
        let mut slots = self.lock();
        slots.insert(id, Slot::Awaited(form));
        if slots.len() > MAX_PENDING_REQUESTS {
            // Ids are given in ascending order: the first one is the oldest.
            slots.pop_first();
        }
    }

    /// Finds the request that an id answers; some servers give a number back as a text.
    pub(super) fn find(&self, id: &MessageId) -> Option<(i64, Form)> {
        let id = match id {
            MessageId::Number(number) => *number,
            MessageId::String(text) => text.parse().ok()?,
        };
        match self.lock().get(&id)? {
            Slot::Awaited(form) => Some((id, *form)),
            Slot::Arrived(_) => None,
        }
    }

    pub(super) fn arrive(&self, id: i64, result: Value) {
        if let Some(slot) = self.lock().get_mut(&id) {
            *slot = Slot::Arrived(result);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, Slot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bypass for Answers {
    fn take(&self, id: i64) -> Option<Value> {
        match self.lock().remove(&id)? {
            Slot::Arrived(result) => Some(result),
            Slot::Awaited(_) => None,
        }
    }

    fn forget(&self, id: i64) {
        self.lock().remove(&id);
    }
}
