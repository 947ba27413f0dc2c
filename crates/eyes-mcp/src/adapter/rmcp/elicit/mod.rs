//! Questions of a server to the person (`elicitation/create`).

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::{convert::cut, progress::ProgressRegistry};
use crate::{
    limits::{
        MAX_ELICITATION_BYTES, MAX_ELICITATION_FIELDS, MAX_ELICITATION_MESSAGE_CHARS,
        MAX_OPEN_ELICITATIONS,
    },
    ports::Elicitor,
};

/// Puts questions to the elicitor, a few at a time, each and its answer within bounds.
#[derive(Debug)]
pub(super) struct Questions {
    elicitor: Arc<dyn Elicitor>,
    progress: Arc<ProgressRegistry>,
    open: Semaphore,
}

impl Questions {
    pub(super) fn new(elicitor: Arc<dyn Elicitor>, progress: Arc<ProgressRegistry>) -> Self {
        Self {
            elicitor,
            progress,
            open: Semaphore::new(MAX_OPEN_ELICITATIONS),
        }
    }

    /// Answers the `params` of a question with the `result` of it.
    ///
    /// What is no form, is out of bounds, or comes while too many are open is declined; so is an answer that does
    /// not fit what was asked.
    pub(super) async fn ask(&self, params: &Value) -> Value {
        match self.accepted(params).await {
            Some(content) => json!({"action": "accept", "content": content}),
            None => json!({"action": "decline"}),
        }
    }

    async fn accepted(&self, params: &Value) -> Option<Map<String, Value>> {
        let mode = params.get("mode").and_then(Value::as_str);
        if mode.is_some_and(|mode| mode != "form") {
            return None;
        }
        let message = params.get("message")?.as_str()?;
        let schema = params.get("requestedSchema")?;
        if !is_askable(schema) {
            return None;
        }
        let _place = self.open.try_acquire().ok()?;
        let _question = self.progress.question();
        let message = cut(message, MAX_ELICITATION_MESSAGE_CHARS);
        let answer = self.elicitor.elicit(&message, schema).await?;
        fits(&answer, schema).then_some(answer)
    }
}

/// Whether a schema is one of a flat form, within the bounds.
fn is_askable(schema: &Value) -> bool {
    let fields = schema.get("properties").and_then(Value::as_object);
    schema.get("type").and_then(Value::as_str) == Some("object")
        && fields.is_some_and(|fields| fields.len() <= MAX_ELICITATION_FIELDS)
        && schema.to_string().len() <= MAX_ELICITATION_BYTES
}

/// Whether an answer has what is required, nothing that was not asked for, and of each field what it may be.
fn fits(answer: &Map<String, Value>, schema: &Value) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    let size: usize = answer.values().map(|value| value.to_string().len()).sum();
    size <= MAX_ELICITATION_BYTES
        && required.all(|name| answer.contains_key(name))
        && answer.iter().all(|(name, value)| {
            let field = schema.get("properties").and_then(|all| all.get(name));
            field.is_some_and(|field| is_of(value, field))
        })
}

/// The forms of fields that revision 2025-11-25 knows: text, number, boolean, and choices of texts.
fn is_of(value: &Value, field: &Value) -> bool {
    match field.get("type").and_then(Value::as_str) {
        Some("string") => value.as_str().is_some_and(|text| is_text(text, field)),
        Some("boolean") => value.is_boolean(),
        Some("integer") => {
            let whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
            whole && is_within(value, field)
        }
        Some("number") => value.is_number() && is_within(value, field),
        Some("array") => value.as_array().is_some_and(|values| {
            let choices = field.get("items").map(choices).unwrap_or_default();
            has_length(values.len(), field, ["minItems", "maxItems"])
                && values
                    .iter()
                    .all(|value| value.as_str().is_some_and(|text| choices.contains(&text)))
        }),
        _ => false,
    }
}

fn is_text(text: &str, field: &Value) -> bool {
    let choices = choices(field);
    let is_choice = ["enum", "oneOf", "anyOf"]
        .iter()
        .any(|member| field.get(member).is_some());
    (!is_choice || choices.contains(&text))
        && has_length(text.chars().count(), field, ["minLength", "maxLength"])
}

/// The texts to choose from: `enum`, or the `const` of each of `oneOf` or `anyOf`.
fn choices(field: &Value) -> Vec<&str> {
    let list = |member: &str| field.get(member).and_then(Value::as_array);
    let plain = list("enum").into_iter().flatten();
    let titled = list("oneOf").or_else(|| list("anyOf"));
    let titled = titled.into_iter().flatten();
    plain
        .chain(titled.filter_map(|choice| choice.get("const")))
        .filter_map(Value::as_str)
        .collect()
}

fn has_length(length: usize, field: &Value, [min, max]: [&str; 2]) -> bool {
    let bound = |member: &str| field.get(member).and_then(Value::as_u64);
    let length = length as u64;
    bound(min).is_none_or(|min| length >= min) && bound(max).is_none_or(|max| length <= max)
}

fn is_within(value: &Value, field: &Value) -> bool {
    let bound = |member: &str| field.get(member).and_then(Value::as_f64);
    value.as_f64().is_some_and(|number| {
        bound("minimum").is_none_or(|min| number >= min)
            && bound("maximum").is_none_or(|max| number <= max)
    })
}

#[cfg(test)]
mod tests;
