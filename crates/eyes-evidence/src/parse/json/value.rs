//! The parsed document and its values.

use std::borrow::Cow;

use super::string::unescape;
use crate::parse::audit::SyntaxRepairs;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `null` in any spelling.
    Null,
    /// `true` or `false` in any spelling.
    Bool,
    /// Begins like a number.
    Number,
    /// Another word without quotation marks.
    Bare,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    /// A list.
    Array,
    /// An object; its children alternate between name and value.
    Object,
}

/// One value; `start..end` is its text (without quotation marks), `next` the node after its children.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(super) kind: Kind,
    pub(super) cut: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
}

/// One object read from a text.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) nodes: Vec<Node>,
    /// The faults that were read over.
    pub(crate) syntax: SyntaxRepairs,
    /// The text ended before the object did.
    pub(crate) truncated: bool,
    /// Where the object ends in the text.
    pub(crate) end: usize,
}

impl<'t> Document<'t> {
    /// Returns the object.
    pub(crate) fn root(&self) -> Value<'_, 't> {
        Value {
            document: self,
            at: 0,
        }
    }
}

/// A value of a [`Document`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'d, 't> {
    document: &'d Document<'t>,
    at: u32,
}

impl<'d, 't> Value<'d, 't> {
    fn node(&self) -> &'d Node {
        &self.document.nodes[self.at as usize]
    }

    pub(crate) fn kind(&self) -> Kind {
        self.node().kind
    }

    /// Tells whether the text ended inside this container.
    pub(crate) fn is_cut(&self) -> bool {
        self.node().cut
    }

    /// Returns the text of the value as it stands; of a string without its quotation marks.
    pub(crate) fn raw(&self) -> &'t str {
        let node = self.node();
        &self.document.text[node.start as usize..node.end as usize]
    }

    /// Returns the text of the value as it stands, a string with its quotation marks.
    pub(crate) fn source(&self) -> &'t str {
        let node = self.node();
        let (start, end) = (node.start as usize, node.end as usize);
        match node.kind {
            Kind::Plain | Kind::Escaped => &self.document.text[start - 1..=end],
            _ => &self.document.text[start..end],
        }
    }

    /// Returns the string, unescaped.
    pub(crate) fn as_str(&self) -> Option<Cow<'t, str>> {
        match self.kind() {
            Kind::Plain => Some(Cow::Borrowed(self.raw())),
            Kind::Escaped => Some(Cow::Owned(unescape(self.raw()))),
            _ => None,
        }
    }

    /// Returns the number, where it is finite.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self.kind() {
            Kind::Number => number(self.raw()).filter(|v| v.is_finite()),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns the elements of a list; of anything else nothing.
    pub(crate) fn elements(&self) -> Elements<'d, 't> {
        let node = self.node();
        let (at, end) = match node.kind {
            Kind::Array => (self.at + 1, node.next),
            _ => (0, 0),
        };
        Elements {
            document: self.document,
            at,
            end,
        }
    }

    /// Returns names and values of an object; of anything else nothing.
    pub(crate) fn members(&self) -> impl Iterator<Item = (Cow<'t, str>, Self)> + use<'d, 't> {
        let node = self.node();
        let (at, end) = match node.kind {
            Kind::Object => (self.at + 1, node.next),
            _ => (0, 0),
        };
        let mut nodes = Elements {
            document: self.document,
            at,
            end,
        };
        std::iter::from_fn(move || {
            let name = nodes.next()?;
            let value = nodes.next()?;
            let name = match name.as_str() {
                Some(name) => name,
                None => Cow::Borrowed(name.raw()),
            };
            Some((name, value))
        })
    }

    /// Returns the last member of that name.
    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        self.members()
            .filter(|(found, _)| found == name)
            .last()
            .map(|(_, value)| value)
    }
}

/// Reads a number; plain decimals of up to 15 digits take a short way with the same result.
///
/// Such a decimal is a whole number below 2^53 over a power of ten up to 10^22, both exact, and one division
/// rounds once (Clinger, "How to read floating point numbers accurately", 1990).
fn number(text: &str) -> Option<f64> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    if text.len() <= 16 {
        let mut whole = 0_u64;
        let mut point = None;
        let mut plain = true;
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'0'..=b'9' => whole = whole * 10 + u64::from(byte - b'0'),
                b'.' if point.is_none() && at > 0 => point = Some(at),
                _ => plain = false,
            }
        }
        let decimals = point.map_or(0, |at| text.len() - 1 - at);
        let digits = text.len() - usize::from(point.is_some());
        if plain && digits <= 15 && digits > 0 && (point.is_none() || decimals > 0) {
            return Some(whole as f64 / POWERS[decimals]);
        }
    }
    text.parse().ok()
}

/// Nodes on one level.
#[derive(Debug)]
pub(crate) struct Elements<'d, 't> {
    document: &'d Document<'t>,
    at: u32,
    end: u32,
}

impl<'d, 't> Iterator for Elements<'d, 't> {
    type Item = Value<'d, 't>;

    fn next(&mut self) -> Option<Value<'d, 't>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value {
            document: self.document,
            at: self.at,
        };
        self.at = value.node().next;
        Some(value)
    }
}
