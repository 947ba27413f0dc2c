//! Messages in lines, as over standard streams (MCP, transports: stdio).

use eyes_evidence::code::ErrorCode;
use memchr::memchr;

use super::{Envelope, Scanner, Shape};
use crate::{
    codes::{MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT},
    limits::{
        MAX_MESSAGE_BYTES, MAX_MESSAGE_DEPTH, MAX_MESSAGE_NODES, MAX_MESSAGE_STRING_BYTES,
        MAX_SKIPPED_SAMPLE_BYTES,
    },
};

/// A byte order mark, which some tools put before text (RFC 8259, section 8.1: it may be ignored).
const BYTE_ORDER_MARK: [u8; 3] = *b"\xEF\xBB\xBF";

/// The bounds of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageLimits {
    /// Bytes, without the end of the line.
    pub bytes: usize,
    /// Containers inside one another.
    pub depth: usize,
    /// Values.
    pub values: usize,
    /// Bytes of one text, as it is written.
    pub string_bytes: usize,
}

impl Default for MessageLimits {
    fn default() -> Self {
        Self {
            bytes: MAX_MESSAGE_BYTES,
            depth: MAX_MESSAGE_DEPTH,
            values: MAX_MESSAGE_NODES,
            string_bytes: MAX_MESSAGE_STRING_BYTES,
        }
    }
}

impl MessageLimits {
    /// Returns what a message of this size and shape breaks.
    pub const fn check(&self, bytes: usize, shape: Shape) -> Option<MessageFault> {
        if bytes > self.bytes {
            Some(MessageFault::Bytes)
        } else if shape.depth > self.depth {
            Some(MessageFault::Depth)
        } else if shape.values > self.values {
            Some(MessageFault::Values)
        } else if shape.string_bytes > self.string_bytes {
            Some(MessageFault::StringBytes)
        } else {
            None
        }
    }
}

/// Why a message is not handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageFault {
    /// It has more bytes: `MCP_MESSAGE_SIZE_LIMIT`.
    Bytes,
    /// It is nested deeper: `MCP_MESSAGE_SHAPE_LIMIT`.
    Depth,
    /// It has more values: `MCP_MESSAGE_SHAPE_LIMIT`.
    Values,
    /// One text of it is longer: `MCP_MESSAGE_SHAPE_LIMIT`.
    StringBytes,
    /// It is no message of the protocol: `MCP_MESSAGE_INVALID`.
    Invalid,
}

impl MessageFault {
    /// Returns the registry's code.
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::Bytes => MCP_MESSAGE_SIZE_LIMIT,
            Self::Depth | Self::Values | Self::StringBytes => MCP_MESSAGE_SHAPE_LIMIT,
            Self::Invalid => MCP_MESSAGE_INVALID,
        }
    }

    /// Says what is wrong with the response, naming the bound.
    pub fn describe(self, limits: &MessageLimits) -> String {
        match self {
            Self::Bytes => format!("the response has more than {} bytes", limits.bytes),
            Self::Depth => format!("the response is nested deeper than {}", limits.depth),
            Self::Values => format!("the response has more than {} values", limits.values),
            Self::StringBytes => {
                format!(
                    "the response has a text of more than {} bytes",
                    limits.string_bytes
                )
            }
            Self::Invalid => "the response is no message of the protocol".to_owned(),
        }
    }
}

/// A message within the bounds, not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What is at its top.
    pub envelope: Envelope,
}

impl Message {
    /// Looks at a whole message; one beyond the bounds is given back without its bytes.
    pub fn admit(bytes: Vec<u8>, limits: &MessageLimits) -> Result<Self, Refused> {
        let mut scanner = Scanner::new();
        scanner.feed(&bytes);
        let (shape, envelope) = scanner.finish();
        match limits.check(bytes.len(), shape) {
            None => Ok(Self { bytes, envelope }),
            Some(fault) => Err(Refused { fault, envelope }),
        }
    }
}

/// A message beyond the bounds; its bytes are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What it breaks.
    pub fault: MessageFault,
    /// What is known of its top.
    pub envelope: Envelope,
}

/// What a line turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// It begins like a message and keeps the bounds.
    Message(Message),
    /// It begins like a message and breaks a bound.
    Refused(Refused),
    /// It is something else, such as a line of a log; this is its beginning.
    Skipped(Vec<u8>),
}

/// What came of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// How many of them were used; the others are to be pushed again.
    pub used: usize,
    /// The line that ended in them, or broke a bound.
    pub frame: Option<Frame>,
}

