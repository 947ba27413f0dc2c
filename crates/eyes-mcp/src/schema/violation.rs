//! What of a value does not fit its schema, without the value.

use std::fmt;

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use crate::limits::{MAX_VIOLATION_POINTER_CHARS, MAX_VIOLATION_RULE_CHARS};

/// One place where a value breaks a rule of its schema.
///
/// The rule is in words of the schema; the value itself may be a secret and is never part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Where: a JSON pointer (RFC 6901), empty for the whole value.
    pub pointer: String,
    /// Which rule, such as `required member "path"` or `maximum 10`.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() {
            "(root)"
        } else {
            &self.pointer
        };
        write!(f, "{pointer}: {}", self.rule)
    }
}

impl Violation {
    pub(super) fn of(error: &ValidationError<'_>) -> Self {
        Self {
            pointer: cut(error.instance_path().as_str(), MAX_VIOLATION_POINTER_CHARS),
            rule: cut(&rule(error.kind()), MAX_VIOLATION_RULE_CHARS),
        }
    }
}

fn rule(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Required { property } => format!("required member {property} is missing"),
        Kind::Type { kind } => format!("type must be {}", types(kind)),
        Kind::Enum { options } => format!("enum, one of {options}"),
        Kind::Constant { expected_value } => format!("const {expected_value}"),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!(
                "no members but those of the schema; not {}",
                names(unexpected)
            )
        }
        Kind::Minimum { limit } => format!("minimum {limit}"),
        Kind::Maximum { limit } => format!("maximum {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("exclusiveMinimum {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("exclusiveMaximum {limit}"),
        Kind::MinLength { limit } => format!("minLength {limit}"),
        Kind::MaxLength { limit } => format!("maxLength {limit}"),
        Kind::MinItems { limit } => format!("minItems {limit}"),
        Kind::MaxItems { limit } => format!("maxItems {limit}"),
        Kind::MinProperties { limit } => format!("minProperties {limit}"),
        Kind::MaxProperties { limit } => format!("maxProperties {limit}"),
        Kind::AdditionalItems { limit } => format!("no more than {limit} items"),
        Kind::Pattern { pattern } => format!("pattern {pattern}"),
        Kind::Format { format } => format!("format {format}"),
        Kind::AnyOf { .. } => "anyOf, none of the alternatives fits".to_owned(),
        Kind::OneOfNotValid { .. } => "oneOf, none of the alternatives fits".to_owned(),
        Kind::OneOfMultipleValid { .. } => "oneOf, more than one alternative fits".to_owned(),
        Kind::PropertyNames { error } => format!("propertyNames, {}", rule(error.kind())),
        other => other.keyword().to_owned(),
    }
}

fn types(kind: &jsonschema::error::TypeKind) -> String {
    use jsonschema::error::TypeKind;
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(several) => several
            .iter()
            .map(|one| one.to_string())
            .collect::<Vec<_>>()
            .join(" or "),
    }
}

fn names(unexpected: &[String]) -> String {
    let shown: Vec<String> = unexpected
        .iter()
        .take(4)
        .map(|name| Value::from(cut(name, 48)).to_string())
        .collect();
    let more = unexpected.len().saturating_sub(shown.len());
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join(", "))
}

fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
