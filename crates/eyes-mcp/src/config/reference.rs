//! References to variables: how they are read and written, and which names may stand in them.

use std::collections::BTreeMap;

use eyes_evidence::redact::{SecretKind, redact};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeMap as _,
};
use serde_json::Value;

use super::{Argument, ConfigError, EnvReference};
use crate::limits::MAX_REFERENCE_BYTES;

/// The one member of a reference.
const MEMBER: &str = "env";

fn reference(value: Value) -> Result<EnvReference, &'static str> {
    let Value::Object(mut members) = value else {
        return Err("a value is not written here, but named: {\"env\": \"VARIABLE\"}");
    };
    match (members.shift_remove(MEMBER), members.is_empty()) {
        (Some(Value::String(env)), true) => Ok(EnvReference { env }),
        _ => Err("a reference has the one member env, the name of a variable"),
    }
}

impl<'de> Deserialize<'de> for EnvReference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Through a value, so that no message quotes a secret that stands here by mistake.
        reference(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for EnvReference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(1))?;
        members.serialize_entry(MEMBER, &self.env)?;
        members.end()
    }
}

impl<'de> Deserialize<'de> for Argument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self::Text(text)),
            value @ Value::Object(_) => reference(value)
                .map(Self::Reference)
                .map_err(D::Error::custom),
            _ => Err(D::Error::custom(
                "an argument is a text, or {\"env\": \"VARIABLE\"}",
            )),
        }
    }
}

impl Serialize for Argument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Reference(reference) => reference.serialize(serializer),
        }
    }
}

/// Whether a text can name a variable: a letter or `_`, then letters, digits and `_`.
pub(super) fn is_variable(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= MAX_REFERENCE_BYTES
        && bytes
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text can name a header: a token (RFC 9110, section 5.6.2).
pub(super) fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_REFERENCE_BYTES
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Checks the name in a reference; what is a token by its form was put here in place of a name.
pub(super) fn check_reference(path: &str, reference: &EnvReference) -> Result<(), ConfigError> {
    if redact(&reference.env) != reference.env {
        return Err(ConfigError::Secret {
            path: format!("{path}.env"),
            kind: SecretKind::Token,
        });
    }
    if is_variable(&reference.env) {
        Ok(())
    } else {
        let reason = "a variable has letters, digits and _, and does not begin with a digit";
        Err(ConfigError::member(format!("{path}.env"), reason))
    }
}

/// Checks a table of references: how many, their names by `is_name`, and each reference.
pub(super) fn check_references(
    path: &str,
    references: &BTreeMap<String, EnvReference>,
    most: usize,
    is_name: fn(&str) -> bool,
) -> Result<(), ConfigError> {
    if references.len() > most {
        return Err(ConfigError::Length {
            path: path.to_owned(),
            count: references.len(),
            most,
        });
    }
    for (name, reference) in references {
        if !is_name(name) || redact(name) != name.as_str() {
            return Err(ConfigError::member(
                path,
                "a name here has characters that it may not have",
            ));
        }
        check_reference(&format!("{path}.{name}"), reference)?;
    }
    Ok(())
}

#[cfg(feature = "schema")]
eyes_evidence::checked_schemas! {
    EnvReference: {
        "description": "A reference to a variable of the environment.",
        "type": "object",
        "properties": { "env": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" } },
        "required": ["env"],
        "additionalProperties": false
    }
    Argument: {
        "description": "A text, or the variable that holds the whole argument.",
        "anyOf": [
            { "type": "string" },
            {
                "type": "object",
                "properties": { "env": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" } },
                "required": ["env"],
                "additionalProperties": false
            }
        ]
    }
}
