//! Provenance: a sealed record of what was seen, in which image, by whom and when.

mod checks;
mod key;
mod names;
#[cfg(feature = "schema")]
mod schema;
mod zoom;

pub use checks::{EntryCheck, RecordChecks, TextCheck, UncheckedReason};
pub use key::{CacheKey, CacheSubject};
pub use names::{NameError, RouteName, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use zoom::RecordZoom;

use crate::{
    canonical::{
        Canonical, CanonicalError, StrictJsonError, canonical_digest, parse_strict_within,
    },
    code::{Coded, ErrorCode},
    codes,
    digest::Sha256Digest,
    geometry::NormalizedBbox,
    image::ImageIdentity,
    limits::{MAX_CANONICAL_DEPTH, MAX_RECORD_BYTES},
    parse::audit::ParseAudit,
    record::{BaseEvidence, Evidence, EvidenceKind, NonEmptyText, TargetEvidence},
};

/// The version of the record that this crate writes and reads.
pub const RECORD_VERSION: u64 = 1;

/// The image of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct RecordSource {
    /// What identifies the image.
    #[serde(flatten)]
    pub identity: ImageIdentity,
    /// What the caller calls it, such as a file name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<RouteName>,
}

/// Who looked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VisionRoute {
    /// The provider of the model.
    pub provider: RouteName,
    /// The model.
    pub model: RouteName,
    /// The version of the prompt it was given.
    pub prompt_version: RouteName,
    /// How it was established that the model sees, such as `metadata+active-grid-probe`.
    pub validation: RouteName,
}

/// What was asked, and the answer; a question and a region exist only for a targeted read.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// An overview of the whole image.
    Base(BaseEvidence),
    /// An answer to one question.
    Target {
        /// The question.
        question: NonEmptyText,
        /// The part of the image it is about; nothing means the whole.
        region: Option<NormalizedBbox>,
        /// The answer.
        evidence: TargetEvidence,
    },
}

/// Everything a record is sealed from.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordParts {
    /// When the model answered.
    pub created_at: Timestamp,
    /// The image.
    pub source: RecordSource,
    /// Who looked.
    pub vision: VisionRoute,
    /// The crop that was shown beside the image, where one was.
    pub zoom: Option<RecordZoom>,
    /// What was asked and found.
    pub finding: Finding,
    /// What was done to the model's text.
    pub audit: ParseAudit,
    /// What a second reading says of it, where there was one.
    pub checks: Option<RecordChecks>,
}

/// The record as it stands in a file, without its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    record_version: u64,
    kind: EvidenceKind,
    created_at: Timestamp,
    source: RecordSource,
    vision: VisionRoute,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zoom: Option<RecordZoom>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<NonEmptyText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    region: Option<NormalizedBbox>,
    evidence: Evidence,
    audit: ParseAudit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checks: Option<RecordChecks>,
}

/// A sealed record: its digest is the SHA-256 of its RFC 8785 text without the member `recordSha256`.
///
/// A value exists only if the digest is right, because [`seal`](Self::seal) computes it and
/// [`from_json`](Self::from_json) verifies it; nothing can be changed afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRecord {
    body: Body,
    record_sha256: Sha256Digest,
}

impl EvidenceRecord {
    /// Seals the parts.
    ///
    /// A number in the audit that is not finite, or an image of more than 2^53 bytes, has no canonical form,
    /// and checks belong to the texts of the evidence one by one: `EVIDENCE_RECORD_INVALID`.
    pub fn seal(parts: RecordParts) -> Result<Self, RecordError> {
        let (question, region, evidence) = match parts.finding {
            Finding::Base(evidence) => (None, None, Evidence::Base(evidence)),
            Finding::Target {
                question,
                region,
                evidence,
            } => (Some(question), region, Evidence::Target(evidence)),
        };
        let body = Body {
            record_version: RECORD_VERSION,
            kind: evidence.kind(),
            created_at: parts.created_at,
            source: parts.source,
            vision: parts.vision,
            zoom: parts.zoom,
            question,
            region,
            evidence,
            audit: parts.audit,
            checks: parts.checks,
        };
        body.check()?;
        let record_sha256 = canonical_digest(&body)?;
        Ok(Self {
            body,
            record_sha256,
        })
    }

    /// Reads and verifies a record.
    ///
    /// Over [`MAX_RECORD_BYTES`] is `EVIDENCE_RECORD_LIMIT`, a newer version `EVIDENCE_RECORD_UNSUPPORTED`, a
    /// digest that does not fit `EVIDENCE_RECORD_MISMATCH`, any other fault `EVIDENCE_RECORD_INVALID`.
    pub fn from_json(text: &[u8]) -> Result<Self, RecordError> {
        let limits = crate::canonical::StrictLimits {
            max_bytes: MAX_RECORD_BYTES,
            max_depth: MAX_CANONICAL_DEPTH,
        };
        let mut value = parse_strict_within(text, limits)?.value;
        let members = value
            .as_object_mut()
            .ok_or_else(|| RecordError::invalid("a record is a JSON object"))?;
        match members.get("recordVersion").and_then(Value::as_u64) {
            Some(RECORD_VERSION) => {}
            Some(version) if version > RECORD_VERSION => {
                return Err(RecordError::Newer { version });
            }
            _ => return Err(RecordError::invalid("recordVersion is not 1")),
        }
        let stated = members
            .shift_remove("recordSha256")
            .ok_or_else(|| RecordError::invalid("recordSha256 is missing"))?;
        let stated = Sha256Digest::deserialize(&stated)
            .map_err(|error| RecordError::invalid(error.to_string()))?;
        let body: Body = serde_json::from_value(value)
            .map_err(|error| RecordError::invalid(error.to_string()))?;
        body.check()?;
        // Computed from what was understood: anything that was not would change the digest.
        let computed = canonical_digest(&body)?;
        if stated != computed {
            return Err(RecordError::Mismatch { stated, computed });
        }
        Ok(Self {
            body,
            record_sha256: computed,
        })
    }

