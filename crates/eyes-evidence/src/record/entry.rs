//! The two evidence documents and their entries.

use serde::{Deserialize, Serialize};

use super::{
    list::{Bounded, UniqueTexts},
    object::object_only,
    scalar::{Confidence, NonEmptyText, RegionId},
};
use crate::{
    code::{Coded, ErrorCode},
    codes,
    geometry::NormalizedBbox,
    limits::{MAX_FACTS, MAX_OBJECTS, MAX_OBSERVATIONS, MAX_OCR_ENTRIES, MAX_REGIONS},
};

/// Which of the two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// An overview of the whole image.
    Base,
    /// An answer to one question.
    Target,
}

impl EvidenceKind {
    /// Returns the `schemaVersion` constant of the document.
    pub const fn schema_version(self) -> &'static str {
        match self {
            Self::Base => "deepseekeyes.evidence.v1",
            Self::Target => "deepseekeyes.target.v1",
        }
    }

    /// Returns `base` or `target`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Target => "target",
        }
    }
}

/// Text read from the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "OcrEntry"))]
pub struct OcrEntry {
    /// The text, as it stands in the picture.
    pub text: NonEmptyText,
    /// Where it stands.
    pub bbox: NormalizedBbox,
    /// How sure the reader is.
    pub confidence: Confidence,
}

/// A part of the image that belongs together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "RegionEntry"))]
pub struct RegionEntry {
    /// Its name inside this document.
    pub id: RegionId,
    /// Where it is.
    pub bbox: NormalizedBbox,
    /// What it is.
    pub description: NonEmptyText,
}

/// A thing in the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "ObjectEntry"))]
pub struct ObjectEntry {
    /// What it is.
    pub name: NonEmptyText,
    /// Where it is.
    pub bbox: NormalizedBbox,
    /// What can be said of it, each once.
    pub attributes: UniqueTexts,
}

/// One fact seen for a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "ObservationEntry"))]
pub struct ObservationEntry {
    /// The fact.
    pub fact: NonEmptyText,
    /// Where it was seen.
    pub bbox: NormalizedBbox,
    /// How sure the reader is.
    pub confidence: Confidence,
}

/// An overview of the whole image (`deepseekeyes.evidence.v1`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "BaseEvidence"))]
pub struct BaseEvidence {
    /// What the image shows, in a few sentences.
    pub summary: NonEmptyText,
    /// Text, in reading order.
    pub ocr: Bounded<OcrEntry, MAX_OCR_ENTRIES>,
    /// Parts of the image.
    pub regions: Bounded<RegionEntry, MAX_REGIONS>,
    /// Things in the image.
    pub objects: Bounded<ObjectEntry, MAX_OBJECTS>,
    /// How parts and things relate.
    pub relations: Bounded<NonEmptyText, MAX_FACTS>,
    /// Numbers with their meaning and unit.
    pub quantitative_facts: Bounded<NonEmptyText, MAX_FACTS>,
    /// What could not be seen or is doubtful.
    pub uncertainties: Bounded<NonEmptyText, MAX_FACTS>,
}

/// An answer to one question about the image (`deepseekeyes.target.v1`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "TargetEvidence"))]
pub struct TargetEvidence {
    /// The answer.
    pub answer: NonEmptyText,
    /// The facts it rests on.
    pub observations: Bounded<ObservationEntry, MAX_OBSERVATIONS>,
    /// Text that belongs to the answer.
    pub ocr: Bounded<OcrEntry, MAX_OCR_ENTRIES>,
    /// What could not be seen or is doubtful.
    pub uncertainties: Bounded<NonEmptyText, MAX_FACTS>,
}

/// Either document; serialises with its `schemaVersion` first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", tag = "schemaVersion", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Evidence"))]
pub enum Evidence {
    /// An overview.
    #[serde(rename = "deepseekeyes.evidence.v1")]
    Base(BaseEvidence),
    /// An answer.
    #[serde(rename = "deepseekeyes.target.v1")]
    Target(TargetEvidence),
}

impl Evidence {
    /// Returns which document it is.
    pub const fn kind(&self) -> EvidenceKind {
        match self {
            Self::Base(_) => EvidenceKind::Base,
            Self::Target(_) => EvidenceKind::Target,
        }
    }
}

impl TargetEvidence {
    /// Moves every box by `place`; an entry whose box has no place is left out and counted.
    #[must_use]
    pub fn map_boxes(
        self,
        place: impl Fn(NormalizedBbox) -> Option<NormalizedBbox>,
    ) -> (Self, usize) {
        let entries = self.observations.len() + self.ocr.len();
        let mut observations = self.observations.into_vec();
        observations.retain_mut(|entry| replace(&mut entry.bbox, &place));
        let mut ocr = self.ocr.into_vec();
        ocr.retain_mut(|entry| replace(&mut entry.bbox, &place));
        let lost = entries - observations.len() - ocr.len();
        let moved = Self {
            answer: self.answer,
            observations: Bounded::truncated(observations).0,
            ocr: Bounded::truncated(ocr).0,
            uncertainties: self.uncertainties,
        };
        (moved, lost)
    }
}

fn replace(
    bbox: &mut NormalizedBbox,
    place: impl Fn(NormalizedBbox) -> Option<NormalizedBbox>,
) -> bool {
    let placed = place(*bbox);
    *bbox = placed.unwrap_or(*bbox);
    placed.is_some()
}

object_only!(OcrEntry, RegionEntry, ObjectEntry, ObservationEntry);
object_only!(BaseEvidence, TargetEvidence, Evidence);

/// A document breaks the contract.
#[derive(Debug, thiserror::Error)]
#[error("not valid visual evidence: {0}")]
pub struct InvalidEvidence(#[source] serde_json::Error);

impl Coded for InvalidEvidence {
    fn code(&self) -> ErrorCode {
        codes::INVALID_VISION_EVIDENCE
    }
}

impl Evidence {
    /// Reads a document that already follows the contract; nothing is repaired.
    ///
    /// Error: `INVALID_VISION_EVIDENCE`. Text that a model wrote goes through
    /// [`parse_evidence`](crate::parse::parse_evidence) instead.
    pub fn from_json(text: &str) -> Result<Self, InvalidEvidence> {
        serde_json::from_str(text).map_err(InvalidEvidence)
    }
}
