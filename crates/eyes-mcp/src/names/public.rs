//! Public names: what a model calls a tool.

use std::fmt;

use eyes_evidence::digest::Sha256Digest;
use serde::{Serialize, Serializer};

use super::ServerId;
use crate::limits::MAX_PUBLIC_NAME_CHARS;

/// Hexadecimal digits of the digest that tells shortened or rewritten names apart.
const DIGEST_CHARS: usize = 12;

/// The public name of a tool: at most 64 of `A-Z a-z 0-9 _ -`, as model APIs ask.
///
/// `mcp__SERVER__TOOL` where that fits as it stands; otherwise every other character is `_` (an astral one
/// twice), the first 51 are kept, and 12 digits of the SHA-256 of server id, NUL and raw name follow. The
/// same rule as the harness's own bridge, so that names agree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicName(Box<str>);

impl PublicName {
    /// Makes the name of a server's tool.
    pub fn of(server: &ServerId, raw: &str) -> Self {
        let mut name = format!("mcp__{server}__");
        let mut exact = true;
        for character in raw.chars() {
            if name.len() > MAX_PUBLIC_NAME_CHARS {
                break;
            }
            if character.is_ascii_alphanumeric() || matches!(character, '_' | '-') {
                name.push(character);
            } else {
                exact = false;
                name.push_str(if character.len_utf16() == 2 {
                    "__"
                } else {
                    "_"
                });
            }
        }
        if exact && name.len() <= MAX_PUBLIC_NAME_CHARS {
            return Self(name.into());
        }
        let digest =
            Sha256Digest::of_parts([server.as_str().as_bytes(), b"\0", raw.as_bytes()]).to_string();
        name.truncate(MAX_PUBLIC_NAME_CHARS - 1 - DIGEST_CHARS);
        name.push('_');
        name.push_str(&digest[..DIGEST_CHARS]);
        Self(name.into())
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PublicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for PublicName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for PublicName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Serialize for PublicName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
