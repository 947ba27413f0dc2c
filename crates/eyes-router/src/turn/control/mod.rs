//! The control message: how a model without tools asks for another look.
//!
//! The answer streams as soon as it can no longer be one. A tag that is quoted in an answer is text; only a
//! message that stands at the very end of the answer counts, and nothing is taken from an answer that goes on.

#[cfg(test)]
mod tests;

use super::look::{LookFault, LookRequest};
use crate::limits::MAX_CONTROL_BYTES;

/// Opens a control message.
pub(super) const OPEN: &str = "<deepseekeyes-request>";
/// Closes it.
pub(super) const CLOSE: &str = "</deepseekeyes-request>";

/// What an answer asked for at its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Control {
    /// Nothing: it is an answer.
    None,
    /// Another look.
    Look(LookRequest),
    /// Something that is meant as a request and is none.
    Malformed(LookFault),
}

/// Holds back what may be a control message, and lets everything else through at once.
#[derive(Debug, Default)]
pub(super) struct ControlGate {
    held: String,
    /// Whether anything but white space went through.
    has_text: bool,
    last: Option<char>,
}

impl ControlGate {
    /// Takes a piece of the answer and returns what can be shown now.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut shown = String::new();
        loop {
            let open = match self.find_open() {
                Find::At(open) => open,
                Find::Possible(from) => {
                    self.release(from, &mut shown);
                    return shown;
                }
            };
            let start = self.with_space_before(open);
            self.release(start, &mut shown);
            let Some(close) = self.held.find(CLOSE) else {
                if self.held.len() > MAX_CONTROL_BYTES {
                    // Too long to be a request: it is text about one.
                    self.release(open - start + OPEN.len(), &mut shown);
                    continue;
                }
                return shown;
            };
            let end = close + CLOSE.len();
            if self.held[end..].trim().is_empty() {
                return shown;
            }
            // The answer goes on, so it was a quotation.
            self.release(end, &mut shown);
        }
    }

    /// Ends the answer: what is left to show, and what was asked for.
    pub(super) fn finish(mut self) -> (String, Control) {
        let held = std::mem::take(&mut self.held);
        let Some(rest) = held.trim().strip_prefix(OPEN).filter(|_| !self.quoted()) else {
            return (held, Control::None);
        };
        let inside = rest.strip_suffix(CLOSE);
        let request = inside
            .ok_or(LookFault::NotJson)
            .and_then(LookRequest::from_json);
        match request {
            Ok(request) => (String::new(), Control::Look(request)),
            Err(fault) if !self.has_text => (String::new(), Control::Malformed(fault)),
            // Behind an answer it is more likely a quotation than a request.
            Err(_) => (held, Control::None),
        }
    }

    fn release(&mut self, end: usize, shown: &mut String) {
        if end == 0 {
            return;
        }
        let rest = self.held.split_off(end);
        let gone = std::mem::replace(&mut self.held, rest);
        self.has_text |= !gone.trim().is_empty();
        self.last = gone.chars().next_back();
        shown.push_str(&gone);
    }

    fn quoted(&self) -> bool {
        self.last.is_some_and(|last| QUOTES.contains(&last))
    }

    fn find_open(&self) -> Find {
        let mut from = 0;
        while let Some(at) = self.held[from..].find('<').map(|at| from + at) {
            let before = self.held[..at].chars().next_back().or(self.last);
            let is_quoted = before.is_some_and(|before| QUOTES.contains(&before));
            let rest = &self.held[at..];
            if !is_quoted && rest.starts_with(OPEN) {
                return Find::At(at);
            }
            if !is_quoted && OPEN.starts_with(rest) {
                return Find::Possible(self.with_space_before(at));
            }
            from = at + 1;
        }
        Find::Possible(self.with_space_before(self.held.len()))
    }

    /// White space before anything was said is held back with what follows it.
    fn with_space_before(&self, at: usize) -> usize {
        if !self.has_text && self.held[..at].trim().is_empty() {
            0
        } else {
            at
        }
    }
}

/// Marks before a tag that make it a quotation.
const QUOTES: [char; 4] = ['`', '"', '\'', '“'];

enum Find {
    /// A tag opens here.
    At(usize),
    /// Everything before may be shown; a tag may begin here.
    Possible(usize),
}
