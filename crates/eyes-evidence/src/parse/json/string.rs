//! Strings: where they end, and what their escapes mean (RFC 8259, section 7).

use crate::parse::audit::SyntaxRepairs;

/// A string's content without its quotation marks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// Finds the end of the string whose content starts at `start`; nothing when the text ends first.
///
/// With `closes`, a quotation mark ends the string only where it returns true for the position after the
/// mark; others are counted and read as text.
pub(super) fn scan(
    bytes: &[u8],
    start: usize,
    quote: u8,
    syntax: &mut SyntaxRepairs,
    closes: impl Fn(usize) -> bool,
) -> Option<Span> {
    let mut at = start;
    let mut escaped = false;
    loop {
        let found = at + next_mark(bytes.get(at..)?, quote)?;
        if bytes[found] == b'\\' {
            escaped = true;
            at = found + 2;
            if at > bytes.len() {
                return None;
            }
            count_bad_escape(bytes, found, syntax);
        } else if closes(found + 1) {
            return Some(Span {
                start,
                end: found,
                escaped,
            });
        } else {
            syntax.unescaped_quotes = syntax.unescaped_quotes.saturating_add(1);
            at = found + 1;
        }
    }
}

/// Finds the next quotation mark or backslash.
///
/// Names and most texts end within a few words, which a look at eight bytes at once finds sooner than a call does.
#[inline]
fn next_mark(bytes: &[u8], quote: u8) -> Option<usize> {
    const NEAR: usize = 16;
    let mut at = 0;
    while at < NEAR {
        let Some(chunk) = bytes.get(at..at + 8) else {
            break;
        };
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes were taken"));
        let marks = zero_bytes(word ^ repeated(quote)) | zero_bytes(word ^ repeated(b'\\'));
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr2(quote, b'\\', &bytes[at..]).map(|found| at + found)
}

const fn repeated(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Marks the bytes that are zero by their highest bit; marks above the lowest one may be false
/// (Mycroft 1987, as in "Bit Twiddling Hacks").
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeated(1)) & !word & repeated(0x80)
}

fn count_bad_escape(bytes: &[u8], backslash: usize, syntax: &mut SyntaxRepairs) {
    let good = match bytes.get(backslash + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => hex4(bytes, backslash + 2)
            .is_some_and(|unit| !is_surrogate(unit) || surrogate_partner(bytes, backslash, unit)),
        _ => false,
    };
    if !good {
        syntax.bad_escapes = syntax.bad_escapes.saturating_add(1);
    }
}

fn is_surrogate(unit: u32) -> bool {
    (0xD800..0xE000).contains(&unit)
}

/// Tells whether the surrogate whose escape starts at `backslash` has its partner before or after it.
fn surrogate_partner(bytes: &[u8], backslash: usize, unit: u32) -> bool {
    let escape = |at: usize| {
        (bytes.get(at..at + 2) == Some(b"\\u"))
            .then(|| hex4(bytes, at + 2))
            .flatten()
    };
    if unit < 0xDC00 {
        escape(backslash + 6).is_some_and(|low| (0xDC00..0xE000).contains(&low))
    } else {
        backslash
            .checked_sub(6)
            .and_then(escape)
            .is_some_and(|high| (0xD800..0xDC00).contains(&high))
    }
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.iter().try_fold(0, |value, digit| {
        let digit = (*digit as char).to_digit(16)?;
        Some(value << 4 | digit)
    })
}

/// Resolves escapes; a lone surrogate becomes U+FFFD, an unknown escape the character itself.
pub(super) fn unescape(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'\\', &bytes[at..]) {
        out.push_str(&raw[at..at + offset]);
        at += offset + 1;
        let Some(kind) = raw[at..].chars().next() else {
            return out;
        };
        at += kind.len_utf8();
        match kind {
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => at += push_unicode(bytes, at, &mut out),
            other => out.push(other),
        }
    }
    out.push_str(&raw[at..]);
    out
}

/// Appends the character whose four digits start at `at`; returns how many bytes were used.
fn push_unicode(bytes: &[u8], at: usize, out: &mut String) -> usize {
    let Some(unit) = hex4(bytes, at) else {
        out.push('\u{FFFD}');
        return 0;
    };
    let high = (0xD800..0xDC00).contains(&unit);
    let partner = if high && bytes.get(at + 4..at + 6) == Some(b"\\u") {
        hex4(bytes, at + 6)
    } else {
        None
    };
    if let Some(low) = partner.filter(|low| (0xDC00..0xE000).contains(low)) {
        let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
        return 10;
    }
    out.push(char::from_u32(unit).unwrap_or('\u{FFFD}'));
    4
}
