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

/// One value; `start..end` is its text, without quotation marks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(super) kind: Kind,
    /// Of a container 1 where the text ends inside it; of a number its decimals or [`NOT_PLAIN`].
    pub(super) flag: u8,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Of a container the node after its children; of a plain number its digits as a whole number.
    pub(super) link: u32,
}

/// Marks a number that is no plain decimal of few digits.
pub(super) const NOT_PLAIN: u8 = u8::MAX;

/// Digits whose whole number fits into [`Node::link`].
pub(super) const PLAIN_DIGITS: usize = 9;

impl Node {
    pub(super) const fn leaf(kind: Kind, start: usize, end: usize) -> Self {
        Self {
            kind,
            flag: NOT_PLAIN,
            start: start as u32,
            end: end as u32,
            link: 0,
        }
    }

    /// Returns the node that follows the one at `at` on its level.
    #[inline]
    pub(super) const fn after(&self, at: u32) -> u32 {
        match self.kind {
            Kind::Array | Kind::Object => self.link,
            _ => at + 1,
        }
    }
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
    #[inline]
    fn node(&self) -> &'d Node {
        &self.document.nodes[self.at as usize]
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        self.node().kind
    }

    /// Tells whether the text ended inside this container.
    pub(crate) fn is_cut(&self) -> bool {
        let node = self.node();
        matches!(node.kind, Kind::Array | Kind::Object) && node.flag == 1
    }

    /// Returns the text of the value as it stands; of a string without its quotation marks.
    #[inline]
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
    #[inline]
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
            Kind::Number => {
                let node = self.node();
                match POWERS.get(usize::from(node.flag)) {
                    Some(power) => Some(f64::from(node.link) / power),
                    None => self.raw().parse().ok().filter(|v: &f64| v.is_finite()),
                }
            }
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
            Kind::Array => (self.at + 1, node.link),
            _ => (0, 0),
        };
        Elements {
            document: self.document,
            at,
            end,
        }
    }

    /// Returns how many elements a list has; anything else has none.
    pub(crate) fn len(&self) -> usize {
        self.elements().count()
    }

    /// Returns the nodes of names and values of an object; of anything else nothing.
    #[inline]
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Self, Self)> + use<'d, 't> {
        let node = self.node();
        let (at, end) = match node.kind {
            Kind::Object => (self.at + 1, node.link),
            _ => (0, 0),
        };
        let mut nodes = Elements {
            document: self.document,
            at,
            end,
        };
        std::iter::from_fn(move || Some((nodes.next()?, nodes.next()?)))
    }

    /// Returns names and values of an object; of anything else nothing.
    #[inline]
    pub(crate) fn members(&self) -> impl Iterator<Item = (Cow<'t, str>, Self)> + use<'d, 't> {
        self.pairs().map(|(name, value)| {
            let name = match name.as_str() {
                Some(name) => name,
                None => Cow::Borrowed(name.raw()),
            };
            (name, value)
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

/// Powers of ten that a plain number is divided by.
///
/// A whole number below 2^53 over a power of ten up to 10^22, both exact, rounds once in the division (Clinger, "How
/// to read floating point numbers accurately", 1990): the result is what the standard library reads.
const POWERS: [f64; PLAIN_DIGITS] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/// Nodes on one level.
#[derive(Debug)]
pub(crate) struct Elements<'d, 't> {
    document: &'d Document<'t>,
    at: u32,
    end: u32,
}

impl<'d, 't> Iterator for Elements<'d, 't> {
    type Item = Value<'d, 't>;

    #[inline]
    fn next(&mut self) -> Option<Value<'d, 't>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value {
            document: self.document,
            at: self.at,
        };
        self.at = value.node().after(self.at);
        Some(value)
    }
}
