//! Checked short texts of a record.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::{MAX_NAME_CHARS, MAX_TIMESTAMP_BYTES};

/// A short text of a record breaks its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name is empty or longer than [`MAX_NAME_CHARS`].
    #[error("a name has 1 to {MAX_NAME_CHARS} characters")]
    Length,
    /// The name has a control character.
    #[error("a name has no control characters")]
    Control,
    /// The text is no date and time of RFC 3339.
    #[error("a time is written as in RFC 3339, such as 2026-01-31T23:59:59Z")]
    Timestamp,
}

/// A name of 1 to [`MAX_NAME_CHARS`] characters without control characters: of a provider, a model, a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RouteName(Box<str>);

impl RouteName {
    /// Checks length and characters.
    pub fn new(name: impl Into<Box<str>>) -> Result<Self, NameError> {
        let name = name.into();
        if name.is_empty() || name.chars().nth(MAX_NAME_CHARS).is_some() {
            return Err(NameError::Length);
        }
        if name.chars().any(char::is_control) {
            return Err(NameError::Control);
        }
        Ok(Self(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RouteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RouteName {
    type Error = NameError;

    fn try_from(name: String) -> Result<Self, NameError> {
        Self::new(name)
    }
}

impl From<RouteName> for String {
    fn from(name: RouteName) -> Self {
        name.0.into()
    }
}

/// A date and time as RFC 3339 writes it; kept as text, because nothing here computes with time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(Box<str>);

impl Timestamp {
    /// Checks the form: `YYYY-MM-DDTHH:MM:SS`, an optional fraction, then `Z` or an offset.
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, NameError> {
        let text = text.into();
        if text.len() <= MAX_TIMESTAMP_BYTES && is_rfc3339(text.as_bytes()) {
            Ok(Self(text))
        } else {
            Err(NameError::Timestamp)
        }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::new(text)
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.0.into()
    }
}

/// Matches digits where the pattern has `0` and the byte itself elsewhere.
fn matches(text: &[u8], pattern: &[u8]) -> bool {
    text.len() == pattern.len()
        && text.iter().zip(pattern).all(|(byte, want)| match want {
            b'0' => byte.is_ascii_digit(),
            _ => byte == want,
        })
}

fn two(text: &[u8]) -> u8 {
    text.iter()
        .take(2)
        .fold(0, |value, byte| value * 10 + (byte - b'0'))
}

fn is_rfc3339(text: &[u8]) -> bool {
    let Some((date_time, rest)) = text.split_at_checked(19) else {
        return false;
    };
    if !matches(date_time, b"0000-00-00T00:00:00") {
        return false;
    }
    // 60 is a leap second.
    let ranges = (1..=12).contains(&two(&date_time[5..]))
        && (1..=31).contains(&two(&date_time[8..]))
        && two(&date_time[11..]) < 24
        && two(&date_time[14..]) < 60
        && two(&date_time[17..]) <= 60;
    let zone = match rest.split_first() {
        Some((b'.', fraction)) => {
            let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        _ => rest,
    };
    let offset = matches(zone, b"+00:00") || matches(zone, b"-00:00");
    ranges && (zone == b"Z" || (offset && two(&zone[1..]) < 24 && two(&zone[4..]) < 60))
}
