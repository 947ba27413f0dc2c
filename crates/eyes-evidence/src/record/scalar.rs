//! Checked scalar values of evidence.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::{MAX_REGION_ID_CHARS, MAX_TEXT_CHARS};

/// A scalar breaks its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScalarError {
    /// The text is empty.
    #[error("text has at least one character")]
    EmptyText,
    /// The text is longer than [`MAX_TEXT_CHARS`] code points.
    #[error("text has at most {MAX_TEXT_CHARS} code points")]
    LongText,
    /// The number is not in 0..=1.
    #[error("confidence is between 0 and 1")]
    Confidence,
    /// The id is empty, too long, or has a character outside `A-Za-z0-9._:-`.
    #[error("a region id is 1 to {MAX_REGION_ID_CHARS} characters of A-Z a-z 0-9 . _ : -")]
    RegionId,
}

/// Text of 1 to [`MAX_TEXT_CHARS`] code points.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NonEmptyText(Box<str>);

impl NonEmptyText {
    /// Checks the length.
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, ScalarError> {
        let text = text.into();
        if text.is_empty() {
            return Err(ScalarError::EmptyText);
        }
        // Bytes bound code points, so most texts need no count.
        if text.len() > MAX_TEXT_CHARS && text.chars().nth(MAX_TEXT_CHARS).is_some() {
            return Err(ScalarError::LongText);
        }
        Ok(Self(text))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NonEmptyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for NonEmptyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for NonEmptyText {
    type Error = ScalarError;

    fn try_from(text: String) -> Result<Self, ScalarError> {
        Self::new(text)
    }
}

impl From<NonEmptyText> for String {
    fn from(text: NonEmptyText) -> Self {
        text.0.into()
    }
}

/// How sure the reader is, 0..=1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Confidence(f64);

impl Confidence {
    /// Checks the range.
    pub fn new(value: f64) -> Result<Self, ScalarError> {
        if (0.0..=1.0).contains(&value) {
            // `+ 0.0` turns a negative zero into zero.
            Ok(Self(value + 0.0))
        } else {
            Err(ScalarError::Confidence)
        }
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Confidence {
    type Error = ScalarError;

    fn try_from(value: f64) -> Result<Self, ScalarError> {
        Self::new(value)
    }
}

impl From<Confidence> for f64 {
    fn from(value: Confidence) -> Self {
        value.0
    }
}

/// The name of a region inside one document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RegionId(Box<str>);

impl RegionId {
    /// Checks length and characters.
    pub fn new(id: impl Into<Box<str>>) -> Result<Self, ScalarError> {
        let id = id.into();
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
        if id.is_empty() || id.len() > MAX_REGION_ID_CHARS || !id.bytes().all(allowed) {
            return Err(ScalarError::RegionId);
        }
        Ok(Self(id))
    }

    /// Returns the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RegionId {
    type Error = ScalarError;

    fn try_from(id: String) -> Result<Self, ScalarError> {
        Self::new(id)
    }
}

impl From<RegionId> for String {
    fn from(id: RegionId) -> Self {
        id.0.into()
    }
}