/// How the current line began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// With nothing but white space so far.
    Blank,
    /// Like JSON that could be a message.
    Json,
    /// Like anything else.
    Other,
}

/// Cuts a stream of bytes into messages.
///
/// It holds one message of at most [`MessageLimits::bytes`]; a line that goes beyond a bound is read on without being
/// kept, until its end is found. A response beyond a bound is reported as soon as it is known which request it
/// answers, even if its line never ends.
#[derive(Debug)]
pub struct Lines {
    limits: MessageLimits,
    kind: Kind,
    kept: Vec<u8>,
    scanner: Scanner,
    fault: Option<MessageFault>,
    reported: bool,
    /// How much of a byte order mark stood before the line.
    mark: usize,
}

impl Lines {
    /// Begins at the start of a line.
    pub fn new(limits: MessageLimits) -> Self {
        Self {
            limits,
            kind: Kind::Blank,
            kept: Vec::new(),
            scanner: Scanner::new(),
            fault: None,
            reported: false,
            mark: 0,
        }
    }

    /// Returns the bounds.
    pub const fn limits(&self) -> &MessageLimits {
        &self.limits
    }

    /// Returns how many bytes are held, at most the bound of one message.
    pub fn held(&self) -> usize {
        self.kept.capacity()
    }

    /// Takes bytes up to the end of the line, or up to where it breaks a bound.
    pub fn push(&mut self, chunk: &[u8]) -> Pushed {
        let end = memchr(b'\n', chunk);
        let line = &chunk[..end.unwrap_or(chunk.len())];
        self.extend(line);
        match end {
            Some(end) => Pushed {
                used: end + 1,
                frame: self.end_line(),
            },
            None => Pushed {
                used: chunk.len(),
                frame: self.early(),
            },
        }
    }

    fn extend(&mut self, line: &[u8]) {
        let mut line = line;
        if self.kind == Kind::Blank {
            line = self.begin(line);
        }
        match self.kind {
            Kind::Blank => {}
            Kind::Other => {
                let room = MAX_SKIPPED_SAMPLE_BYTES.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&line[..room.min(line.len())]);
            }
            Kind::Json => {
                self.scanner.feed(line);
                if self.fault.is_none() {
                    self.fault = self
                        .limits
                        .check(self.scanner.bytes(), self.scanner.shape());
                }
                if self.fault.is_some() {
                    self.kept = Vec::new();
                } else {
                    self.keep(line);
                }
            }
        }
    }

    /// Skips what may stand before a message, and looks at its first byte.
    fn begin<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        for (at, &byte) in line.iter().enumerate() {
            if self.mark < 3 && byte == BYTE_ORDER_MARK[self.mark] {
                self.mark += 1;
            } else if !matches!(byte, b' ' | b'\t' | b'\r') {
                self.kind = match byte {
                    b'{' | b'[' => Kind::Json,
                    _ => Kind::Other,
                };
                return &line[at..];
            }
        }
        &[]
    }

    /// Keeps bytes of a message that is within the bounds so far, never with room for more than a message.
    fn keep(&mut self, bytes: &[u8]) {
        let needed = self.kept.len() + bytes.len();
        if needed > self.kept.capacity() {
            let room = (2 * needed).min(self.limits.bytes).max(needed);
            self.kept.reserve_exact(room - self.kept.len());
        }
        self.kept.extend_from_slice(bytes);
    }

    /// Reports a response beyond a bound before its line ends.
    fn early(&mut self) -> Option<Frame> {
        let fault = self.fault.filter(|_| !self.reported)?;
        self.scanner.envelope().answers()?;
        self.reported = true;
        Some(Frame::Refused(Refused {
            fault,
            envelope: self.scanner.envelope().clone(),
        }))
    }

    fn end_line(&mut self) -> Option<Frame> {
        let mut line = std::mem::replace(self, Self::new(self.limits));
        if line.kept.last() == Some(&b'\r') {
            line.kept.pop();
        }
        match line.kind {
            Kind::Blank => None,
            Kind::Other => Some(Frame::Skipped(line.kept)),
            Kind::Json => {
                let (_, envelope) = line.scanner.finish();
                match line.fault {
                    None => Some(Frame::Message(Message {
                        bytes: line.kept,
                        envelope,
                    })),
                    Some(_) if line.reported => None,
                    Some(fault) => Some(Frame::Refused(Refused { fault, envelope })),
                }
            }
        }
    }
}
