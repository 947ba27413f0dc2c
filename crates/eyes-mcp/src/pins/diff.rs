//! What changed between two definitions.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::{
    limits::{MAX_DIFF_CHANGES, MAX_DIFF_TEXT_CHARS},
    names::visible,
};

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Where (JSON pointer, RFC 6901); empty for the whole.
    pub pointer: String,
    /// What stood there, as JSON text, bounded, hidden characters written as `\u{..}`; nothing where nothing did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What stands there now; nothing where nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// Compares two values and names where they differ, at most
/// [`MAX_DIFF_CHANGES`](crate::limits::MAX_DIFF_CHANGES) places, in the order of the keys.
///
/// Members are compared by key and elements by place; where the kinds differ, the whole value is one change.
pub fn diff(old: &Value, new: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(&mut String::new(), Some(old), Some(new), &mut changes);
    changes
}

fn compare(
    pointer: &mut String,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Vec<Change>,
) {
    if changes.len() >= MAX_DIFF_CHANGES || old == new {
        return;
    }
    let here = pointer.len();
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                push_token(pointer, key);
                compare(pointer, old.get(key), new.get(key), changes);
                pointer.truncate(here);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for at in 0..old.len().max(new.len()) {
                push_token(pointer, &at.to_string());
                compare(pointer, old.get(at), new.get(at), changes);
                pointer.truncate(here);
            }
        }
        _ => changes.push(change(pointer, old, new)),
    }
}

/// Appends a reference token to a JSON pointer.
pub(super) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

fn change(pointer: &str, old: Option<&Value>, new: Option<&Value>) -> Change {
    let old = old.map(Value::to_string);
    let new = new.map(Value::to_string);
    // Of long texts the part is shown where they begin to differ, with a little before it.
    let same = match (&old, &new) {
        (Some(old), Some(new)) => old
            .chars()
            .zip(new.chars())
            .take_while(|(a, b)| a == b)
            .count(),
        _ => 0,
    };
    let longest = old
        .iter()
        .chain(&new)
        .map(|text| text.chars().count())
        .max();
    let skipped = if longest.unwrap_or(0) > MAX_DIFF_TEXT_CHARS {
        same.saturating_sub(MAX_DIFF_TEXT_CHARS / 8)
    } else {
        0
    };
    let shown = |text: String| {
        let start = text
            .char_indices()
            .nth(skipped)
            .map_or(text.len(), |(at, _)| at);
        let cut = if start > 0 { "\u{2026}" } else { "" };
        format!("{cut}{}", visible(&text[start..], MAX_DIFF_TEXT_CHARS))
    };
    Change {
        pointer: visible(pointer, MAX_DIFF_TEXT_CHARS),
        old: old.map(shown),
        new: new.map(shown),
    }
}
