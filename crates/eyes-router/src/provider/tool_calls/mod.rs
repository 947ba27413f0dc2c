//! The calls of one answer, put together from the pieces that a provider sends.

#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;

#[cfg(feature = "openai")]
use std::borrow::Cow;
use std::{collections::BTreeSet, mem};

use serde_json::{Map, Value};

use super::fault::Fault;
use crate::{
    limits::{MAX_TOOL_CALL_BYTES, MAX_TOOL_CALLS},
    model::{ContentBlock, GenerateRequest, ToolCall},
};

/// What ids begin with that this program gives, where a server gave none.
const OWN_ID: &str = "eyes_call_";

/// Calls that are not delivered yet, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    pending: Vec<Pending>,
    /// Ids that were delivered.
    ids: BTreeSet<String>,
    /// The number of the next id of our own.
    next_own: u64,
    count: usize,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Pending {
    /// How the provider tells the pieces of one call; empty where it does not.
    key: String,
    id: String,
    name: String,
    arguments: String,
    is_closed: bool,
}

/// One piece as chat completions send it.
#[cfg(feature = "openai")]
#[derive(Debug)]
pub(super) struct Delta<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: Cow<'a, str>,
}

impl ToolCalls {
    /// Starts with ids that no call of the request has.
    pub(super) fn after(request: &GenerateRequest) -> Self {
        let blocks = request.messages.iter().flat_map(|message| &message.content);
        let own = blocks.filter_map(|block| match block {
            ContentBlock::ToolCall(call) => call.id.strip_prefix(OWN_ID)?.parse::<u64>().ok(),
            _ => None,
        });
        Self {
            next_own: own.max().map_or(0, |last| last.saturating_add(1)),
            ..Self::default()
        }
    }

    /// Tells whether any call was begun.
    pub(super) const fn any(&self) -> bool {
        self.count > 0
    }

    /// Tells whether any call was delivered.
    pub(super) fn delivered(&self) -> bool {
        !self.ids.is_empty()
    }

    /// Begins a call; `key` finds it again.
    pub(super) fn begin(&mut self, key: &str, id: &str, name: &str) -> Result<(), Fault> {
        if self.count == MAX_TOOL_CALLS {
            let text = format!("the answer has more than {MAX_TOOL_CALLS} tool calls");
            return Err(Fault::TooLong(text));
        }
        self.count += 1;
        self.grow(id.len() + name.len())?;
        self.pending.push(Pending {
            key: key.to_owned(),
            id: id.to_owned(),
            name: name.to_owned(),
            ..Pending::default()
        });
        Ok(())
    }

    /// Adds to the arguments of the call with this key, or of the last one.
    pub(super) fn add(&mut self, key: &str, piece: &str) -> Result<(), Fault> {
        self.grow(piece.len())?;
        if let Some(call) = self.find_or_last(key) {
            call.arguments.push_str(piece);
        }
        Ok(())
    }

    /// Replaces the arguments by those that the provider states whole.
    pub(super) fn replace(&mut self, key: &str, arguments: &str) -> Result<(), Fault> {
        let Some(call) = self.find_or_last(key) else {
            return Ok(());
        };
        let before = mem::replace(&mut call.arguments, arguments.to_owned());
        self.bytes -= before.len();
        self.grow(arguments.len())
    }

    /// Notes that nothing is added to the call any more.
    #[cfg(feature = "anthropic")]
    pub(super) fn close(&mut self, key: &str) {
        if let Some(call) = self.find_or_last(key) {
            call.is_closed = true;
        }
    }

    /// Returns closed calls from the front. Only the last part of an answer can be cut off, so they are whole as
    /// soon as another part began.
    pub(super) fn settled(&mut self) -> Result<Vec<ToolCall>, Fault> {
        let closed = self.pending.iter().take_while(|call| call.is_closed);
        let count = closed.count();
        let settled: Vec<Pending> = self.pending.drain(..count).collect();
        self.deliver(settled)
    }

    /// Returns the rest. Of an answer that was cut off, the last call is left out unless its arguments are a
    /// whole object.
    pub(super) fn finish(&mut self, is_cut: bool) -> Result<Vec<ToolCall>, Fault> {
        let mut rest = mem::take(&mut self.pending);
        let is_half = |call: &Pending| !is_object(&call.arguments);
        if is_cut && rest.last().is_some_and(is_half) {
            rest.pop();
        }
        self.deliver(rest)
    }

