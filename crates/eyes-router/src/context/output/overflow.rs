//! What a provider says of a request that passes its model's window.

use std::fmt;

use eyes_evidence::code::Coded as _;

use super::wire::{FORMS, Figure, NAMES, PHRASES};
use crate::{codes, error::ProviderError, limits::MAX_PROVIDER_MESSAGE_CHARS};

/// How many tokens a provider says the request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportedInput {
    /// It counted them.
    Exactly(u64),
    /// It stopped counting where the request could no longer fit, as vLLM does.
    AtLeast(u64),
}

/// A provider refused a request because it passes the model's window; the figures are those that it named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overflow {
    /// Tokens of the window.
    pub window: Option<u64>,
    /// Tokens of the request.
    pub input: Option<ReportedInput>,
    /// Tokens that were asked for as an answer.
    pub output: Option<u64>,
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.window {
            Some(window) => write!(f, "window {window}")?,
            None => f.write_str("window unknown")?,
        }
        match self.input {
            Some(ReportedInput::Exactly(input)) => write!(f, ", request {input}"),
            Some(ReportedInput::AtLeast(input)) => write!(f, ", request at least {input}"),
            None => f.write_str(", request unknown"),
        }
    }
}

impl Overflow {
    /// Reads a failure; nothing for failures of another kind.
    ///
    /// The registry's code decides, then the provider's own code, then the wording. A limit of tokens a minute, an
    /// empty account and other failures that have codes of their own are no overflow, whatever they say.
    pub fn of(failure: &ProviderError) -> Option<Self> {
        const OPEN: [&str; 4] = [
            "PROVIDER_REQUEST_INVALID",
            "PROVIDER_UNAVAILABLE",
            "PROVIDER_RESPONSE_INVALID",
            "VISION_MODEL_FAILED",
        ];
        let told = Self::in_text(&failure.message);
        let code = failure.code();
        if code == codes::PROVIDER_CONTEXT_LIMIT {
            return Some(told.unwrap_or_default());
        }
        if !OPEN.contains(&code.as_str()) {
            return None;
        }
        let named = failure.provider_code.as_deref().is_some_and(Self::is_name);
        told.or_else(|| named.then(Self::default))
    }

    /// Reads what is said; nothing for words of another kind.
    pub(crate) fn in_text(text: &str) -> Option<Self> {
        let text = plain(text);
        let mut found = Self::default();
        let mut is_told = PHRASES.iter().any(|phrase| text.contains(phrase));
        for form in FORMS {
            let Some(figures) = matches(&text, form.text) else {
                continue;
            };
            is_told |= form.decides;
            found.take(&figures);
        }
        is_told.then_some(found)
    }

    /// Tells whether a provider's own code or type names the condition.
    pub(crate) fn is_name(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        NAMES.iter().any(|known| name.contains(known))
    }

    /// Takes figures that are not known yet; parts of the request that are named apart are added up.
    fn take(&mut self, figures: &[(Figure, u64)]) {
        for &(figure, value) in figures {
            match figure {
                Figure::Window => self.window = self.window.or(Some(value)),
                Figure::Output => self.output = self.output.or(Some(value)),
                Figure::Input => self.input = self.input.or(Some(ReportedInput::Exactly(value))),
                Figure::InputAtLeast => {
                    self.input = self.input.or(Some(ReportedInput::AtLeast(value)));
                }
                Figure::More => {
                    if let Some(ReportedInput::Exactly(input)) = &mut self.input {
                        *input = input.saturating_add(value);
                    }
                }
            }
        }
    }
}

/// Returns the words in lower case, without the marks that some wires put around names, bounded.
fn plain(text: &str) -> String {
    text.chars()
        .take(MAX_PROVIDER_MESSAGE_CHARS)
        .filter(|c| !matches!(c, '`' | '\'' | '"' | '\\'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Finds a form in a text: its words as they stand, its figures as numbers.
fn matches(text: &str, form: &str) -> Option<Vec<(Figure, u64)>> {
    let anchor_at = form.find('}').filter(|_| form.starts_with('{'));
    let anchor = &form[anchor_at.map_or(0, |at| at + 1)..];
    let anchor = anchor.split('{').next().unwrap_or_default();
    let mut from = 0;
    while let Some(found) = text[from..].find(anchor) {
        let at = from + found;
        let start = if anchor_at.is_some() {
            number_before(text, at)
        } else {
            Some(at)
        };
        if let Some(figures) = start.and_then(|start| matches_here(&text[start..], form)) {
            return Some(figures);
        }
        from = at + anchor.chars().next().map_or(1, char::len_utf8);
    }
    None
}

fn matches_here(mut text: &str, mut form: &str) -> Option<Vec<(Figure, u64)>> {
    let mut figures = Vec::new();
    while !form.is_empty() {
        if let Some(rest) = form.strip_prefix('{') {
            let (name, rest) = rest.split_once('}')?;
            let (value, after) = number(text)?;
            figures.extend(Figure::named(name).map(|figure| (figure, value)));
            (form, text) = (rest, after);
        } else {
            let (words, _) = form.split_at(form.find('{').unwrap_or(form.len()));
            text = text.strip_prefix(words)?;
            form = &form[words.len()..];
        }
    }
    Some(figures)
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b',' || byte == b'_'
}

/// Reads a number at the beginning, thousands set apart or not.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .bytes()
        .position(|byte| !is_of_number(byte))
        .unwrap_or(text.len());
    // A comma behind the number belongs to the sentence.
    let digits = text[..end].trim_end_matches([',', '_']);
    let value = digits
        .bytes()
        .filter(u8::is_ascii_digit)
        .try_fold(0_u64, |value, digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        });
    (!digits.is_empty() && digits.as_bytes()[0].is_ascii_digit())
        .then_some(())
        .and(value)
        .map(|value| (value, &text[digits.len()..]))
}

/// Returns where the number begins that ends at `end`.
fn number_before(text: &str, end: usize) -> Option<usize> {
    let digits = text.as_bytes()[..end]
        .iter()
        .rev()
        .take_while(|&&byte| is_of_number(byte))
        .count();
    let start = end - digits;
    let skipped = text[start..end].len() - text[start..end].trim_start_matches([',', '_']).len();
    (digits > skipped).then_some(start + skipped)
}
