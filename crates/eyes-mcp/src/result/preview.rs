//! The preview: the whole text where it fits, else its head and its tail.
//!
//! Errors and sums stand at the end of an output as often as at its beginning, so both ends are shown.

use std::{borrow::Cow, fmt::Write as _};

use super::units::{head, tail, utf16_len};
use crate::limits::{CUT_MARK_UNITS, MIN_RESULT_CHARS};

/// Joins the pieces by line breaks; tells whether something was left out.
pub(super) fn preview(pieces: &[Cow<'_, str>], max_chars: usize) -> (String, bool) {
    let breaks = pieces.len().saturating_sub(1);
    let total = breaks + pieces.iter().map(|piece| utf16_len(piece)).sum::<usize>();
    let max_chars = max_chars.max(MIN_RESULT_CHARS as usize);
    if total <= max_chars {
        return (pieces.join("\n"), false);
    }
    let room = max_chars - CUT_MARK_UNITS;
    let front = room / 3 * 2;
    let mut text = front_of(pieces, front);
    let end = back_of(pieces, room - front);
    let left_out = total - utf16_len(&text) - utf16_len(&end);
    let _infallible = write!(text, "\n[… {left_out} characters left out …]\n{end}");
    (text, true)
}

fn front_of(pieces: &[Cow<'_, str>], units: usize) -> String {
    let mut out = String::new();
    let mut left = units;
    for (at, piece) in pieces.iter().enumerate() {
        for part in [if at > 0 { "\n" } else { "" }, piece.as_ref()] {
            let shown = head(part, left);
            out.push_str(shown);
            left -= utf16_len(shown);
            if shown.len() < part.len() {
                return out;
            }
        }
    }
    out
}

fn back_of(pieces: &[Cow<'_, str>], units: usize) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut left = units;
    'all: for (at, piece) in pieces.iter().enumerate().rev() {
        for part in [piece.as_ref(), if at > 0 { "\n" } else { "" }] {
            let shown = tail(part, left);
            parts.push(shown);
            left -= utf16_len(shown);
            if shown.len() < part.len() {
                break 'all;
            }
        }
    }
    parts.reverse();
    parts.concat()
}
