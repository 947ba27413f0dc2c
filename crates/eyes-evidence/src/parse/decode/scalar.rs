//! Texts and numbers, written in the many ways that models write them.

use crate::{
    limits::MAX_TEXT_CHARS,
    parse::{
        audit::{DropReason, ParseAudit, RepairAction},
        json::{Kind, Value},
    },
    record::{NonEmptyText, ScalarError},
};

/// Reads a text; a number or truth value is taken as the text it stands as.
pub(super) fn text(
    value: Value<'_, '_>,
    audit: &mut ParseAudit,
    path: impl Fn() -> String,
) -> Result<NonEmptyText, DropReason> {
    match value.kind() {
        Kind::Null => Err(DropReason::Empty),
        Kind::Plain => fit(value.raw(), value, audit, path),
        Kind::Escaped => fit(&value.as_str().unwrap_or_default(), value, audit, path),
        Kind::Number | Kind::Bool | Kind::Bare => {
            audit.repair(path(), RepairAction::Text, Some(value.raw()), None);
            fit(value.raw(), value, audit, path)
        }
        Kind::Array | Kind::Object => Err(DropReason::WrongType),
    }
}

/// Reads a text of any kind of value; lists and objects are taken as the JSON text they stand as.
pub(super) fn any_text(
    value: Value<'_, '_>,
    audit: &mut ParseAudit,
    path: impl Fn() -> String,
) -> Result<NonEmptyText, DropReason> {
    if !matches!(value.kind(), Kind::Array | Kind::Object) {
        return text(value, audit, path);
    }
    if value.is_cut() {
        return Err(DropReason::CutOff);
    }
    if value.elements().next().is_none() && value.members().next().is_none() {
        return Err(DropReason::Empty);
    }
    audit.repair(path(), RepairAction::Text, Some(value.raw()), None);
    fit(value.raw(), value, audit, path)
}

fn fit(
    text: &str,
    value: Value<'_, '_>,
    audit: &mut ParseAudit,
    path: impl Fn() -> String,
) -> Result<NonEmptyText, DropReason> {
    match NonEmptyText::new(text) {
        Ok(text) => Ok(text),
        Err(ScalarError::EmptyText) => Err(DropReason::Empty),
        Err(_) => {
            audit.repair(path(), RepairAction::TextCut, Some(value.raw()), None);
            let end = text
                .char_indices()
                .nth(MAX_TEXT_CHARS)
                .map_or(text.len(), |(at, _)| at);
            NonEmptyText::new(&text[..end]).map_err(|_| DropReason::WrongType)
        }
    }
}

/// A number, and whether it was written in another way than as a JSON number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numeric {
    pub(super) value: f64,
    pub(super) converted: bool,
    /// Written with a percent sign: its scale is not in question.
    pub(super) percent: bool,
}

/// Reads a number: as it is, as text, or as a percentage.
pub(super) fn number(value: Value<'_, '_>) -> Option<Numeric> {
    if let Some(number) = value.as_number() {
        return Some(Numeric {
            value: number,
            converted: false,
            percent: false,
        });
    }
    match value.kind() {
        Kind::Number | Kind::Plain => number_text(value.raw()),
        _ => None,
    }
}

/// Reads a number from text.
pub(super) fn number_text(text: &str) -> Option<Numeric> {
    let text = text.trim();
    let (digits, percent) = match text.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), true),
        None => (text, false),
    };
    // Words that Rust reads as numbers, such as `inf`, are none here.
    if !digits.bytes().any(|b| b.is_ascii_digit()) || digits.bytes().any(|b| b == b'_') {
        return None;
    }
    let value: f64 = digits.parse().ok().filter(|v: &f64| v.is_finite())?;
    Some(Numeric {
        value: if percent { value / 100.0 } else { value },
        converted: true,
        percent,
    })
}

/// A confidence as it was written; its scale is decided for the whole document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RawConfidence {
    pub(super) value: f64,
    /// The value is final: it was a percentage or a word.
    pub(super) fixed: bool,
    pub(super) converted: bool,
}

/// Reads a confidence.
///
/// The words are those of the usual three-step scale; 0.9, 0.6 and 0.3 stand for high, medium and low.
pub(super) fn confidence(value: Value<'_, '_>) -> Result<RawConfidence, DropReason> {
    if value.is_null() {
        return Err(DropReason::MissingConfidence);
    }
    if let Some(numeric) = number(value) {
        return Ok(RawConfidence {
            value: numeric.value,
            fixed: numeric.percent,
            converted: numeric.converted,
        });
    }
    let word = value
        .as_str()
        .unwrap_or(std::borrow::Cow::Borrowed(value.raw()));
    let degree = match word.trim().to_lowercase().as_str() {
        "high" | "\u{9ad8}" => 0.9,
        "medium" | "\u{4e2d}" => 0.6,
        "low" | "\u{4f4e}" => 0.3,
        _ => return Err(DropReason::InvalidConfidence),
    };
    Ok(RawConfidence {
        value: degree,
        fixed: true,
        converted: true,
    })
}
