//! One entry of the registry file.

use serde_json::{Map, Value, json};

use super::declared::Declared;
use crate::{Failure, Outcome};

/// Where the registry lies.
pub(crate) const PATH: &str = "schemas/error-codes.json";

const FIELDS: [&str; 7] = [
    "code", "crate", "category", "retry", "since", "summary", "hint",
];
const CATEGORIES: [&str; 7] = [
    "invalid",
    "stale",
    "refused",
    "unavailable",
    "failed",
    "rejected",
    "internal",
];
const RETRIES: [&str; 3] = ["never", "after-change", "later"];

/// A code as the registry states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The code.
    pub(crate) code: String,
    /// The crate that declares it.
    pub(crate) owner: String,
    /// The reaction it calls for.
    pub(crate) category: String,
    /// Whether calling again helps.
    pub(crate) retry: String,
    /// The crate's version in which it appeared.
    pub(crate) since: String,
    /// The condition, one sentence.
    pub(crate) summary: String,
    /// What to do next.
    pub(crate) hint: String,
    /// The crate's version in which it went out of use.
    pub(crate) retired: Option<String>,
}

/// Reads the file: an object whose `codes` are the entries.
pub(crate) fn read(text: &str) -> Outcome<Vec<Entry>> {
    let root: Value =
        serde_json::from_str(text).map_err(|error| Failure::new(format!("no JSON: {error}")))?;
    let codes = root["codes"]
        .as_array()
        .ok_or_else(|| Failure::new("`codes` is no array"))?;
    codes.iter().map(Entry::parse).collect()
}

impl Entry {
    fn parse(value: &Value) -> Outcome<Self> {
        let object = value
            .as_object()
            .ok_or_else(|| Failure::new("an entry is no object"))?;
        let code = text(object, "code")?;
        let unknown = object
            .keys()
            .find(|key| !FIELDS.contains(&key.as_str()) && *key != "retired");
        if let Some(key) = unknown {
            return Err(Failure::new(format!(
                "`{code}` has an unknown field `{key}`"
            )));
        }
        let entry = Self {
            owner: text(object, "crate")?,
            category: one_of(object, "category", &CATEGORIES)?,
            retry: one_of(object, "retry", &RETRIES)?,
            since: text(object, "since")?,
            summary: text(object, "summary")?,
            hint: text(object, "hint")?,
            retired: object
                .contains_key("retired")
                .then(|| text(object, "retired"))
                .transpose()?,
            code,
        };
        Ok(entry)
    }

    /// Returns the entry as it stands in the file.
    pub(super) fn to_json(&self) -> Value {
        let mut value = json!({
            "code": self.code,
            "crate": self.owner,
            "category": self.category,
            "retry": self.retry,
            "since": self.since,
            "summary": self.summary,
            "hint": self.hint,
        });
        if let Some(retired) = &self.retired {
            value["retired"] = json!(retired);
        }
        value
    }

    /// Names the fields in which the declaration says something else.
    pub(super) fn differences(&self, code: &Declared) -> Vec<&'static str> {
        [
            ("crate", self.owner == code.owner),
            ("category", self.category == code.category),
            ("retry", self.retry == code.retry),
            ("summary", self.summary == code.summary),
            ("hint", self.hint == code.hint),
        ]
        .into_iter()
        .filter_map(|(field, equal)| (!equal).then_some(field))
        .collect()
    }
}

fn text(object: &Map<String, Value>, key: &str) -> Outcome<String> {
    let value = object.get(key).and_then(Value::as_str);
    value.map(str::to_owned).ok_or_else(|| {
        let code = object
            .get("code")
            .and_then(Value::as_str)
            .unwrap_or("an entry");
        Failure::new(format!("`{code}` has no text in `{key}`"))
    })
}

fn one_of(object: &Map<String, Value>, key: &str, allowed: &[&str]) -> Outcome<String> {
    let value = text(object, key)?;
    if allowed.contains(&value.as_str()) {
        return Ok(value);
    }
    Err(Failure::new(format!(
        "`{key}` is `{value}`, not one of {}",
        allowed.join(", ")
    )))
}
