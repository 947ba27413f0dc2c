//! Results: admission, digest, preview, artifact and images.
//!
//! A result is foreign: it is measured before anything is decoded or written ([`admit`]), has one digest, and what
//! the model reads of it is bounded and set between marks that it cannot fake.

mod admit;
mod artifacts;
mod base64;
mod deferred;
mod image;
mod preview;
mod project;
mod render;
mod units;

use std::{path::PathBuf, sync::Arc};

pub use admit::{AdmissionStats, admit};
pub use artifacts::{ArtifactBounds, ArtifactChunk, ResultArtifacts};
pub use deferred::{CONTEXT_SCHEMA_VERSION, DeferredContext, deferred_context};
use eyes_evidence::{
    canonical::{Canonical, CanonicalError, MemberPlaces},
    digest::Sha256Digest,
    redact::Redactor,
};
pub use render::RESULT_SCHEMA_VERSION;
use serde_json::Value;
pub(crate) use units::utf16_len;

use crate::{codes, error::McpError};

/// A result that was admitted, bounded and hashed.
#[derive(Debug, Clone)]
pub struct BoundedResult {
    /// What the model reads; text of the server, with marks where something of it is left out.
    pub preview: String,
    /// Whether the preview left out text because there was too much of it.
    pub truncated: bool,
    /// Whether the tool itself calls its result an error.
    pub is_error: bool,
    /// SHA-256 of the result as canonical JSON (RFC 8785).
    pub sha256: Sha256Digest,
    /// Bytes of that text.
    pub bytes: u64,
    /// Code points of that text.
    pub chars: u64,
    /// Where the whole result is kept.
    pub artifact: Option<ResultArtifact>,
    /// The pictures of the result, each within the bounds.
    pub images: Vec<ResultImage>,
    /// What could not be done for it, such as keeping it; for the model and for people.
    pub notes: Vec<String>,
}

/// A result on the disk; digest and size are those of exactly the file's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultArtifact {
    /// Its id: by it the bytes are read by range.
    pub sha256: Sha256Digest,
    /// Bytes of the file.
    pub bytes: u64,
    /// The media type.
    pub media_type: &'static str,
    /// The file.
    pub path: PathBuf,
}

/// A picture of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultImage {
    /// Its media type, as the bytes say.
    pub media_type: String,
    /// Its bytes, decoded from base64 and not looked into.
    pub bytes: Arc<[u8]>,
    /// A name for it: server, tool and number.
    pub name: String,
}

/// What a result is bounded by.
#[derive(Debug, Clone, Copy)]
pub struct BoundContext<'a> {
    /// The id of the server.
    pub server: &'a str,
    /// The server's own name of the tool, `resource-URI` or `prompt-NAME`.
    pub tool: &'a str,
    /// UTF-16 code units of the preview; less than [`MIN_RESULT_CHARS`](crate::limits::MIN_RESULT_CHARS) counts as
    /// that.
    pub max_chars: usize,
    /// Where whole results are kept, where they are.
    pub artifacts: Option<&'a ResultArtifacts>,
    /// The values that must appear nowhere.
    pub redactor: &'a Redactor,
}

/// Admits a result, hashes it, and makes what the model reads.
///
/// The whole result is kept where something of it is not in the preview or not text. Where it cannot be kept and
/// something is not shown, the result says so in a note and is answered all the same. Errors, all after sending: those of [`admit`].
pub fn bound(value: &Value, context: &BoundContext<'_>) -> Result<BoundedResult, McpError> {
    admit(value).map_err(McpError::after_sending)?;
    let whole = Whole::of(value).map_err(McpError::after_sending)?;
    let projection = project::project(value, &whole, context);
    let (preview, cut) = preview::preview(&projection.pieces, context.max_chars);
    let mut result = BoundedResult {
        preview,
        truncated: cut,
        is_error: value.get("isError") == Some(&Value::Bool(true)),
        sha256: whole.canonical.digest(),
        bytes: whole.canonical.as_str().len() as u64,
        chars: whole.canonical.as_str().chars().count() as u64,
        artifact: None,
        images: projection.images,
        notes: Vec::new(),
    };
    if cut || projection.not_text || projection.hides {
        let kept = context
            .artifacts
            .map_or(Err("artifacts are off"), |artifacts| {
                let text = context.redactor.redact_values(whole.text());
                artifacts.put(&text).map_err(|error| error.code.as_str())
            });
        match kept {
            Ok(artifact) => result.artifact = Some(artifact),
            Err(reason) if cut || projection.hides => result.notes.push(format!(
                "the whole result is not kept ({reason}); what is not shown here is lost"
            )),
            // Nothing is missing in what is shown.
            Err(_) => {}
        }
    }
    Ok(result)
}

/// A result as text: canonical, and exact where canonical numbers are rounded.
struct Whole<'a> {
    canonical: Canonical,
    /// Where the value of each member stands in the canonical text; nothing where the result is no object.
    members: MemberPlaces<'a>,
    /// The text with its exact integers, where the canonical one rounds some.
    exact: Option<String>,
}

impl<'a> Whole<'a> {
    fn of(value: &'a Value) -> Result<Self, McpError> {
        let invalid =
            |error: CanonicalError| McpError::new(codes::MCP_MESSAGE_INVALID, error.to_string());
        let (canonical, members) = match value {
            Value::Object(members) => Canonical::of_map(members).map_err(invalid)?,
            other => (Canonical::of_value(other).map_err(invalid)?, Vec::new()),
        };
        let exact = (canonical.inexact_integers() > 0).then(|| value.to_string());
        Ok(Self {
            canonical,
            members,
            exact,
        })
    }

    /// Returns the text without a loss.
    fn text(&self) -> &str {
        self.exact.as_deref().unwrap_or(self.canonical.as_str())
    }

    /// Returns the canonical text of a member.
    fn member(&self, name: &str) -> Option<&str> {
        let (_, range) = self.members.iter().find(|(key, _)| *key == name)?;
        self.canonical.as_str().get(range.clone())
    }
}

#[cfg(test)]
mod tests;
