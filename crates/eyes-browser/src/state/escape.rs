//! Text of a page on its way into a line: it cannot end the line, nor look like another one.

use std::fmt::Write as _;

/// Characters that order or hide text: a reader would not see what stands there.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Writes a text in quotation marks, its white space collapsed, quotation marks and backslashes escaped, control and
/// invisible characters as `\u{..}`, cut to `max` characters with `…`.
pub(crate) fn quoted(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max) + 2);
    out.push('"');
    push(&mut out, text, max, true);
    out.push('"');
    out
}

/// Writes a text without quotation marks, for the end of a line.
pub(crate) fn plain(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    push(&mut out, text, max, false);
    out
}

fn push(out: &mut String, text: &str, max: usize, quotes: bool) {
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() && !is_invisible(c) {
            gap = length > 0;
            continue;
        }
        if length >= max {
            out.push('…');
            return;
        }
        if gap {
            out.push(' ');
            length += 1;
            gap = false;
        }
        length += 1;
        match c {
            '"' | '\\' if quotes => out.extend(['\\', c]),
            c if c.is_control() || is_invisible(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}
