//! Lengths in UTF-16 code units, the measure of the published limits.

/// Counts the UTF-16 code units of a text.
///
/// Every byte that begins a character is one unit, and one that begins a character of four bytes is two. The sums
/// of short runs fit a byte, so that the loop is done many bytes at a time.
pub(crate) fn utf16_len(text: &str) -> usize {
    let run = |run: &[u8]| {
        let sum = run.iter().fold(0_u8, |sum, &byte| {
            sum + u8::from(byte & 0xc0 != 0x80) + u8::from(byte >= 0xf0)
        });
        usize::from(sum)
    };
    text.as_bytes().chunks(192).map(run).sum()
}

/// Cuts a text after at most `units` code units, at a border between characters.
pub(super) fn head(text: &str, units: usize) -> &str {
    if text.len() <= units {
        return text;
    }
    let mut left = units;
    let end = text.char_indices().find_map(|(at, c)| {
        if c.len_utf16() > left {
            return Some(at);
        }
        left -= c.len_utf16();
        None
    });
    &text[..end.unwrap_or(text.len())]
}

/// Returns the end of a text, at most `units` code units of it.
pub(super) fn tail(text: &str, units: usize) -> &str {
    if text.len() <= units {
        return text;
    }
    let mut left = units;
    let start = text.char_indices().rev().find_map(|(at, c)| {
        if c.len_utf16() > left {
            return Some(at + c.len_utf8());
        }
        left -= c.len_utf16();
        None
    });
    &text[start.unwrap_or(0)..]
}
