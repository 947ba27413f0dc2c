//! Arguments as an audit shows them: a digest and the names, within bounds.

use eyes_evidence::{
    canonical::Canonical, digest::Sha256Digest, redact::safe_message, report::ValueDigest,
};
use serde_json::{Map, Value, json};

use crate::{
    limits::{
        MAX_AUDIT_HASH_CHARS, MAX_AUDIT_HASH_DEPTH, MAX_AUDIT_HASH_NODES, MAX_AUDIT_KEY_CHARS,
        MAX_AUDIT_KEYS, MAX_SHOWN_CHARS,
    },
    result::utf16_len,
};

/// What stands in place of a digest when a value passes the bounds.
pub const HASH_UNAVAILABLE: &str = "hash-unavailable";

/// The arguments of a call without their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentsDigest {
    /// Length and SHA-256 of the arguments as canonical JSON (RFC 8785); nothing where they pass the bounds.
    pub value: Option<ValueDigest>,
    /// Their names in order, redacted; none where they are too many or too long.
    pub keys: Vec<String>,
}

impl ArgumentsDigest {
    /// Measures arguments; what passes the bounds is not hashed, and never fails a call.
    pub fn of(arguments: &Map<String, Value>) -> Self {
        let hashable = is_hashable(arguments);
        let canonical = hashable
            .then(|| Canonical::of_map(arguments).ok())
            .flatten();
        Self {
            value: canonical.map(|(canonical, _)| ValueDigest {
                length: canonical.as_str().chars().count(),
                sha256: canonical.digest(),
            }),
            keys: shown_keys(arguments),
        }
    }

    /// Returns the digest as text, or [`HASH_UNAVAILABLE`].
    pub fn sha256_text(&self) -> String {
        self.value.map_or_else(
            || HASH_UNAVAILABLE.to_owned(),
            |value| value.sha256.to_string(),
        )
    }

    /// Returns what a person is shown in place of the arguments: `{"keys": [...], "argsSha256": "..."}`.
    pub fn to_json(&self) -> Value {
        json!({ "keys": self.keys, "argsSha256": self.sha256_text() })
    }
}

/// Returns the SHA-256 of a message; the text itself may say too much.
pub(super) fn message_digest(message: &str) -> Sha256Digest {
    Sha256Digest::of(message.as_bytes())
}

/// Tells whether depth, values and characters are within the bounds.
fn is_hashable(arguments: &Map<String, Value>) -> bool {
    let mut nodes = 1_usize;
    let mut chars = 0_usize;
    let mut open: Vec<(&Value, usize)> = Vec::new();
    let mut take = |key: Option<&str>, text: Option<&str>| {
        chars += key.map_or(0, utf16_len) + text.map_or(0, utf16_len);
        chars <= MAX_AUDIT_HASH_CHARS
    };
    if arguments.len() > MAX_AUDIT_HASH_NODES {
        return false;
    }
    for (key, value) in arguments {
        if !take(Some(key), None) {
            return false;
        }
        open.push((value, 1));
    }
    while let Some((value, depth)) = open.pop() {
        nodes += 1;
        if nodes > MAX_AUDIT_HASH_NODES || depth > MAX_AUDIT_HASH_DEPTH {
            return false;
        }
        let more = MAX_AUDIT_HASH_NODES - nodes;
        let fits = match value {
            Value::String(text) => take(None, Some(text)),
            Value::Array(entries) if entries.len() <= more => {
                open.extend(entries.iter().map(|entry| (entry, depth + 1)));
                true
            }
            Value::Object(members) if members.len() <= more => {
                open.extend(members.values().map(|member| (member, depth + 1)));
                members.keys().all(|key| take(Some(key), None))
            }
            Value::Array(_) | Value::Object(_) => false,
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        };
        if !fits {
            return false;
        }
    }
    true
}

fn shown_keys(arguments: &Map<String, Value>) -> Vec<String> {
    let chars: usize = if arguments.len() > MAX_AUDIT_KEYS {
        return Vec::new();
    } else {
        arguments.keys().map(|key| utf16_len(key)).sum()
    };
    if chars > MAX_AUDIT_KEY_CHARS {
        return Vec::new();
    }
    let mut keys: Vec<String> = arguments
        .keys()
        .map(|key| safe_message(key, MAX_SHOWN_CHARS))
        .collect();
    keys.sort_unstable();
    keys
}
