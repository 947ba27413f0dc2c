//! Server-sent events (WHATWG HTML, section 9.2), each within a bound.

use std::collections::VecDeque;

use memchr::memchr2;

use crate::wire::{MessageId, Scanner};

/// One event, or what is left of one that is too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// It is whole.
    Whole(Fields),
    /// It has more bytes than are read; they are gone, but for the request that its data answers, where it does.
    TooLarge(Option<MessageId>),
}

/// The fields of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) event: Option<String>,
    pub(super) data: Option<String>,
    pub(super) id: Option<String>,
    pub(super) retry: Option<u64>,
}

/// Cuts bytes into events, in linear time and holding one event at most.
#[derive(Debug)]
pub(super) struct Parser {
    max: usize,
    line: Vec<u8>,
    fields: Fields,
    /// Bytes of the fields.
    held: usize,
    line_state: LineState,
    /// What is still learnt of an event that is too large.
    too_large: Option<Overflow>,
    at_start: bool,
}

/// Looks through the data of an event that is not held.
#[derive(Debug)]
struct Overflow {
    scanner: Scanner,
    line: OverflowLine,
}

/// How far a line of such an event is known.
#[derive(Debug)]
enum OverflowLine {
    /// Its name is not whole yet.
    Name(Vec<u8>),
    /// It holds data.
    Data,
    /// It holds something else.
    Other,
}

/// The name of the field that holds data, and what ends it.
const DATA: &[u8] = b"data:";

impl Overflow {
    /// Begins with the data of the lines that were whole, and what came of the next one.
    fn new(data: Option<&str>, line: &[u8]) -> Self {
        let mut scanner = Scanner::new();
        scanner.feed(data.unwrap_or_default().as_bytes());
        let mut overflow = Self {
            scanner,
            line: OverflowLine::Name(Vec::new()),
        };
        overflow.feed(line);
        overflow
    }

    fn feed(&mut self, bytes: &[u8]) {
        match &mut self.line {
            OverflowLine::Data => self.scanner.feed(bytes),
            OverflowLine::Other => {}
            OverflowLine::Name(name) => {
                let (part, rest) = bytes.split_at(bytes.len().min(DATA.len() - name.len()));
                name.extend_from_slice(part);
                if name.len() < DATA.len() {
                    return;
                }
                // A space behind the colon is white space of JSON as well.
                self.line = if name == DATA {
                    self.scanner.feed(rest);
                    OverflowLine::Data
                } else {
                    OverflowLine::Other
                };
            }
        }
    }

    fn end_line(&mut self) {
        self.line = OverflowLine::Name(Vec::new());
    }

    fn answers(self) -> Option<MessageId> {
        let (_, envelope) = self.scanner.finish();
        envelope.answers().cloned()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    /// Nothing of it came yet.
    Blank,
    /// The same, and the line before ended with a carriage return, of which a line feed is a part.
    AfterReturn,
    /// Something of it came.
    Begun,
}

impl Parser {
    pub(super) fn new(max: usize) -> Self {
        Self {
            max,
            line: Vec::new(),
            fields: Fields::default(),
            held: 0,
            line_state: LineState::Blank,
            too_large: None,
            at_start: true,
        }
    }

    /// Takes the next bytes and puts the events that end in them to the end of `out`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], out: &mut VecDeque<Event>) {
        while !bytes.is_empty() {
            if self.line_state == LineState::AfterReturn {
                self.line_state = LineState::Blank;
                if let Some(rest) = bytes.strip_prefix(b"\n") {
                    bytes = rest;
                    continue;
                }
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else {
                self.keep(bytes);
                return;
            };
            self.keep(&bytes[..end]);
            self.end_line(out);
            if bytes[end] == b'\r' {
                self.line_state = LineState::AfterReturn;
            }
            bytes = &bytes[end + 1..];
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.line_state = LineState::Begun;
        }
        if let Some(overflow) = &mut self.too_large {
            return overflow.feed(bytes);
        }
        if self.held + self.line.len() + bytes.len() > self.max {
            let fields = std::mem::take(&mut self.fields);
            let line = std::mem::take(&mut self.line);
            let mut overflow = Overflow::new(fields.data.as_deref(), &line);
            overflow.feed(bytes);
            self.too_large = Some(overflow);
            return;
        }
        self.line.extend_from_slice(bytes);
    }

    fn end_line(&mut self, out: &mut VecDeque<Event>) {
        let state = std::mem::replace(&mut self.line_state, LineState::Blank);
        let line = std::mem::take(&mut self.line);
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if self.at_start => rest,
            _ => &line,
        };
        self.at_start = false;
        if state == LineState::Begun {
            match &mut self.too_large {
                Some(overflow) => overflow.end_line(),
                None => self.take_line(line),
            }
            return;
        }
        self.held = 0;
        let fields = std::mem::take(&mut self.fields);
        if let Some(overflow) = self.too_large.take() {
            out.push_back(Event::TooLarge(overflow.answers()));
        } else if fields != Fields::default() {
            out.push_back(Event::Whole(fields));
        }
    }

    fn take_line(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => self.fields.event = Some(value.to_owned()),
            "id" if !value.contains('\0') => self.fields.id = Some(value.to_owned()),
            "retry" => self.fields.retry = value.parse().ok(),
            "data" => match &mut self.fields.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                data => *data = Some(value.to_owned()),
            },
            // Comments, which begin with the colon, and fields that nobody knows.
            _ => return,
        }
        self.held += line.len() + 1;
    }
}
