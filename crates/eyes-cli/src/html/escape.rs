//! Text from outside in HTML: shown, never obeyed.

use std::fmt::Write as _;

use crate::text::{is_unsafe, safe};

/// Appends `text` as content of an element.
///
/// Markup characters are escaped. Characters that are invisible or reorder a line become marks with their code
/// point; line breaks and tabs stay.
pub(super) fn content(out: &mut String, text: &str) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                // What a browser makes of it: a pair is one break.
                if chars.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' | '\t' => out.push(c),
            c if is_unsafe(c) => {
                write!(out, "<span class=\"hid\">U+{:04X}</span>", u32::from(c))
                    .expect("writing to a String does not fail");
            }
            c => escape(out, c),
        }
    }
}

/// Appends `text` as the value of a quoted attribute, or where no elements can be: on one line.
pub(super) fn attribute(out: &mut String, text: &str) {
    for c in safe(text).chars() {
        escape(out, c);
    }
}

fn escape(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    }
}
