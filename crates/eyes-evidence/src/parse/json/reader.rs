//! Text to nodes.

use super::{
    string::{Span, scan},
    value::{Document, Kind, Node},
    word::{is_bare, is_json_number, odd_word, plain_decimal, starts_value},
};
use crate::{
    limits::{MAX_JSON_DEPTH, MAX_JSON_NODES},
    parse::audit::SyntaxRepairs,
};

/// How much is read over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Only slips that leave no doubt about what was meant.
    Strict,
    /// Also faults that need a guess about where a string or a container ends.
    Lenient,
}

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) dialect: Dialect,
    /// The text holds control characters; without any, strings need no second look.
    pub(crate) controls: bool,
}

/// Why no object starts here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyntaxError {
    /// The text at this offset is no JSON.
    Unexpected(usize),
    /// Containers are nested deeper than [`MAX_JSON_DEPTH`].
    Depth(usize),
    /// The object has more than [`MAX_JSON_NODES`] values.
    Nodes(usize),
}

impl SyntaxError {
    /// Returns the offset at which reading stopped.
    pub(crate) fn offset(self) -> usize {
        match self {
            Self::Unexpected(at) | Self::Depth(at) | Self::Nodes(at) => at,
        }
    }
}

/// Reads the object that starts at `start`, which is a `{`.
///
/// `nodes` is scratch space: it is emptied and comes back inside the document, or stays with the caller.
pub(crate) fn read_object<'t>(
    text: &'t str,
    start: usize,
    options: Options,
    nodes: &mut Vec<Node>,
) -> Result<Document<'t>, SyntaxError> {
    nodes.clear();
    // A value and its name take about 16 bytes of text.
    nodes.reserve(((text.len() - start) / 8).min(1 << 16));
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: start,
        lenient: options.dialect == Dialect::Lenient,
        controls: options.controls,
        nodes: std::mem::take(nodes),
        open: [0; MAX_JSON_DEPTH],
        depth: 0,
        object: false,
        syntax: SyntaxRepairs::default(),
    };
    match reader.run().or_else(|error| reader.give_up(error, start)) {
        Ok(truncated) => Ok(Document {
            text,
            truncated,
            end: reader.at,
            nodes: reader.nodes,
            syntax: reader.syntax,
        }),
        Err(error) => {
            *nodes = reader.nodes;
            Err(error)
        }
    }
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    lenient: bool,
    /// The text holds control characters, between values or inside strings.
    controls: bool,
    nodes: Vec<Node>,
    open: [u32; MAX_JSON_DEPTH],
    depth: usize,
    /// The innermost open container is an object.
    object: bool,
    syntax: SyntaxRepairs,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A name or the end of the object.
    Name,
    /// A value or, in a list, its end.
    Value,
    /// A comma or the end of the container.
    Comma,
}

