//! The size of JSON values as text, without building the text.

use serde_json::{Map, Number, Value};

/// How large values are as compact JSON text, and in how many pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measure {
    /// UTF-16 code units.
    pub chars: usize,
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Values; keys do not count.
    pub nodes: usize,
}

/// A value has more containers inside one another than the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the definition nests deeper than {0} levels")]
pub(crate) struct TooDeep(pub(crate) usize);

impl Measure {
    /// Adds a value. Where it is deeper than `max_depth`, what was walked until then stays counted.
    pub(crate) fn add(&mut self, value: &Value, max_depth: usize) -> Result<(), TooDeep> {
        self.walk(value, max_depth).map_err(|()| TooDeep(max_depth))
    }

    /// The recursion ends at `left`, a bound of tens.
    fn walk(&mut self, value: &Value, left: usize) -> Result<(), ()> {
        self.nodes += 1;
        match value {
            Value::Null | Value::Bool(true) => self.ascii(4),
            Value::Bool(false) => self.ascii(5),
            Value::Number(number) => self.ascii(number_chars(number)),
            Value::String(text) => self.string(text),
            Value::Array(entries) => {
                let left = left.checked_sub(1).ok_or(())?;
                self.ascii(2 + entries.len().saturating_sub(1));
                for entry in entries {
                    self.walk(entry, left)?;
                }
            }
            Value::Object(members) => return self.object(members, left),
        }
        Ok(())
    }

    fn object(&mut self, members: &Map<String, Value>, left: usize) -> Result<(), ()> {
        let left = left.checked_sub(1).ok_or(())?;
        // Braces, a colon a member, and the commas between.
        self.ascii(2 + members.len() + members.len().saturating_sub(1));
        for (key, value) in members {
            self.string(key);
            self.walk(value, left)?;
        }
        Ok(())
    }

    const fn ascii(&mut self, count: usize) {
        self.chars += count;
        self.bytes += count;
    }

    fn string(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if is_plain(bytes) {
            self.ascii(bytes.len() + 2);
            return;
        }
        // Branchless, so that the compiler counts many bytes at once.
        let (mut behind, mut astral, mut escapes) = (0_usize, 0_usize, 0_usize);
        let mut controls = 0_usize;
        for &byte in bytes {
            behind += usize::from(byte & 0xc0 == 0x80);
            astral += usize::from(byte >= 0xf0);
            escapes += usize::from(matches!(byte, b'"' | b'\\'));
            controls += usize::from(byte < b' ');
        }
        if controls > 0 {
            escapes += bytes
                .iter()
                .map(|&byte| control_escape(byte))
                .sum::<usize>();
        }
        self.bytes += bytes.len() + escapes + 2;
        self.chars += bytes.len() - behind + astral + escapes + 2;
    }
}

/// Tells whether every byte is printable ASCII that needs no escape, eight bytes at a time: most texts are short.
fn is_plain(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    words
        .iter()
        .chain(std::iter::once(&last))
        .all(|word| all_plain(u64::from_le_bytes(*word)))
}

/// The same for the eight bytes of a word: the top bit of a byte stays unset where it is plain.
const fn all_plain(word: u64) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = word ^ (ONES * b'"' as u64);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = word ^ (ONES * b'\\' as u64);
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (word | control | quote | backslash) & TOPS == 0
}

/// What the escape of a control character adds to its one byte.
const fn control_escape(byte: u8) -> usize {
    match byte {
        0x08 | 0x09 | 0x0a | 0x0c | 0x0d => 1,
        0..=0x1f => 5,
        _ => 0,
    }
}

fn number_chars(number: &Number) -> usize {
    if let Some(value) = number.as_u64() {
        digits(value)
    } else if let Some(value) = number.as_i64() {
        1 + digits(value.unsigned_abs())
    } else {
        number.to_string().len()
    }
}

const fn digits(value: u64) -> usize {
    match value.checked_ilog10() {
        Some(power) => power as usize + 1,
        None => 1,
    }
}
