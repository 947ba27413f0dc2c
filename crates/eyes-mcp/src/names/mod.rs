//! Ids of servers, public names of tools, and what a name may hold.

mod hidden;
mod public;

use std::{fmt, str::FromStr};

pub use hidden::{Hidden, hidden_in, hidden_kind, visible};
pub use public::PublicName;

use crate::limits::{MAX_RAW_NAME_CHARS, MAX_SERVER_ID_CHARS};

/// The id of a server: 1 to 32 of `A-Z a-z 0-9 _ -`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(Box<str>);

/// A text is no id of a server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no server id: 1 to {MAX_SERVER_ID_CHARS} of A-Z a-z 0-9 _ -")]
pub struct InvalidServerId(String);

impl ServerId {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServerId {
    type Err = InvalidServerId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = (1..=MAX_SERVER_ID_CHARS).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        if fits {
            Ok(Self(text.into()))
        } else {
            Err(InvalidServerId(text.chars().take(64).collect()))
        }
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a server's own name of a tool or prompt is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// Nothing to call.
    #[error("the name is empty")]
    Empty,
    /// Longer than names are.
    #[error("the name has {chars} characters, more than {MAX_RAW_NAME_CHARS}")]
    Long {
        /// Its length.
        chars: usize,
    },
    /// A character that nobody sees, or that reorders what is seen: a name must not read as another one.
    #[error("the name holds U+{:04X}, {kind}", u32::from(*character))]
    Hidden {
        /// The first such character.
        character: char,
        /// What it is.
        kind: Hidden,
    },
}

/// Checks a server's own name: not empty, bounded, and every character visible.
pub fn check_raw_name(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    // A character has at most four bytes, so the count stays bounded for a name of any length.
    let chars = name.chars().take(4 * MAX_RAW_NAME_CHARS).count();
    if chars > MAX_RAW_NAME_CHARS {
        return Err(NameFault::Long { chars });
    }
    match hidden_in(name) {
        Some((_, character, kind)) => Err(NameFault::Hidden { character, kind }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