    /// Writes the record with its digest as canonical JSON; reading it gives an equal record.
    pub fn to_json(&self) -> Result<String, RecordError> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Sealed<'a> {
            #[serde(flatten)]
            body: &'a Body,
            record_sha256: Sha256Digest,
        }
        let sealed = Sealed {
            body: &self.body,
            record_sha256: self.record_sha256,
        };
        Ok(Canonical::of(&sealed)?.into_string())
    }

    /// Returns the digest over the record; its name in a content-addressed store.
    pub const fn record_sha256(&self) -> Sha256Digest {
        self.record_sha256
    }

    /// Returns which document it holds.
    pub const fn kind(&self) -> EvidenceKind {
        self.body.kind
    }

    /// Returns when the model answered.
    pub const fn created_at(&self) -> &Timestamp {
        &self.body.created_at
    }

    /// Returns the image.
    pub const fn source(&self) -> &RecordSource {
        &self.body.source
    }

    /// Returns who looked.
    pub const fn vision(&self) -> &VisionRoute {
        &self.body.vision
    }

    /// Returns the crop that was shown beside the image, where one was.
    pub const fn zoom(&self) -> Option<&RecordZoom> {
        self.body.zoom.as_ref()
    }

    /// Returns the question of a targeted read.
    pub const fn question(&self) -> Option<&NonEmptyText> {
        self.body.question.as_ref()
    }

    /// Returns the region of a targeted read of a part.
    pub const fn region(&self) -> Option<NormalizedBbox> {
        self.body.region
    }

    /// Returns what was seen.
    pub const fn evidence(&self) -> &Evidence {
        &self.body.evidence
    }

    /// Returns what was done to the model's text.
    pub const fn audit(&self) -> &ParseAudit {
        &self.body.audit
    }

    /// Returns what a second reading says of it.
    pub const fn checks(&self) -> Option<&RecordChecks> {
        self.body.checks.as_ref()
    }

    /// Returns the key under which the same question to the same route finds this record.
    pub fn cache_key(&self) -> CacheKey {
        CacheSubject {
            kind: self.body.kind,
            source_sha256: self.body.source.identity.sha256,
            vision: &self.body.vision,
            question: self.body.question.as_ref(),
            region: self.body.region,
        }
        .key()
    }
}

impl Body {
    fn check(&self) -> Result<(), RecordError> {
        if self.kind != self.evidence.kind() {
            return Err(RecordError::invalid("kind and evidence differ"));
        }
        let size = self.source.identity.size;
        if let Some(zoom) = &self.zoom
            && zoom.rect.clamp_to(size) != Some(zoom.rect)
        {
            return Err(RecordError::invalid("the crop lies outside the image"));
        }
        if let Some(checks) = &self.checks {
            checks.check(&self.evidence)?;
        }
        let fits = match self.kind {
            EvidenceKind::Base => self.question.is_none() && self.region.is_none(),
            EvidenceKind::Target => self.question.is_some(),
        };
        if fits {
            Ok(())
        } else {
            Err(RecordError::invalid(
                "a question belongs to every targeted record and to no other",
            ))
        }
    }
}

/// A record could not be sealed or is not to be trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is longer than [`MAX_RECORD_BYTES`].
    #[error("evidence record has {bytes} bytes, more than {MAX_RECORD_BYTES}")]
    Size {
        /// Length of the text.
        bytes: usize,
    },
    /// The record was written by a newer version of this software.
    #[error("evidence record has version {version}, this software knows {RECORD_VERSION}")]
    Newer {
        /// The version it states.
        version: u64,
    },
    /// The digest does not fit the record: it was changed or damaged.
    #[error("evidence record states digest {stated} but has {computed}")]
    Mismatch {
        /// The digest it states.
        stated: Sha256Digest,
        /// The digest it has.
        computed: Sha256Digest,
    },
    /// The record breaks its contract.
    #[error("evidence record: {0}")]
    Invalid(String),
}

impl RecordError {
    fn invalid(detail: impl Into<String>) -> Self {
        Self::Invalid(detail.into())
    }
}

impl From<CanonicalError> for RecordError {
    fn from(error: CanonicalError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<StrictJsonError> for RecordError {
    fn from(error: StrictJsonError) -> Self {
        match error {
            StrictJsonError::Size { bytes, .. } => Self::Size { bytes },
            other => Self::invalid(other.to_string()),
        }
    }
}

impl Coded for RecordError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Size { .. } => codes::EVIDENCE_RECORD_LIMIT,
            Self::Newer { .. } => codes::EVIDENCE_RECORD_UNSUPPORTED,
            Self::Mismatch { .. } => codes::EVIDENCE_RECORD_MISMATCH,
            Self::Invalid(_) => codes::EVIDENCE_RECORD_INVALID,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
