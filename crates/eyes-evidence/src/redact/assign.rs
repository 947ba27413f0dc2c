//! Values of keys: `key=value`, `key: value`, header lines, and `--option value`.

use super::{
    MARK, SecretKind, Span, TOKEN_MARK,
    key::{is_line_header, is_secret_key, is_secret_option, is_weak_parameter},
};
use crate::limits::{MAX_PROSE_WORD_BYTES, MAX_SECRET_KEY_BYTES, MIN_SECRET_RUN_BYTES};

/// Finds values by the name before them.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let found = match bytes[at] {
            b':' | b'=' => at_separator(text, at),
            b'-' => at_option(text, at),
            _ => None,
        };
        at = match found {
            Some(span) => {
                spans.push(span);
                span.end.max(at + 1)
            }
            // The second character of `::`, `==` and `--` announces nothing of its own.
            None if bytes[at] == b':' && bytes.get(at + 1) == Some(&b':') => at + 2,
            None => at + 1,
        };
    }
}

/// The name before a separator.
struct Key<'a> {
    name: &'a str,
    /// The byte before the name and its quotes.
    before: Option<u8>,
    /// The quote that stands directly before a bare name.
    quoted_line: Option<u8>,
}

const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Looks back from a separator, over `"]`, quotes and a few spaces, at the name it belongs to.
fn key_before(text: &str, separator: usize) -> Option<Key<'_>> {
    let bytes = text.as_bytes();
    let mut end = separator;
    let back = |end: usize, accept: fn(u8) -> bool, most: usize| {
        end - bytes[..end]
            .iter()
            .rev()
            .take(most)
            .take_while(|&&byte| accept(byte))
            .count()
    };
    end = back(end, |b| b == b' ' || b == b'\t', 8);
    end = back(end, |b| b == b']', 1);
    let bare_end = end;
    end = back(end, |b| is_quote(b) || b == b'\\', 4);
    let start = back(end, is_name_byte, MAX_SECRET_KEY_BYTES);
    // The letters of a mark announce nothing.
    if start == end || matches!(&text[start..end], "REDACTED" | "REDACTED_TOKEN") {
        return None;
    }
    let before = start.checked_sub(1).map(|at| bytes[at]);
    Some(Key {
        name: &text[start..end],
        before,
        quoted_line: before.filter(|&byte| is_quote(byte) && end == bare_end),
    })
}

fn at_separator(text: &str, separator: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let after = &bytes[separator + 1..];
    let colon = bytes[separator] == b':';
    if colon && (after.starts_with(b":") || after.starts_with(b"//")) {
        return None;
    }
    let key = key_before(text, separator)?;
    let line = is_line_header(key.name);
    let query = matches!(key.before, Some(b'?' | b'&' | b';' | b'#'));
    let secret = line || is_secret_key(key.name);
    let weak = !secret
        && !colon
        && (query || key.name.eq_ignore_ascii_case("sig"))
        && is_weak_parameter(key.name);
    if !(secret || weak) {
        return None;
    }
    let mut start = separator + 1;
    start += after
        .iter()
        .take(2)
        .take_while(|&&byte| byte == b'=' || byte == b'>')
        .count();
    start += bytes[start..]
        .iter()
        .take_while(|&&byte| byte == b' ' || byte == b'\t')
        .count();
    let (start, end) = match (
        line && colon,
        bytes
            .get(start)
            .is_some_and(|&b| opens_quote(bytes, start, b)),
    ) {
        (true, false) => header_value(text, start, key.quoted_line),
        _ => value(bytes, start, colon)?,
    };
    if weak && !weak_value_is_secret(key.name, &text[start..end]) {
        return None;
    }
    let kind = if line {
        SecretKind::Header
    } else {
        SecretKind::Assignment
    };
    span(text, start, end, kind)
}

fn opens_quote(bytes: &[u8], at: usize, byte: u8) -> bool {
    is_quote(byte) || (byte == b'\\' && bytes.get(at + 1).is_some_and(|&next| is_quote(next)))
}

/// Makes a span, unless there is nothing or a mark already.
fn span(text: &str, start: usize, end: usize, kind: SecretKind) -> Option<Span> {
    let value = &text[start..end];
    let marked = [MARK, TOKEN_MARK].iter().any(|mark| {
        text[start..]
            .strip_prefix(mark)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    });
    (!value.is_empty() && !marked).then_some(Span { start, end, kind })
}

/// Returns the rest of the header line; `Bearer` and `Basic` stay.
fn header_value(text: &str, start: usize, quote: Option<u8>) -> (usize, usize) {
    let rest = &text.as_bytes()[start..];
    let stop = |byte: u8| byte == b'\n' || byte == b'\r' || Some(byte) == quote;
    let length = rest.iter().take_while(|&&byte| !stop(byte)).count();
    let end = start + text[start..start + length].trim_end().len();
    for scheme in ["bearer ", "basic "] {
        let word = text.get(start..start + scheme.len());
        if word.is_some_and(|word| word.eq_ignore_ascii_case(scheme)) && start + scheme.len() < end
        {
            let value = &text[start + scheme.len()..end];
            return (end - value.trim_start().len(), end);
        }
    }
    (start, end)
}

