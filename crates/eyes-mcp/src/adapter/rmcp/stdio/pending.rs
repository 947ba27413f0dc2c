//! Which requests wait for a response, and in what form it is wanted.

use std::collections::BTreeMap;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, NumberOrString, RequestId,
};

use crate::{limits::MAX_PENDING_REQUESTS, wire::MessageId};

/// The form in which a result is handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is, for results that grow large and whose every member counts.
    Raw,
    /// As the protocol library types it, because its own machinery looks at it.
    Typed,
}

/// Methods whose results are wanted as they are.
const RAW_METHODS: [&str; 7] = [
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];

/// The requests that wait.
#[derive(Debug, Default)]
pub(super) struct Pending {
    forms: BTreeMap<MessageId, Form>,
}

impl Pending {
    /// Takes note of a message that is being sent.
    pub(super) fn note(&mut self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                let form = if RAW_METHODS.contains(&request.request.method()) {
                    Form::Raw
                } else {
                    Form::Typed
                };
                self.forms.insert(message_id(&request.id), form);
                if self.forms.len() > MAX_PENDING_REQUESTS {
                    // Ids are given in ascending order: the first one is the oldest.
                    self.forms.pop_first();
                }
            }
            JsonRpcMessage::Notification(sent) => {
                if let ClientNotification::CancelledNotification(cancelled) = &sent.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.forms.remove(&message_id(id));
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
    }

    /// Finds the request that `id` answers, and no longer waits for it.
    ///
    /// Some servers answer number 1 with the text `1`.
    pub(super) fn take(&mut self, id: &MessageId) -> Option<(RequestId, Form)> {
        if let Some(form) = self.forms.remove(id) {
            return Some((request_id(id), form));
        }
        let MessageId::String(text) = id else {
            return None;
        };
        let number = MessageId::Number(text.parse().ok()?);
        let form = self.forms.remove(&number)?;
        Some((request_id(&number), form))
    }
}

fn message_id(id: &RequestId) -> MessageId {
    match id {
        NumberOrString::Number(number) => MessageId::Number(*number),
        NumberOrString::String(text) => MessageId::String(text.to_string()),
    }
}

fn request_id(id: &MessageId) -> RequestId {
    match id {
        MessageId::Number(number) => NumberOrString::Number(*number),
        MessageId::String(text) => NumberOrString::String(text.as_str().into()),
    }
}
