//! Texts on their way into a report.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{digest::Sha256Digest, limits::MAX_REPORT_TEXT_CHARS, redact::safe_message};

/// A value that was typed or read: its length in code points and the SHA-256 of its UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValueDigest {
    /// Code points.
    pub length: usize,
    /// SHA-256 of the UTF-8 bytes.
    pub sha256: Sha256Digest,
}

impl ValueDigest {
    /// Measures a text.
    pub fn of(text: &str) -> Self {
        Self {
            length: text.chars().count(),
            sha256: Sha256Digest::of(text.as_bytes()),
        }
    }
}

/// A text that may stand in a report: redacted, on one line, at most [`MAX_REPORT_TEXT_CHARS`] characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct ReportText(String);

impl ReportText {
    /// Redacts and cuts.
    pub fn new(text: &str) -> Self {
        Self(safe_message(text, MAX_REPORT_TEXT_CHARS))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for ReportText {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<ReportText> for String {
    fn from(text: ReportText) -> Self {
        text.0
    }
}

/// A text of a running session: whole while it is compared, and reduced when it is written down.
///
/// It is not `Serialize`, and `Debug` shows a private one by its length only.
#[derive(Clone, PartialEq, Eq)]
pub struct RunText {
    text: String,
    private: bool,
}

/// A [`RunText`] as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum WrittenText {
    /// Redacted and cut.
    Text(ReportText),
    /// Length and digest.
    Hidden(ValueDigest),
}

impl RunText {
    /// Takes a text that a page or window shows, such as a title.
    pub fn shown(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            private: false,
        }
    }

    /// Takes a text that was typed or stands in a field.
    pub fn private(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            private: true,
        }
    }

    /// Returns the whole text, for comparing.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns what may be written down.
    pub fn for_report(&self) -> WrittenText {
        if self.private {
            WrittenText::Hidden(ValueDigest::of(&self.text))
        } else {
            WrittenText::Text(ReportText::new(&self.text))
        }
    }
}

impl fmt::Debug for RunText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.private {
            write!(f, "RunText({} bytes, private)", self.text.len())
        } else {
            write!(f, "RunText({:?})", self.text)
        }
    }
}
