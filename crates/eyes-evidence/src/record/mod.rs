//! Evidence: what a reader reported about one image, valid by construction.
//!
//! The shapes are those of `schemas/visual-evidence.schema.json`. Every field type checks its own rule, so
//! a value of [`BaseEvidence`] or [`TargetEvidence`] always satisfies the schema.

mod entry;
mod list;
mod object;
mod scalar;

pub use entry::{
    BaseEvidence, Evidence, EvidenceKind, InvalidEvidence, ObjectEntry, ObservationEntry, OcrEntry,
    RegionEntry, TargetEvidence,
};
pub use list::{Bounded, TooMany, UniqueTexts};
pub use scalar::{Confidence, NonEmptyText, RegionId, ScalarError};
