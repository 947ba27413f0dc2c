//! What can go wrong when canonical JSON is written or strict JSON is read.

use crate::{
    code::{Coded, ErrorCode},
    codes,
};

/// A value has no canonical text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// Containers nest deeper than the bound.
    #[error("JSON nests deeper than {0} levels")]
    Depth(usize),
    /// A number is NaN or infinite.
    #[error("a JSON number is not finite")]
    NotFinite,
    /// An integer is beyond what a double holds, and the caller asked for a digest.
    #[error("an integer beyond 2^53 has no exact JSON number")]
    InexactInteger,
    /// A map key is neither text nor an integer, a boolean or a character.
    #[error("a JSON object key is text")]
    KeyType,
    /// A map yields the same key twice.
    #[error("JSON object key {0:?} comes twice")]
    DuplicateKey(String),
    /// The type refuses to serialise itself.
    #[error("{0}")]
    Custom(String),
}

impl Coded for CanonicalError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Depth(_) => codes::JSON_DEPTH_LIMIT,
            Self::NotFinite | Self::InexactInteger => codes::JSON_NUMBER_INVALID,
            Self::KeyType | Self::DuplicateKey(_) => codes::JSON_KEY_INVALID,
            Self::Custom(_) => codes::JSON_TEXT_INVALID,
        }
    }
}

impl serde::ser::Error for CanonicalError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }
}

/// A text is not strict JSON; offsets count bytes from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrictJsonError {
    /// The text is longer than the limit.
    #[error("JSON text has {bytes} bytes, more than {limit}")]
    Size {
        /// Length of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// Containers nest deeper than the limit.
    #[error("JSON nests deeper than {limit} levels at byte {offset}")]
    Depth {
        /// Where the container opens.
        offset: usize,
        /// The limit.
        limit: usize,
    },
    /// The bytes are not UTF-8.
    #[error("JSON text is not UTF-8 at byte {offset}")]
    Utf8 {
        /// First byte that does not belong.
        offset: usize,
    },
    /// The text breaks the grammar of RFC 8259.
    #[error("JSON text: expected {expected} at byte {offset}")]
    Syntax {
        /// Where.
        offset: usize,
        /// What the grammar allows there.
        expected: &'static str,
    },
    /// An escape names half of a surrogate pair.
    #[error("lone surrogate at byte {offset}")]
    LoneSurrogate {
        /// Where the escape begins.
        offset: usize,
    },
    /// A number is too large for a double.
    #[error("number at byte {offset} is not finite as a double")]
    NotFinite {
        /// Where the number begins.
        offset: usize,
    },
    /// An object has the same key twice.
    #[error("object key comes twice at byte {offset}")]
    DuplicateKey {
        /// Where the second one begins.
        offset: usize,
    },
}

impl Coded for StrictJsonError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Size { .. } => codes::JSON_SIZE_LIMIT,
            Self::Depth { .. } => codes::JSON_DEPTH_LIMIT,
            Self::NotFinite { .. } => codes::JSON_NUMBER_INVALID,
            Self::DuplicateKey { .. } => codes::JSON_KEY_INVALID,
            Self::Utf8 { .. } | Self::Syntax { .. } | Self::LoneSurrogate { .. } => {
                codes::JSON_TEXT_INVALID
            }
        }
    }
}
