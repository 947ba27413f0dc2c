//! Server-sent events (WHATWG HTML, section 9.2), each within a bound.

use std::collections::VecDeque;

use memchr::memchr2;

/// One event, or what is left of one that is too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// It is whole.
    Whole(Fields),
    /// It has more bytes than are read; they are gone.
    TooLarge,
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
    too_large: bool,
    at_start: bool,
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
            too_large: false,
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
        if self.too_large {
            return;
        }
        if self.held + self.line.len() + bytes.len() > self.max {
            self.too_large = true;
            self.line = Vec::new();
            self.fields = Fields::default();
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
            if !self.too_large {
                self.take_line(line);
            }
            return;
        }
        self.held = 0;
        let fields = std::mem::take(&mut self.fields);
        if std::mem::take(&mut self.too_large) {
            out.push_back(Event::TooLarge);
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
