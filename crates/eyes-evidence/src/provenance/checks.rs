//! Checks of a record: what a second reading of the same image says of its texts.

use serde::{Deserialize, Serialize};

use super::{RecordError, RouteName};
use crate::{
    geometry::NormalizedBbox,
    limits::MAX_OCR_ENTRIES,
    record::{Bounded, Confidence, Evidence, NonEmptyText, OcrEntry},
    state::Counted,
};

/// The checks that were made; at least one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("minProperties" = 1)))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordChecks {
    /// Compared with what the local eyes read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grounding: Option<TextCheck>,
    /// Compared with what another model read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consensus: Option<TextCheck>,
}

/// The texts of a record, compared one by one with those of a second reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextCheck {
    /// The provider of the second reading.
    pub provider: RouteName,
    /// Its model.
    pub model: RouteName,
    /// Share of the checked texts that agree; absent when none could be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Confidence>,
    /// What became of each text, in the order of the record.
    pub entries: Bounded<EntryCheck, MAX_OCR_ENTRIES>,
    /// What became of the answer, where both readings answer a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<EntryCheck>,
    /// Texts that only the second reading has.
    pub unclaimed: Counted<OcrEntry>,
}

/// What became of one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EntryCheck {
    /// The second reading has it there as well.
    Agreed,
    /// The second reading has another text there.
    Differs {
        /// That text, cut.
        text: NonEmptyText,
    },
    /// The second reading has it elsewhere.
    Misplaced {
        /// Where.
        bbox: NormalizedBbox,
    },
    /// Nothing can be said.
    Unchecked {
        /// Why.
        reason: UncheckedReason,
    },
}

/// Why a text could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UncheckedReason {
    /// The second reading has nothing there, nor this text elsewhere.
    NothingThere,
    /// The box is too small for the second reader.
    TooSmall,
    /// The second reader is not sure of what it read there.
    LowConfidence,
    /// The second reader does not know the script.
    ScriptNotCovered,
    /// Comparing it would have taken too long.
    Limit,
}

impl RecordChecks {
    /// Refuses checks that are not about these texts.
    pub(super) fn check(&self, evidence: &Evidence) -> Result<(), RecordError> {
        let texts = match evidence {
            Evidence::Base(base) => base.ocr.len(),
            Evidence::Target(target) => target.ocr.len(),
        };
        let all = || self.grounding.iter().chain(&self.consensus);
        if all().next().is_none() {
            return Err(RecordError::invalid("checks without a check"));
        }
        if all().any(|check| check.entries.len() != texts) {
            return Err(RecordError::invalid(
                "a check has one verdict for each text",
            ));
        }
        Ok(())
    }
}

impl TextCheck {
    /// Counts the texts, and the answer, that agree and that were checked at all.
    pub fn counts(&self) -> (usize, usize) {
        let all = || self.entries.iter().chain(&self.answer);
        let agreed = all().filter(|entry| **entry == EntryCheck::Agreed).count();
        let unchecked = all()
            .filter(|entry| matches!(entry, EntryCheck::Unchecked { .. }))
            .count();
        (agreed, all().count() - unchecked)
    }
}
