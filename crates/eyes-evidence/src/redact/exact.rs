//! Redaction of values that are known: whatever a reference to the environment resolved to.

use std::{borrow::Cow, fmt};

use aho_corasick::{AhoCorasick, MatchKind};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};

use super::{SecretKind, Span, replace, shape_spans};
use crate::limits::{MAX_EXACT_SECRET_BYTES, MAX_EXACT_SECRETS, MIN_EXACT_SECRET_BYTES};

/// Redacts by shape, and a set of known values in every usual spelling.
///
/// A value is found as it is, percent-encoded, escaped as in JSON, and in base64 at any alignment, so that
/// `Basic` credentials made of it are found too. `Debug` shows how many values there are and none of them.
#[derive(Clone, Default)]
pub struct Redactor {
    patterns: Option<AhoCorasick>,
    values: usize,
    skipped: usize,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} values)", self.values)
    }
}

impl Redactor {
    /// Takes the values to hide.
    ///
    /// Values shorter than [`MIN_EXACT_SECRET_BYTES`] would tear ordinary text apart, longer than
    /// [`MAX_EXACT_SECRET_BYTES`] or beyond [`MAX_EXACT_SECRETS`] would cost too much memory: they are left
    /// out and counted by [`skipped`](Self::skipped).
    pub fn with_values<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut forms: Vec<String> = Vec::new();
        let mut redactor = Self::default();
        for value in values {
            let value = value.as_ref();
            let fits = (MIN_EXACT_SECRET_BYTES..=MAX_EXACT_SECRET_BYTES).contains(&value.len());
            if !fits || redactor.values >= MAX_EXACT_SECRETS {
                redactor.skipped += 1;
                continue;
            }
            redactor.values += 1;
            add_forms(value, &mut forms);
        }
        forms.sort_unstable();
        forms.dedup();
        if !forms.is_empty() {
            redactor.patterns = AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(&forms)
                .ok();
        }
        // An automaton that could not be built hides nothing: say so instead of pretending.
        if redactor.patterns.is_none() {
            redactor.skipped += redactor.values;
            redactor.values = 0;
        }
        redactor
    }

    /// Returns how many values were left out.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// Replaces the known values and everything that [`redact`](super::redact) finds.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut spans = shape_spans(text);
        spans.extend(self.value_spans(text));
        replace(text, spans)
    }

    /// Replaces the known values only; for texts that are handed on and must not be changed by a guess.
    pub fn redact_values<'a>(&self, text: &'a str) -> Cow<'a, str> {
        replace(text, self.value_spans(text).collect())
    }

    fn value_spans(&self, text: &str) -> impl Iterator<Item = Span> {
        let patterns = self.patterns.iter();
        patterns
            .flat_map(move |patterns| patterns.find_iter(text))
            .map(|found| Span {
                start: found.start(),
                end: found.end(),
                kind: SecretKind::Exact,
            })
    }
}

fn add_forms(value: &str, forms: &mut Vec<String>) {
    forms.push(value.to_owned());
    for unreserved in [&b"-._~"[..], b"-._*", b"-_.!~*'()"] {
        let upper = percent_encoded(value, unreserved);
        forms.push(upper.replace("%20", "+"));
        forms.push(lower_escapes(&upper));
        forms.push(upper);
    }
    let json = serde_json::Value::from(value).to_string();
    forms.push(json[1..json.len() - 1].to_owned());
    for before in 0..3_usize {
        // Only characters that do not depend on the neighbours are looked for.
        let mut padded = vec![0; before];
        padded.extend_from_slice(value.as_bytes());
        let from = (before * 8).div_ceil(6);
        let to = padded.len() * 8 / 6;
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            let text = engine.encode(&padded);
            if let Some(stable) = text.get(from..to)
                && stable.len() >= MIN_EXACT_SECRET_BYTES
            {
                forms.push(stable.to_owned());
            }
        }
    }
}

fn percent_encoded(value: &str, unreserved: &[u8]) -> String {
    let mut out = String::with_capacity(value.len() * 3);
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || unreserved.contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |nibble: u8| char::from(b"0123456789ABCDEF"[usize::from(nibble)]);
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

/// Writes the digits of escapes in lower case.
fn lower_escapes(text: &str) -> String {
    let mut escape = 0;
    text.chars()
        .map(|c| {
            escape = if c == '%' { 2 } else { escape };
            let digit = c != '%' && escape > 0;
            escape -= i32::from(digit);
            if digit { c.to_ascii_lowercase() } else { c }
        })
        .collect()
}