/// Returns where a value begins and ends, without its quotes.
fn value(bytes: &[u8], start: usize, colon: bool) -> Option<(usize, usize)> {
    let first = *bytes.get(start)?;
    if opens_quote(bytes, start, first) {
        return Some(quoted_value(bytes, start));
    }
    if matches!(first, b'{' | b'[') {
        let next = bytes.get(start + 1).copied().unwrap_or(b' ');
        let container =
            next.is_ascii_whitespace() || is_quote(next) || matches!(next, b'}' | b']' | b'\\');
        if colon || container {
            return None;
        }
    }
    let mut end = start;
    while end < bytes.len() && !ends_value(bytes, end) {
        end += 1;
    }
    let literal = [
        &b"null"[..],
        b"none",
        b"true",
        b"false",
        b"undefined",
        b"None",
        b"nil",
    ];
    (!literal.contains(&&bytes[start..end])).then_some((start, end))
}

fn quoted_value(bytes: &[u8], open: usize) -> (usize, usize) {
    let escaped = bytes[open] == b'\\';
    let quote = bytes[open + usize::from(escaped)];
    let start = open + 1 + usize::from(escaped);
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\n' => break,
            _ if byte == quote => break,
            b'\\' if escaped && bytes.get(end + 1) == Some(&quote) => break,
            b'\\' if bytes.get(end + 1).is_some_and(u8::is_ascii) => end += 2,
            _ => end += 1,
        }
    }
    (start, end.min(bytes.len()))
}

/// Whether the byte ends a value that has no quotes.
fn ends_value(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at + 1).copied();
    match bytes[at] {
        b'&' | b';' | b'<' | b'>' => true,
        byte if byte.is_ascii_whitespace() || byte.is_ascii_control() || is_quote(byte) => true,
        // A comma inside a password must not let its rest through; one before the next key ends it.
        b',' => {
            next.is_none_or(|b| b.is_ascii_whitespace() || is_quote(b))
                || key_follows(&bytes[at + 1..])
        }
        b')' | b']' | b'}' => next.is_none_or(|b| {
            b.is_ascii_whitespace()
                || is_quote(b)
                || matches!(b, b',' | b';' | b'.' | b')' | b']' | b'}' | b'&' | b':')
        }),
        b'\\' => next.is_some_and(|b| is_quote(b) || b == b'n' || b == b'r'),
        _ => false,
    }
}

fn key_follows(bytes: &[u8]) -> bool {
    let name = bytes
        .iter()
        .take(MAX_SECRET_KEY_BYTES)
        .take_while(|&&byte| is_name_byte(byte))
        .count();
    name > 0 && matches!(bytes.get(name), Some(b'=' | b':'))
}

/// Judges a parameter such as `key` or `code` by its value.
fn weak_value_is_secret(name: &str, value: &str) -> bool {
    let signature =
        name.to_ascii_lowercase().ends_with("signature") || name.eq_ignore_ascii_case("sig");
    let mixed =
        value.bytes().any(|b| b.is_ascii_digit()) && value.bytes().any(|b| b.is_ascii_alphabetic());
    signature
        || value.len() >= 2 * MIN_SECRET_RUN_BYTES
        || (mixed && value.len() >= MIN_SECRET_RUN_BYTES)
}

/// Finds the value after `--option`, also in the form of a JSON array.
fn at_option(text: &str, at: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let begins = at == 0
        || matches!(
            bytes[at - 1],
            b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'`' | b'['
        );
    if !begins || bytes.get(at + 1) != Some(&b'-') {
        return None;
    }
    let name_start = at + 2;
    let length = bytes[name_start..]
        .iter()
        .take(MAX_SECRET_KEY_BYTES)
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        .count();
    let name_end = name_start + length;
    let gap = bytes[name_end..]
        .iter()
        .take(8)
        .take_while(|&&byte| matches!(byte, b' ' | b'\t' | b',') || is_quote(byte))
        .count();
    if gap == 0 || !is_secret_option(&text[name_start..name_end]) {
        return None;
    }
    let start = name_end + gap;
    let end = start
        + bytes[start..]
            .iter()
            .take_while(|&&byte| !byte.is_ascii_whitespace() && !is_quote(byte))
            .count();
    let value = &text[start..end];
    let prose = value.len() <= MAX_PROSE_WORD_BYTES
        && bytes[name_end] == b' '
        && value
            .trim_end_matches(['.', ',', ';', ':'])
            .bytes()
            .all(|b| b.is_ascii_lowercase());
    if prose || value.starts_with('-') {
        return None;
    }
    span(text, start, end, SecretKind::Option)
}