impl Reader<'_> {
    /// Reads until the outermost object is closed; returns whether the text ended before that.
    fn run(&mut self) -> Result<bool, SyntaxError> {
        let mut expect = self.push_open(Kind::Object)?;
        while self.depth > 0 {
            let Some(byte) = self.next_byte() else {
                self.close_all();
                return Ok(true);
            };
            expect = match expect {
                Expect::Name => self.name(byte)?,
                Expect::Value => self.value(byte)?,
                Expect::Comma => self.comma(byte)?,
            };
        }
        Ok(false)
    }

    /// Keeps what was read before a fault, unless most of the text lies behind it.
    fn give_up(&mut self, error: SyntaxError, start: usize) -> Result<bool, SyntaxError> {
        let SyntaxError::Unexpected(at) = error else {
            return Err(error);
        };
        let read = at - start;
        let unread = self.bytes.len() - at;
        if !self.lenient || self.nodes.len() < 3 || unread > read {
            return Err(error);
        }
        self.close_all();
        Ok(true)
    }

    #[inline]
    fn skip_space(&mut self) {
        // Most bytes here are no white space, and one comparison tells.
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| **byte <= b' ') {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                break;
            }
            self.at += 1;
        }
    }

    /// Passes white space; nothing at the end of the text.
    ///
    /// A fence outside a string ends the text of a model that forgot to close its brackets.
    #[inline]
    fn next_byte(&mut self) -> Option<u8> {
        self.skip_space();
        self.bytes
            .get(self.at)
            .copied()
            .filter(|byte| *byte != b'`')
    }

    fn after_space(&self, mut at: usize) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(at) {
            at += 1;
        }
        self.bytes.get(at).copied()
    }

    fn unexpected<T>(&self) -> Result<T, SyntaxError> {
        Err(SyntaxError::Unexpected(self.at))
    }

    #[inline]
    fn push(&mut self, node: Node) -> Result<(), SyntaxError> {
        if self.nodes.len() >= MAX_JSON_NODES {
            return Err(SyntaxError::Nodes(self.at));
        }
        self.nodes.push(node);
        Ok(())
    }

    fn push_open(&mut self, kind: Kind) -> Result<Expect, SyntaxError> {
        if self.depth == MAX_JSON_DEPTH {
            return Err(SyntaxError::Depth(self.at));
        }
        self.open[self.depth] = self.nodes.len() as u32;
        self.depth += 1;
        self.object = kind == Kind::Object;
        self.push(Node::leaf(kind, self.at, self.at))?;
        self.at += 1;
        Ok(if kind == Kind::Object {
            Expect::Name
        } else {
            Expect::Value
        })
    }

    fn close(&mut self, end: usize, cut: bool) {
        self.depth -= 1;
        let outer = self
            .depth
            .checked_sub(1)
            .map(|depth| self.open[depth] as usize);
        self.object = outer.is_some_and(|outer| self.nodes[outer].kind == Kind::Object);
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[self.open[self.depth] as usize];
        node.end = end as u32;
        node.link = next;
        node.flag = u8::from(cut);
    }

    fn name(&mut self, byte: u8) -> Result<Expect, SyntaxError> {
        match byte {
            b'}' => Ok(self.close_here()),
            b',' if self.lenient => {
                self.syntax.trailing_commas = self.syntax.trailing_commas.saturating_add(1);
                self.at += 1;
                Ok(Expect::Name)
            }
            b'"' => self.quoted_name(b'"'),
            b'\'' if self.lenient => self.quoted_name(b'\''),
            b']' if self.lenient => self.mismatched(),
            _ if self.lenient && (byte.is_ascii_alphabetic() || byte == b'_') => self.bare_name(),
            _ => self.unexpected(),
        }
    }

    /// Names hold no quotation marks, so the first one ends them: a guess here would swallow the document.
    fn quoted_name(&mut self, quote: u8) -> Result<Expect, SyntaxError> {
        let start = self.at + 1;
        let Some(span) = scan(self.bytes, start, quote, &mut self.syntax, |_| true) else {
            self.at = self.bytes.len();
            return Ok(Expect::Name);
        };
        self.at = span.end + 1;
        self.skip_space();
        match self.bytes.get(self.at) {
            Some(b':') => {
                self.at += 1;
                self.push_span(span)?;
                // The value follows at once; another turn of the loop would cost more than reading it.
                match self.next_byte() {
                    Some(byte) => self.value(byte),
                    None => Ok(Expect::Value),
                }
            }
            None => Ok(Expect::Name),
            _ => self.unexpected(),
        }
    }

    fn bare_name(&mut self) -> Result<Expect, SyntaxError> {
        let start = self.at;
        let end = self.bare_end();
        self.at = end;
        self.skip_space();
        match self.bytes.get(self.at) {
            Some(b':') => {
                self.at += 1;
                self.syntax.bare_words = self.syntax.bare_words.saturating_add(1);
                self.push(Node::leaf(Kind::Bare, start, end))?;
                Ok(Expect::Value)
            }
            None => Ok(Expect::Name),
            _ => self.unexpected(),
        }
    }

    fn push_span(&mut self, span: Span) -> Result<(), SyntaxError> {
        if self.controls {
            let content = &self.bytes[span.start..span.end];
            let controls = content.iter().filter(|byte| **byte < 0x20).count() as u32;
            self.syntax.raw_controls = self.syntax.raw_controls.saturating_add(controls);
        }
        let kind = if span.escaped {
            Kind::Escaped
        } else {
            Kind::Plain
        };
        self.push(Node::leaf(kind, span.start, span.end))
    }

    fn value(&mut self, byte: u8) -> Result<Expect, SyntaxError> {
        match byte {
            b'{' => self.push_open(Kind::Object),
            b'[' => self.push_open(Kind::Array),
            b'"' => self.string(b'"'),
            b'\'' if self.lenient => self.string(b'\''),
            b']' if !self.object => Ok(self.close_here()),
            b',' | b'}' | b']' if self.lenient => self.missing_value(byte),
            _ if is_bare(byte) => self.bare_value(),
            _ => self.unexpected(),
        }
    }

    /// A comma or an end where a value belongs: the member is left out.
    fn missing_value(&mut self, byte: u8) -> Result<Expect, SyntaxError> {
        if self.object {
            self.nodes.pop();
            return Ok(Expect::Comma);
        }
        if byte == b',' {
            self.syntax.trailing_commas = self.syntax.trailing_commas.saturating_add(1);
            self.at += 1;
            return Ok(Expect::Value);
        }
        self.mismatched()
    }

    fn string(&mut self, quote: u8) -> Result<Expect, SyntaxError> {
        let start = self.at + 1;
        let bytes = self.bytes;
        let mut syntax = self.syntax;
        let span = if self.lenient {
            scan(bytes, start, quote, &mut syntax, |after| {
                self.ends_string(after, quote)
            })
        } else {
            scan(bytes, start, quote, &mut syntax, |_| true)
        };
        self.syntax = syntax;
        match span {
            Some(span) => {
                self.at = span.end + 1;
                self.push_span(span)?;
                Ok(Expect::Comma)
            }
            None => Ok(self.cut_value()),
        }
    }

    /// Tells whether a quotation mark before `after` ends a value: it does before `,`, `}`, `]` and the end,
    /// and before white space and another string (a comma was left out).
    fn ends_string(&self, after: usize, quote: u8) -> bool {
        match self.after_space(after) {
            None | Some(b',' | b'}' | b']') => true,
            Some(next) if next == quote => self.bytes[after] != quote,
            Some(_) => false,
        }
    }

    /// The text ends inside a value: a cut value is no value, and its name goes with it.
    fn cut_value(&mut self) -> Expect {
        self.at = self.bytes.len();
        if self.object {
            self.nodes.pop();
        }
        Expect::Comma
    }

    fn bare_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        self.at + rest.iter().position(|b| !is_bare(*b)).unwrap_or(rest.len())
    }

    fn bare_value(&mut self) -> Result<Expect, SyntaxError> {
        let start = self.at;
        if let Some(number) = plain_decimal(self.bytes, start) {
            self.at = number.end as usize;
            self.push(number)?;
            return Ok(Expect::Comma);
        }
        let end = self.bare_end();
        if end == self.bytes.len() {
            return Ok(self.cut_value());
        }
        let word = &self.bytes[start..end];
        let kind = match word {
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Bool,
            _ => {
                let kind = odd_word(word);
                if kind != Kind::Number || !is_json_number(word) {
                    self.syntax.bare_words = self.syntax.bare_words.saturating_add(1);
                }
                kind
            }
        };
        self.at = end;
        self.push(Node::leaf(kind, start, end))?;
        Ok(Expect::Comma)
    }

    fn comma(&mut self, byte: u8) -> Result<Expect, SyntaxError> {
        let object = self.object;
        match byte {
            b',' => {
                self.at += 1;
                let next = self.next_byte();
                match next {
                    Some(b'"') if object => self.quoted_name(b'"'),
                    Some(b'}') if object => Ok(self.trailing_comma(Expect::Name)),
                    Some(b']') if !object => Ok(self.trailing_comma(Expect::Value)),
                    _ if object => Ok(Expect::Name),
                    Some(byte) => self.value(byte),
                    None => Ok(Expect::Value),
                }
            }
            b'}' if object => Ok(self.close_here()),
            b']' if !object => Ok(self.close_here()),
            b'}' | b']' if self.lenient => self.mismatched(),
            _ if self.lenient && starts_value(byte) => {
                self.syntax.missing_commas = self.syntax.missing_commas.saturating_add(1);
                Ok(if object { Expect::Name } else { Expect::Value })
            }
            _ => self.unexpected(),
        }
    }

    fn trailing_comma(&mut self, expect: Expect) -> Expect {
        self.syntax.trailing_commas = self.syntax.trailing_commas.saturating_add(1);
        expect
    }

    fn close_here(&mut self) -> Expect {
        self.at += 1;
        self.close(self.at, false);
        Expect::Comma
    }

    /// An end that belongs to an outer container: the inner one was not closed.
    fn mismatched(&mut self) -> Result<Expect, SyntaxError> {
        if self.depth < 2 {
            return self.unexpected();
        }
        self.syntax.closed_at_end = self.syntax.closed_at_end.saturating_add(1);
        self.close(self.at, false);
        Ok(Expect::Comma)
    }

    fn close_all(&mut self) {
        // A name at the very end has no value.
        let top = self.nodes[self.open[self.depth - 1] as usize];
        if top.kind == Kind::Object && self.dangling_name() {
            self.nodes.pop();
        }
        while self.depth > 0 {
            self.syntax.closed_at_end = self.syntax.closed_at_end.saturating_add(1);
            self.close(self.at.min(self.bytes.len()), true);
        }
    }

    fn dangling_name(&self) -> bool {
        let open = self.open[self.depth - 1] as usize;
        let mut at = open + 1;
        let mut names = 0_usize;
        while at < self.nodes.len() {
            names += 1;
            at = self.nodes[at].after(at as u32) as usize;
        }
        names % 2 == 1
    }
}
