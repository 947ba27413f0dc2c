//! A strict reader of foreign JSON text (RFC 8259, and of RFC 7493 what two readers could take differently).

use serde_json::{Map, Number, Value};

use super::{error::StrictJsonError, write::MAX_SAFE};
use crate::limits::{MAX_CANONICAL_DEPTH, MAX_STRICT_JSON_BYTES};

/// How much [`parse_strict_within`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrictLimits {
    /// Bytes of text.
    pub max_bytes: usize,
    /// Containers inside one another; values above [`MAX_CANONICAL_DEPTH`] count as that.
    pub max_depth: usize,
}

impl Default for StrictLimits {
    fn default() -> Self {
        Self {
            max_bytes: MAX_STRICT_JSON_BYTES,
            max_depth: MAX_CANONICAL_DEPTH,
        }
    }
}

/// A value read by [`parse_strict`].
#[derive(Debug, Clone, PartialEq)]
pub struct StrictJson {
    /// The value; integers beyond 2^53 are doubles, as RFC 8785 takes them.
    pub value: Value,
    /// Integers whose double is another number than the text.
    pub inexact_integers: usize,
}

/// Reads exactly one JSON value within the default limits; see [`parse_strict_within`].
pub fn parse_strict(text: &[u8]) -> Result<StrictJson, StrictJsonError> {
    parse_strict_within(text, StrictLimits::default())
}

/// Reads exactly one JSON value, without recursion and in linear time.
///
/// Refused: text over `max_bytes` (`JSON_SIZE_LIMIT`), nesting over `max_depth` (`JSON_DEPTH_LIMIT`), an
/// object key that comes twice (`JSON_KEY_INVALID`), a number beyond the doubles (`JSON_NUMBER_INVALID`),
/// bytes that are not UTF-8, half a surrogate pair and anything outside the grammar (`JSON_TEXT_INVALID`).
pub fn parse_strict_within(
    text: &[u8],
    limits: StrictLimits,
) -> Result<StrictJson, StrictJsonError> {
    if text.len() > limits.max_bytes {
        return Err(StrictJsonError::Size {
            bytes: text.len(),
            limit: limits.max_bytes,
        });
    }
    let text = std::str::from_utf8(text).map_err(|error| StrictJsonError::Utf8 {
        offset: error.valid_up_to(),
    })?;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        max_depth: limits.max_depth.min(MAX_CANONICAL_DEPTH),
        inexact_integers: 0,
    };
    let value = reader.document()?;
    Ok(StrictJson {
        value,
        inexact_integers: reader.inexact_integers,
    })
}

/// A container that is being read.
enum Open {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    max_depth: usize,
    inexact_integers: usize,
}

