//! How many tokens a text has, estimated in one pass over its bytes.
//!
//! Fitted to tool definitions as they are sent. Tokenizers make one token of a common word with the space before it,
//! of three digits, and of a short run of marks such as `":{"`.

use std::io;

use eyes_evidence::digest::Sha256Digest;
use serde::Serialize;

use super::ModelTool;

/// Parts of a token.
const UNITS: u64 = 20;
/// A word, whatever its first letters.
const WORD: u64 = 20;
/// Letters that a word has for [`WORD`].
const SHORT_WORD: usize = 9;
/// Each letter more.
const LONG_LETTER: u64 = 4;
/// Marks of one run for one token.
const MARKS: usize = 4;
/// A character of Chinese, Japanese or Korean, of which every third byte ends one.
const IDEOGRAPH: u64 = 14;
/// Another character beyond ASCII.
const FOREIGN: u64 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Lower,
    Upper,
    Digit,
    Mark,
    Foreign,
}

/// Estimates what is written into it.
#[derive(Debug, Clone)]
pub struct EstimateWriter {
    units: u64,
    before: Class,
    run: usize,
}

impl Default for EstimateWriter {
    fn default() -> Self {
        Self {
            units: 0,
            before: Class::Space,
            run: 0,
        }
    }
}

impl EstimateWriter {
    /// Returns the tokens so far, rounded up.
    pub const fn tokens(&self) -> u64 {
        self.units.div_ceil(UNITS)
    }

    fn byte(&mut self, byte: u8) {
        let class = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            0..=0x7f => Class::Mark,
            0x80.. => Class::Foreign,
        };
        let goes_on =
            class == self.before || (class == Class::Lower && self.before == Class::Upper);
        self.run = if goes_on { self.run + 1 } else { 1 };
        self.units += match class {
            // The first space belongs to the word behind it.
            Class::Space => u64::from(self.run == 2) * UNITS,
            Class::Lower | Class::Upper if self.run == 1 => WORD,
            Class::Lower | Class::Upper => u64::from(self.run > SHORT_WORD) * LONG_LETTER,
            Class::Digit => u64::from(self.run % 3 == 1) * UNITS,
            Class::Mark => u64::from(self.run % MARKS == 1) * UNITS,
            Class::Foreign => match byte {
                0xe3..=0xed => IDEOGRAPH,
                0xc0.. => FOREIGN,
                _ => 0,
            },
        };
        self.before = class;
    }
}

impl io::Write for EstimateWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.byte(*byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Estimates a text.
pub fn text_tokens(text: &str) -> u64 {
    let mut writer = EstimateWriter::default();
    for byte in text.bytes() {
        writer.byte(byte);
    }
    writer.tokens()
}

/// What a definition is as it is sent; made in one pass over its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    /// Estimated tokens.
    pub(super) tokens: u64,
    /// SHA-256.
    pub(super) digest: Sha256Digest,
}

impl Default for Sent {
    fn default() -> Self {
        Self {
            tokens: 0,
            digest: Sha256Digest::of(b""),
        }
    }
}

impl Sent {
    /// Looks at a definition in the form of Anthropic's API.
    pub(super) fn of(definition: &ModelTool) -> Self {
        // What is a definition has a form in JSON.
        let bytes = serde_json::to_vec(&definition.as_anthropic()).unwrap_or_default();
        let mut writer = EstimateWriter::default();
        for byte in &bytes {
            writer.byte(*byte);
        }
        Self {
            tokens: writer.tokens(),
            digest: Sha256Digest::of(&bytes),
        }
    }
}

/// Estimates anything as compact JSON.
pub fn value_tokens<T: Serialize + ?Sized>(value: &T) -> u64 {
    let mut writer = EstimateWriter::default();
    // Writing into a counter cannot fail; what has no form in JSON weighs nothing.
    drop(serde_json::to_writer(&mut writer, value));
    writer.tokens()
}
