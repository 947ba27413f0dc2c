//! The grounding check: what a remote model claims to read, compared with what the local eyes read there.
//!
//! It costs no model call. It proves nothing about what the local eyes cannot read, and says so.

use eyes_evidence::{
    geometry::PixelSize,
    provenance::{EntryCheck, RouteName, TextCheck},
    record::{Bounded, Confidence, NonEmptyText, OcrEntry},
};

use super::compare::{Rules, Slips, compare, cut};
use crate::limits::{MAX_CHECK_UNCERTAINTIES, MIN_GROUNDING_CONFIDENCE, MIN_GROUNDING_HEIGHT};

/// Who made the second reading, as a check names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// The provider.
    pub provider: RouteName,
    /// The model.
    pub model: RouteName,
}

/// Compares the texts that a model claims with those that the local eyes read in the same picture.
///
/// A claim may cover several local lines or be a part of one. Texts are compared after NFKC without white
/// space, with some slips of recognition but none in numbers. `size` is that of the picture.
pub fn grounding(
    claimed: &[OcrEntry],
    local: &[OcrEntry],
    size: PixelSize,
    by: Reader,
) -> TextCheck {
    let rules = Rules {
        slips: Slips::OfRecognition,
        covers: local_eyes_read,
        min_confidence: MIN_GROUNDING_CONFIDENCE,
        min_height: MIN_GROUNDING_HEIGHT / f64::from(size.height.max(1)),
    };
    let comparison = compare(claimed, local, rules);
    let (entries, _) = Bounded::truncated(comparison.entries);
    scored(TextCheck {
        provider: by.provider,
        model: by.model,
        score: None,
        entries,
        answer: None,
        unclaimed: comparison.unclaimed.into_iter().cloned().collect(),
    })
}

/// Puts in the share of what agrees.
pub(super) fn scored(check: TextCheck) -> TextCheck {
    let (agreed, checked) = check.counts();
    let score = Confidence::new(agreed as f64 / checked as f64).ok();
    TextCheck {
        score: score.filter(|_| checked > 0),
        ..check
    }
}

/// Tells whether the local eyes know the script of a letter: Latin, Greek, Han.
fn local_eyes_read(c: char) -> bool {
    matches!(c,
        '\0'..='\u{24f}'
        | '\u{370}'..='\u{3ff}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2e80}'..='\u{303f}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}')
}

/// Says in words where two readings disagree; at most [`MAX_CHECK_UNCERTAINTIES`], and how many more there are.
///
/// `claimed` is what `check` was made of.
pub fn disagreements(claimed: &[OcrEntry], check: &TextCheck) -> Vec<NonEmptyText> {
    let by = format!("{}/{}", check.provider, check.model);
    let mut all = claimed.iter().zip(&check.entries).filter_map(|(claim, verdict)| {
        let text = cut(claim.text.as_str());
        match verdict {
            EntryCheck::Differs { text: other } => {
                Some(format!("Text {text:?}: {by} reads {:?} there.", other.as_str()))
            }
            EntryCheck::Misplaced { bbox } => {
                let [x, y, w, h]: [f64; 4] = (*bbox).into();
                Some(format!(
                    "Text {text:?}: {by} reads it elsewhere, at [{x:.4}, {y:.4}, {w:.4}, {h:.4}]."
                ))
            }
            EntryCheck::Agreed | EntryCheck::Unchecked { .. } => None,
        }
    });
    let mut said: Vec<String> = all.by_ref().take(MAX_CHECK_UNCERTAINTIES).collect();
    let more = all.count();
    if more > 0 {
        said.push(format!("{more} more texts are read differently by {by}."));
    }
    texts(said)
}

/// Takes what is short and not empty.
pub(super) fn texts(said: Vec<String>) -> Vec<NonEmptyText> {
    said.into_iter()
        .filter_map(|text| NonEmptyText::new(text).ok())
        .collect()
}

#[cfg(test)]
pub(super) mod tests;
