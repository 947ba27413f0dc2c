//! Server-sent events: the event stream of the WHATWG HTML standard, section 9.2.6, read piece by piece.

#[cfg(test)]
mod tests;

use std::mem;

use memchr::memchr2;

use crate::limits::{MAX_SSE_EVENT_BYTES, MAX_SSE_LINE_BYTES};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// Its type; empty where the stream names none, which means `message`.
    pub event: String,
    /// Its data; several `data` lines are joined by line feeds.
    pub data: String,
}

/// The stream passes a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SseError {
    /// A line is too long.
    #[error("a line of the event stream has more than {limit} bytes")]
    Line {
        /// The bound in bytes.
        limit: usize,
    },
    /// The data of one event is too long.
    #[error("an event of the stream has more than {limit} bytes of data")]
    Event {
        /// The bound in bytes.
        limit: usize,
    },
}

/// An incremental parser.
///
/// Takes time linear in the bytes and gives the same events wherever the bytes are cut. Invalid UTF-8 becomes
/// U+FFFD, as the standard asks. After an error the parser is of no more use.
#[derive(Debug)]
pub struct SseParser {
    max_line: usize,
    max_event: usize,
    line: Vec<u8>,
    is_first_line: bool,
    after_cr: bool,
    event: String,
    data: String,
    last_event_id: String,
    retry_ms: Option<u64>,
}

impl Default for SseParser {
    fn default() -> Self {
        Self::with_limits(MAX_SSE_LINE_BYTES, MAX_SSE_EVENT_BYTES)
    }
}

impl SseParser {
    /// Sets the bounds of one line and of one event's data, in bytes.
    pub fn with_limits(max_line: usize, max_event: usize) -> Self {
        Self {
            max_line,
            max_event,
            line: Vec::new(),
            is_first_line: true,
            after_cr: false,
            event: String::new(),
            data: String::new(),
            last_event_id: String::new(),
            retry_ms: None,
        }
    }

    /// Takes the next bytes and appends the events that they complete.
    pub fn push(&mut self, mut bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), SseError> {
        while let Some(&first) = bytes.first() {
            if mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = memchr2(b'\r', b'\n', bytes);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if part.len() > self.max_line - self.line.len() {
                return Err(SseError::Line {
                    limit: self.max_line,
                });
            }
            let Some(end) = end else {
                self.line.extend_from_slice(part);
                return Ok(());
            };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if self.line.is_empty() {
                self.take_line(part, events)?;
            } else {
                self.line.extend_from_slice(part);
                self.take_buffered_line(events)?;
            }
        }
        Ok(())
    }

    /// Ends the stream and returns what it left open: an event without its closing blank line.
    ///
    /// The standard drops it. Some servers close the connection instead of writing that line, so the caller
    /// may look whether it is whole.
    pub fn finish(mut self) -> Result<Option<SseEvent>, SseError> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.take_buffered_line(&mut events)?;
        }
        self.dispatch(&mut events);
        Ok(events.pop())
    }

    /// Returns the last id that the stream set; empty before the first.
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// Returns the reconnection time that the stream set, in milliseconds.
    pub const fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    fn take_buffered_line(&mut self, events: &mut Vec<SseEvent>) -> Result<(), SseError> {
        let mut line = mem::take(&mut self.line);
        let taken = self.take_line(&line, events);
        line.clear();
        self.line = line;
        taken
    }

    fn take_line(&mut self, mut line: &[u8], events: &mut Vec<SseEvent>) -> Result<(), SseError> {
        if mem::take(&mut self.is_first_line) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(events);
            return Ok(());
        }
        let (name, value) = match memchr::memchr(b':', line) {
            // A comment: a sign of life and nothing else.
            Some(0) => return Ok(()),
            Some(at) => {
                let value = &line[at + 1..];
                (&line[..at], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        let value = String::from_utf8_lossy(value);
        match name {
            b"data" => {
                if value.len() > self.max_event.saturating_sub(self.data.len()) {
                    return Err(SseError::Event {
                        limit: self.max_event,
                    });
                }
                self.data.push_str(&value);
                self.data.push('\n');
            }
            b"event" => self.event = value.into_owned(),
            b"id" if !value.contains('\0') => self.last_event_id = value.into_owned(),
            b"retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry_ms = value.parse().ok().or(self.retry_ms);
            }
            _ => {}
        }
        Ok(())
    }

    /// Gives the event away, or drops it when it has no data.
    fn dispatch(&mut self, events: &mut Vec<SseEvent>) {
        let event = mem::take(&mut self.event);
        let mut data = mem::take(&mut self.data);
        if data.pop().is_some() {
            events.push(SseEvent { event, data });
        }
    }
}
