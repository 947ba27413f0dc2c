//! One pin.

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a tool's definition stands to the one that was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PinState {
    /// Nobody approved any.
    New,
    /// It is the approved one.
    Approved,
    /// It is another one.
    Changed,
    /// The server no longer has the tool.
    Removed,
}

/// Who approved a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovedBy {
    /// Nobody: it was the first one that was seen.
    FirstUse,
    /// Somebody who was asked.
    Person,
}

/// A definition as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// The digest of server and definition.
    pub digest: Sha256Digest,
    /// The digest without server, name and title: of what was renamed it is the same.
    pub body: Sha256Digest,
    /// The definition as JSON text; nothing where it is too large to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Pinned {
    /// Returns the definition, where it was kept.
    pub fn definition(&self) -> Option<Value> {
        serde_json::from_str(self.text.as_deref()?).ok()
    }
}

/// What is known of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The approved definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Pinned>,
    /// Who approved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ApprovedBy>,
    /// The definition that waits, where it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Pinned>,
    /// Whether the server had the tool when it was last looked at.
    #[serde(default)]
    pub present: bool,
}

impl Pin {
    /// Returns how the newest definition stands to the approved one.
    pub const fn state(&self) -> PinState {
        match (self.present, &self.approved, &self.waiting) {
            (false, ..) => PinState::Removed,
            (true, None, _) => PinState::New,
            (true, Some(_), None) => PinState::Approved,
            (true, Some(_), Some(_)) => PinState::Changed,
        }
    }

    /// Returns the newest definition that was seen.
    pub fn newest(&self) -> Option<&Pinned> {
        self.waiting.as_ref().or(self.approved.as_ref())
    }
}
