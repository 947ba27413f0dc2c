//! The members at the top of a JSON-RPC message.

use std::ops::Range;

use crate::limits::MAX_ENVELOPE_TOKEN_BYTES;

/// The id of a request (JSON-RPC 2.0, section 4).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageId {
    /// A whole number; `1.0` and `1e2` are ones too.
    Number(i64),
    /// A text.
    String(String),
}

/// What the members at the top of a message say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The whole is one object, complete as far as brackets tell, and none of these members stands there twice.
    pub complete: bool,
    /// `jsonrpc` is `2.0`.
    pub jsonrpc: bool,
    /// `id`, where it is a whole number or a text of ordinary length.
    pub id: Option<MessageId>,
    /// `method`, where it is a text of ordinary length.
    pub method: Option<String>,
    /// Where the value of `result` stands among the bytes of the message.
    pub result: Option<Range<usize>>,
    /// There is an `error`.
    pub error: bool,
}

impl Envelope {
    /// Whether this answers a request, and which one is known.
    ///
    /// `jsonrpc` is asked for: a program's own log line may well have an `id` and an `error`.
    pub fn answers(&self) -> Option<&MessageId> {
        let answer = self.jsonrpc && self.method.is_none() && (self.result.is_some() || self.error);
        self.id.as_ref().filter(|_| answer)
    }
}

/// A member at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    JsonRpc,
    Id,
    Method,
    Result,
    Error,
    Other,
}

/// What is expected at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Key,
    Colon(Member),
    Value(Member),
    Comma,
}

/// Follows the tokens of the top object.
#[derive(Debug, Clone)]
pub(super) struct Top {
    slot: Slot,
    /// The member whose value is being read, from its first byte on.
    open: Option<(Member, usize)>,
    /// The bytes of the token that is being read, as far as they are of interest.
    token: Vec<u8>,
    keep: bool,
    too_long: bool,
    seen: [bool; 5],
    /// One of the members stands there twice, or the order of tokens is not that of JSON.
    pub(super) malformed: bool,
    pub(super) envelope: Envelope,
}

impl Top {
    pub(super) fn new() -> Self {
        Self {
            slot: Slot::Key,
            open: None,
            token: Vec::new(),
            keep: false,
            too_long: false,
            seen: [false; 5],
            malformed: false,
            envelope: Envelope::default(),
        }
    }

    /// Whether the bytes of the current token are wanted.
    pub(super) const fn keeps(&self) -> bool {
        self.keep
    }

    /// Takes bytes of the current token.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        if self.token.len() + bytes.len() > MAX_ENVELOPE_TOKEN_BYTES {
            self.too_long = true;
            self.keep = false;
        } else {
            self.token.extend_from_slice(bytes);
        }
    }

    /// A value or a name begins at `position`.
    pub(super) fn begin(&mut self, position: usize, is_string: bool) {
        self.token.clear();
        self.too_long = false;
        self.keep = match self.slot {
            Slot::Key => is_string,
            Slot::Value(member) => {
                self.open = Some((member, position));
                matches!(member, Member::Id | Member::Method | Member::JsonRpc)
            }
            Slot::Colon(_) | Slot::Comma => false,
        };
        let fits = matches!(self.slot, Slot::Value(_)) || self.keep;
        self.malformed |= !fits;
    }

    /// The value or the name ends before `position`; `is_string` tells what it was.
    pub(super) fn end(&mut self, position: usize, is_string: bool) {
        self.keep = false;
        let Some((member, start)) = self.open.take() else {
            if self.slot == Slot::Key && is_string {
                self.slot = Slot::Colon(self.member());
            }
            return;
        };
        self.slot = Slot::Comma;
        match member {
            Member::JsonRpc => {
                self.envelope.jsonrpc = is_string && self.text().is_some_and(|text| text == "2.0");
            }
            Member::Id => self.envelope.id = self.id(is_string),
            Member::Method => {
                self.envelope.method = self.text().filter(|_| is_string);
                self.malformed |= self.envelope.method.is_none();
            }
            Member::Result => self.envelope.result = Some(start..position),
            Member::Error | Member::Other => {}
        }
    }

    pub(super) fn colon(&mut self) {
        if let Slot::Colon(member) = self.slot {
            self.slot = Slot::Value(member);
            self.envelope.error |= member == Member::Error;
            if member == Member::Result {
                // Known before its end, so that a request is answered while the rest is thrown away.
                self.envelope.result = Some(0..0);
            }
        } else {
            self.malformed = true;
        }
    }

    pub(super) fn comma(&mut self) {
        self.malformed |= self.slot != Slot::Comma;
        self.slot = Slot::Key;
    }

    /// Which member the name that was read is; a name may be written with escapes.
    fn member(&mut self) -> Member {
        const NAMES: [(&str, Member); 5] = [
            ("jsonrpc", Member::JsonRpc),
            ("id", Member::Id),
            ("method", Member::Method),
            ("result", Member::Result),
            ("error", Member::Error),
        ];
        let Some(text) = self.text() else {
            return Member::Other;
        };
        let found = NAMES
            .iter()
            .zip(&mut self.seen)
            .find(|((name, _), _)| *name == text);
        let Some(((_, member), seen)) = found else {
            return Member::Other;
        };
        self.malformed |= std::mem::replace(seen, true);
        *member
    }

    /// The text that was read, with its escapes resolved.
    fn text(&self) -> Option<String> {
        if self.too_long {
            return None;
        }
        if !self.token.contains(&b'\\') {
            return std::str::from_utf8(&self.token).ok().map(str::to_owned);
        }
        let quoted = [b"\"", self.token.as_slice(), b"\""].concat();
        serde_json::from_slice(&quoted).ok()
    }

    fn id(&self, is_string: bool) -> Option<MessageId> {
        // 2^53 itself could be the next number as well.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let text = self.text()?;
        if is_string {
            return Some(MessageId::String(text));
        }
        let number: serde_json::Number = serde_json::from_str(&text).ok()?;
        let whole = number.as_i64().or_else(|| {
            number
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < EXACT)
                .map(|number| number as i64)
        })?;
        Some(MessageId::Number(whole))
    }
}
