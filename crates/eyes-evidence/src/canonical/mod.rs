//! Canonical JSON (RFC 8785, JCS): one value, one text, one digest.
//!
//! Keys stand in the order of their UTF-16 code units, numbers as ECMAScript prints them, strings with
//! the fewest escapes, and nothing between tokens. [`parse_strict`] reads foreign text for it and refuses
//! whatever two readers could understand differently.

mod error;
mod member;
mod read;
mod value;
mod write;

use std::ops::Range;

pub use error::{CanonicalError, StrictJsonError};
pub use read::{StrictJson, StrictLimits, parse_strict, parse_strict_within};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::digest::Sha256Digest;

/// Keys of an object and where their values stand in its canonical text, in bytes.
pub type MemberPlaces<'a> = Vec<(&'a str, Range<usize>)>;

/// The canonical text of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonical {
    text: String,
    inexact_integers: usize,
}

impl Canonical {
    /// Writes anything that serialises; deeper than [`MAX_CANONICAL_DEPTH`](crate::limits::MAX_CANONICAL_DEPTH)
    /// is `JSON_DEPTH_LIMIT`, a number that is not finite `JSON_NUMBER_INVALID`, a map key that is no
    /// text or comes twice `JSON_KEY_INVALID`.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, CanonicalError> {
        let mut writer = write::Writer::default();
        value.serialize(&mut writer)?;
        Self::from_writer(writer)
    }

    /// Writes a JSON value without recursion; deeper than
    /// [`MAX_CANONICAL_DEPTH`](crate::limits::MAX_CANONICAL_DEPTH) is `JSON_DEPTH_LIMIT`.
    pub fn of_value(value: &Value) -> Result<Self, CanonicalError> {
        let mut writer = write::Writer::default();
        value::write_value(&mut writer, value)?;
        Self::from_writer(writer)
    }

    /// Writes an object as [`of_value`](Self::of_value) does, and tells where the value of each member stands in the
    /// text, in the order of the text.
    pub fn of_map(
        members: &Map<String, Value>,
    ) -> Result<(Self, MemberPlaces<'_>), CanonicalError> {
        let mut writer = write::Writer::default();
        let places = value::write_map(&mut writer, members)?;
        Ok((Self::from_writer(writer)?, places))
    }

    fn from_writer(writer: write::Writer) -> Result<Self, CanonicalError> {
        let (bytes, inexact_integers) = writer.finish();
        let text = String::from_utf8(bytes)
            .map_err(|_| CanonicalError::Custom("text is not UTF-8".to_owned()))?;
        Ok(Self {
            text,
            inexact_integers,
        })
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text by value.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns how many integers lay beyond what a double holds exactly and were rounded, as RFC 8785
    /// asks; two different values may share a text when this is not 0.
    pub const fn inexact_integers(&self) -> usize {
        self.inexact_integers
    }

    /// Returns the SHA-256 of the UTF-8 text.
    pub fn digest(&self) -> Sha256Digest {
        Sha256Digest::of(self.text.as_bytes())
    }
}

/// Computes the SHA-256 of the canonical text of `value`.
///
/// An integer that a double cannot hold is `JSON_NUMBER_INVALID` here: different values never share a
/// digest. The other errors are those of [`Canonical::of`].
pub fn canonical_digest<T: Serialize + ?Sized>(value: &T) -> Result<Sha256Digest, CanonicalError> {
    let canonical = Canonical::of(value)?;
    if canonical.inexact_integers > 0 {
        return Err(CanonicalError::InexactInteger);
    }
    Ok(canonical.digest())
}

#[cfg(test)]
mod tests;