    fn deliver(&mut self, calls: Vec<Pending>) -> Result<Vec<ToolCall>, Fault> {
        let mut delivered = Vec::with_capacity(calls.len());
        for call in calls {
            if call.name.is_empty() {
                // Some servers open a call and make nothing of it.
                if call.id.is_empty() && call.arguments.trim().is_empty() {
                    continue;
                }
                return Err(Fault::Invalid("a tool call has no name".to_owned()));
            }
            let mut id = call.id;
            while id.is_empty() || self.ids.contains(&id) {
                id = format!("{OWN_ID}{}", self.next_own);
                self.next_own = self.next_own.saturating_add(1);
            }
            self.ids.insert(id.clone());
            let mut arguments = call.arguments;
            if arguments.trim().is_empty() {
                "{}".clone_into(&mut arguments);
            }
            delivered.push(ToolCall {
                id,
                name: call.name,
                arguments,
            });
        }
        Ok(delivered)
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Fault> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_TOOL_CALL_BYTES {
            let text = format!("the tool calls have more than {MAX_TOOL_CALL_BYTES} bytes");
            return Err(Fault::TooLong(text));
        }
        Ok(())
    }

    /// Finds the last call with this key: some servers count every call as the first.
    fn find(&self, key: &str) -> Option<usize> {
        let same = |call: &Pending| !key.is_empty() && call.key == key;
        self.pending.iter().rposition(same)
    }

    fn find_or_last(&mut self, key: &str) -> Option<&mut Pending> {
        match self.find(key) {
            Some(at) => self.pending.get_mut(at),
            None => self.pending.last_mut(),
        }
    }
}

/// Responses: an item that stands whole at its end.
#[cfg(feature = "openai")]
impl ToolCalls {
    /// Takes a call as it stands at its end; pieces of it may have come before.
    pub(super) fn whole(
        &mut self,
        key: &str,
        id: &str,
        name: &str,
        arguments: &str,
    ) -> Result<(), Fault> {
        let by_id = |call: &Pending| !id.is_empty() && call.id == id;
        let known = self
            .find(key)
            .or_else(|| self.pending.iter().rposition(by_id));
        let at = match known {
            Some(at) => at,
            None if self.ids.contains(id) => return Ok(()),
            None => {
                self.begin(key, id, name)?;
                self.pending.len() - 1
            }
        };
        let call = &mut self.pending[at];
        call.is_closed = true;
        if arguments.is_empty() {
            return Ok(());
        }
        let before = mem::replace(&mut call.arguments, arguments.to_owned());
        self.bytes -= before.len();
        self.grow(arguments.len())
    }
}

/// Chat completions: the id and the name come once, the arguments in pieces, and `index` tells to which call a
/// piece belongs. Servers depart from each part of that.
#[cfg(feature = "openai")]
impl ToolCalls {
    pub(super) fn take(&mut self, delta: &Delta<'_>) -> Result<(), Fault> {
        let key = delta.index.map(|index| index.to_string());
        let key = key.unwrap_or_default();
        let Some(at) = self.place(delta, &key) else {
            let is_empty =
                delta.id.is_empty() && delta.name.is_empty() && delta.arguments.is_empty();
            if is_empty {
                return Ok(());
            }
            self.begin(&key, delta.id, delta.name)?;
            return self.add("", &delta.arguments);
        };
        self.grow(delta.id.len() + delta.name.len() + delta.arguments.len())?;
        let call = &mut self.pending[at];
        if call.id.is_empty() {
            delta.id.clone_into(&mut call.id);
        }
        // A name that is sent again, whole or longer each time, is no piece of a name.
        if delta.name.starts_with(&call.name) {
            delta.name.clone_into(&mut call.name);
        } else if call.arguments.is_empty() {
            call.name.push_str(delta.name);
        }
        call.arguments.push_str(&delta.arguments);
        Ok(())
    }

    /// Finds the call that a piece goes on with; none where the piece begins one.
    fn place(&self, delta: &Delta<'_>, key: &str) -> Option<usize> {
        let last = self.pending.len().checked_sub(1);
        let by_id = |call: &Pending| {
            let same_place = key.is_empty() || call.key.is_empty() || call.key == key;
            !delta.id.is_empty() && call.id == delta.id && same_place
        };
        if let Some(at) = self.pending.iter().rposition(by_id) {
            return Some(at);
        }
        if delta.index.is_some() && self.find(key).is_none() {
            let goes_on = delta.id.is_empty() && delta.name.is_empty();
            return last.filter(|_| goes_on);
        }
        let at = self.find(key).or(last)?;
        let call = &self.pending[at];
        // vLLM gave each piece an id of its own; what it does not give twice is the name.
        if delta.name.is_empty() || call.name.is_empty() {
            return Some(at);
        }
        // Ollama counts every call as the first, and tells them by their ids.
        if !delta.id.is_empty() && !call.id.is_empty() {
            return None;
        }
        // Nothing but the text is left to tell whether a call with a name is the next one.
        let is_next = call.arguments.trim_end().ends_with('}')
            && delta.arguments.trim_start().starts_with('{');
        let same_name =
            call.name == delta.name || delta.index.is_some() && call.arguments.is_empty();
        (same_name && !is_next).then_some(at)
    }
}

fn is_object(arguments: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(arguments).is_ok()
}
