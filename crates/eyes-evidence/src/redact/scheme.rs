//! Credentials after an HTTP authentication scheme: `Bearer ...`, `Basic ...`.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use super::{SecretKind, Span};
use crate::limits::{MIN_BEARER_BYTES, MIN_SECRET_RUN_BYTES};

/// Words that follow `Bearer` or `Basic` where the scheme itself is spoken of.
const PROSE: &[&str] = &[
    "token",
    "tokens",
    "auth",
    "authentication",
    "authorization",
    "challenge",
    "scheme",
    "schemes",
    "credential",
    "credentials",
    "header",
    "headers",
    "required",
    "realm",
    "error",
    "scope",
    "resource_metadata",
    "format",
    "access",
];

/// Finds what follows `Bearer` and `Basic`.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..]
        .iter()
        .position(|byte| matches!(byte, b'b' | b'B'))
    {
        let start = at + found;
        at = start + 1;
        let boundary =
            start == 0 || !(bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'_');
        if !boundary {
            continue;
        }
        let word = |name: &str| {
            bytes[start..]
                .get(..name.len())
                .is_some_and(|here| here.eq_ignore_ascii_case(name.as_bytes()))
        };
        let (basic, name_end) = if word("bearer") {
            (false, start + 6)
        } else if word("basic") {
            (true, start + 5)
        } else {
            continue;
        };
        if let Some(span) = credential(text, name_end, basic) {
            at = span.end;
            spans.push(span);
        }
    }
}

fn credential(text: &str, name_end: usize, basic: bool) -> Option<Span> {
    let bytes = text.as_bytes();
    let gap = match bytes.get(name_end)? {
        b' ' | b'\t' => bytes[name_end..]
            .iter()
            .take(8)
            .take_while(|&&byte| byte == b' ' || byte == b'\t')
            .count(),
        b'%' if bytes[name_end..].starts_with(b"%20") => 3,
        b'+' => 1,
        _ => return None,
    };
    let start = name_end + gap;
    let length = bytes[start..]
        .iter()
        .take_while(|&&b| {
            b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
        })
        .count();
    let value = &text[start..start + length];
    // A sentence ends with a full stop, a token hardly does.
    let value = value.trim_end_matches('.');
    let word = value.split('=').next().unwrap_or(value);
    let least = if basic {
        MIN_SECRET_RUN_BYTES
    } else {
        MIN_BEARER_BYTES
    };
    if value.len() < least || PROSE.iter().any(|prose| prose.eq_ignore_ascii_case(word)) {
        return None;
    }
    if basic && !is_basic(value) {
        return None;
    }
    Some(Span {
        start,
        end: start + value.len(),
        kind: SecretKind::Scheme,
    })
}

/// Whether the text can be `user:password` in base64 (RFC 7617), or is at least no plain word.
fn is_basic(value: &str) -> bool {
    let trimmed = value.trim_end_matches('=');
    let decoded = STANDARD_NO_PAD.decode(trimmed).unwrap_or_default();
    let digit = trimmed.bytes().any(|b| b.is_ascii_digit());
    let upper_inside = trimmed.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    decoded.contains(&b':') || trimmed.len() < value.len() || (digit && upper_inside)
}