impl Reader<'_> {
    fn syntax<T>(&self, expected: &'static str) -> Result<T, StrictJsonError> {
        Err(StrictJsonError::Syntax {
            offset: self.at,
            expected,
        })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn document(&mut self) -> Result<Value, StrictJsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip_space();
            let Some(mut value) = self.value_or_container(&mut open)? else {
                continue;
            };
            // Hand the finished value to its container, and close what ends here.
            loop {
                self.skip_space();
                match open.pop() {
                    None if self.at == self.bytes.len() => return Ok(value),
                    None => return self.syntax("the end of the text"),
                    Some(Open::Array(mut entries)) => {
                        entries.push(value);
                        if self.eat(b',') {
                            open.push(Open::Array(entries));
                            break;
                        }
                        if !self.eat(b']') {
                            return self.syntax("',' or ']'");
                        }
                        value = Value::Array(entries);
                    }
                    Some(Open::Object(mut members, key)) => {
                        members.insert(key, value);
                        if self.eat(b',') {
                            self.skip_space();
                            let key = self.key(&members)?;
                            open.push(Open::Object(members, key));
                            break;
                        }
                        if !self.eat(b'}') {
                            return self.syntax("',' or '}'");
                        }
                        value = Value::Object(members);
                    }
                }
            }
        }
    }

    /// Reads a scalar or an empty container; a container with entries is opened and gives nothing.
    fn value_or_container(
        &mut self,
        open: &mut Vec<Open>,
    ) -> Result<Option<Value>, StrictJsonError> {
        let start = self.at;
        let value = match self.peek() {
            Some(bracket @ (b'{' | b'[')) => {
                if open.len() >= self.max_depth {
                    return Err(StrictJsonError::Depth {
                        offset: start,
                        limit: self.max_depth,
                    });
                }
                self.at += 1;
                self.skip_space();
                if bracket == b'[' {
                    if self.eat(b']') {
                        return Ok(Some(Value::Array(Vec::new())));
                    }
                    open.push(Open::Array(Vec::new()));
                } else {
                    if self.eat(b'}') {
                        return Ok(Some(Value::Object(Map::new())));
                    }
                    let members = Map::new();
                    let key = self.key(&members)?;
                    open.push(Open::Object(members, key));
                }
                return Ok(None);
            }
            Some(b'"') => Value::String(self.string()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => return self.syntax("a JSON value"),
        };
        Ok(Some(value))
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<Value, StrictJsonError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return self.syntax("true, false or null");
        }
        self.at += word.len();
        Ok(value)
    }

    fn key(&mut self, members: &Map<String, Value>) -> Result<String, StrictJsonError> {
        let offset = self.at;
        if self.peek() != Some(b'"') {
            return self.syntax("an object key");
        }
        let key = self.string()?;
        if members.contains_key(&key) {
            return Err(StrictJsonError::DuplicateKey { offset });
        }
        self.skip_space();
        if !self.eat(b':') {
            return self.syntax("':'");
        }
        Ok(key)
    }

    fn string(&mut self) -> Result<String, StrictJsonError> {
        self.at += 1;
        let mut text = String::new();
        let mut plain = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    text.push_str(&self.text[plain..self.at]);
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    text.push_str(&self.text[plain..self.at]);
                    text.push(self.escape()?);
                    plain = self.at;
                }
                Some(0..=0x1f) => return self.syntax("an escape instead of a control character"),
                Some(_) => self.at += 1,
                None => return self.syntax("'\"'"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, StrictJsonError> {
        let offset = self.at;
        self.at += 1;
        let short = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point(offset);
            }
            _ => return self.syntax("an escape"),
        };
        self.at += 1;
        Ok(short)
    }

    /// Reads the digits of one `\u` escape, or of the two that make a surrogate pair.
    fn code_point(&mut self, offset: usize) -> Result<char, StrictJsonError> {
        let lone = StrictJsonError::LoneSurrogate { offset };
        let high = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high).ok_or(lone);
        }
        if !self.bytes[self.at..].starts_with(b"\\u") {
            return Err(lone);
        }
        self.at += 2;
        let low = self.four_digits()?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(lone);
        }
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)).ok_or(lone)
    }

    fn four_digits(&mut self) -> Result<u32, StrictJsonError> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return self.syntax("a hexadecimal digit");
            };
            value = value << 4 | digit;
            self.at += 1;
        }
        Ok(value)
    }

    fn digits(&mut self) -> Result<(), StrictJsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return self.syntax("a digit");
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Number, StrictJsonError> {
        let start = self.at;
        let negative = self.eat(b'-');
        let whole = self.at;
        if !self.eat(b'0') {
            self.digits()?;
        }
        let whole_end = self.at;
        if self.eat(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let size = &self.text[whole..whole_end];
        let is_integer = whole_end == self.at;
        if let (true, Ok(small)) = (is_integer, size.parse::<u64>())
            && small <= MAX_SAFE
        {
            let signed = if negative {
                -(small as i64)
            } else {
                small as i64
            };
            return Ok(Number::from(signed));
        }
        let not_finite = StrictJsonError::NotFinite { offset: start };
        let double: f64 = self.text[start..self.at]
            .parse()
            .map_err(|_| not_finite.clone())?;
        let number = Number::from_f64(double).ok_or(not_finite)?;
        // `{:.0}` prints every digit of an integral double.
        if is_integer && format!("{:.0}", double.abs()) != size {
            self.inexact_integers += 1;
        }
        Ok(number)
    }
}
