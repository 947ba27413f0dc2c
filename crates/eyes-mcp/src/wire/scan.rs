//! Counting through JSON without decoding it.

use memchr::memchr2;

use super::envelope::{Envelope, Top};

/// What a message is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shape {
    /// Containers inside one another.
    pub depth: usize,
    /// Values: objects, arrays, texts, numbers and literals; names of members are none.
    pub values: usize,
    /// Bytes of the longest text or name, as it is written.
    pub string_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between tokens.
    Between,
    String,
    /// After a backslash in a text.
    Escape,
    /// In a number or a literal.
    Scalar,
}

/// Scans the bytes of one JSON text in pieces of any size.
///
/// Takes linear time and a few hundred bytes whatever it is given; nesting costs nothing. It accepts more than JSON:
/// that brackets match and literals are spelt right is for the decoder to find out. What is JSON is counted exactly.
#[derive(Debug, Clone)]
pub struct Scanner {
    state: State,
    position: usize,
    depth: usize,
    /// Texts, numbers, literals and containers less colons: values and the names still before their colon.
    values: usize,
    string_bytes: usize,
    shape: Shape,
    top: Top,
    is_object: bool,
    closed: bool,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// Starts before the first byte.
    pub fn new() -> Self {
        Self {
            state: State::Between,
            position: 0,
            depth: 0,
            values: 0,
            string_bytes: 0,
            shape: Shape::default(),
            top: Top::new(),
            is_object: false,
            closed: false,
        }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let used = match self.state {
                State::Between => self.between(rest),
                State::String => self.string(rest),
                State::Escape => self.escape(rest),
                State::Scalar => self.scalar(rest),
            };
            self.position += used;
            rest = &rest[used..];
        }
    }

    /// Returns how many bytes there were.
    pub const fn bytes(&self) -> usize {
        self.position
    }

    /// Returns what was counted so far.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns what is known of the top so far.
    pub const fn envelope(&self) -> &Envelope {
        &self.top.envelope
    }

    /// Ends the text.
    pub fn finish(mut self) -> (Shape, Envelope) {
        let whole = self.is_object && self.closed && self.state == State::Between;
        self.top.envelope.complete = whole && !self.top.malformed;
        (self.shape, self.top.envelope)
    }

    fn between(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            let position = self.position + at;
            match byte {
                b'"' => {
                    self.begin(position, true);
                    self.state = State::String;
                    self.string_bytes = 0;
                    return at + 1;
                }
                b'{' | b'[' => self.open(position, byte == b'{'),
                b'}' | b']' => self.close(position),
                b':' => {
                    self.values = self.values.saturating_sub(1);
                    if self.at_top() {
                        self.top.colon();
                    }
                }
                b',' => {
                    if self.at_top() {
                        self.top.comma();
                    }
                }
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => {
                    self.begin(position, false);
                    self.state = State::Scalar;
                    return at;
                }
            }
        }
        bytes.len()
    }

    /// Whether a token belongs to the top object.
    const fn at_top(&self) -> bool {
        self.depth == 1 && self.is_object
    }

    fn open(&mut self, position: usize, is_object: bool) {
        self.begin(position, false);
        if self.depth == 0 && !self.closed {
            self.is_object = is_object;
        }
        self.depth += 1;
        self.shape.depth = self.shape.depth.max(self.depth);
    }

    fn close(&mut self, position: usize) {
        match self.depth {
            0 => self.top.malformed = true,
            1 => self.closed = true,
            2 if self.is_object => self.top.end(position + 1, false),
            _ => {}
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// A value or a name begins.
    fn begin(&mut self, position: usize, is_string: bool) {
        self.values += 1;
        // A name counts only until its colon, and its value follows: the highest sum is the number of values.
        self.shape.values = self.shape.values.max(self.values);
        match self.depth {
            0 => self.top.malformed |= self.closed,
            1 if self.is_object => self.top.begin(position, is_string),
            _ => {}
        }
    }

    fn string(&mut self, bytes: &[u8]) -> usize {
        let mut end = 0;
        let mut ended = false;
        while let Some(found) = memchr2(b'"', b'\\', &bytes[end..]) {
            end += found;
            ended = bytes[end] == b'"';
            if ended {
                break;
            }
            // A backslash and what it stands for, where that has arrived already.
            end += 2;
            if end > bytes.len() {
                self.state = State::Escape;
            }
            if end >= bytes.len() {
                break;
            }
        }
        let end = if ended { end } else { bytes.len() };
        self.keep(&bytes[..end]);
        self.string_bytes += end;
        self.shape.string_bytes = self.shape.string_bytes.max(self.string_bytes);
        if !ended {
            return end;
        }
        self.state = State::Between;
        if self.at_top() {
            self.top.end(self.position + end + 1, true);
        }
        end + 1
    }

    fn escape(&mut self, bytes: &[u8]) -> usize {
        self.keep(&bytes[..1]);
        self.string_bytes += 1;
        self.shape.string_bytes = self.shape.string_bytes.max(self.string_bytes);
        self.state = State::String;
        1
    }

    fn scalar(&mut self, bytes: &[u8]) -> usize {
        let end = bytes
            .iter()
            .position(|byte| b",:]}[{\" \t\r\n".contains(byte))
            .unwrap_or(bytes.len());
        self.keep(&bytes[..end]);
        if end < bytes.len() {
            self.state = State::Between;
            if self.at_top() {
                self.top.end(self.position + end, false);
            }
        }
        end
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.at_top() && self.top.keeps() {
            self.top.take(bytes);
        }
    }
}
