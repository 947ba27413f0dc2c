//! Consensus: what one model reads, compared with what another one reads in the same picture.

use eyes_evidence::{
    provenance::{EntryCheck, TextCheck},
    record::{Bounded, Evidence, NonEmptyText, OcrEntry},
};

use super::{
    compare::{Rules, Slips, are_alike, compare, cut},
    grounding::{Reader, disagreements, scored, texts},
};
use crate::limits::MAX_CHECK_UNCERTAINTIES;

/// Any model may read any script, of any size, and to the letter.
const RULES: Rules = Rules {
    slips: Slips::None,
    covers: |_| true,
    min_confidence: 0.0,
    min_height: 0.0,
};

/// Compares two documents of one kind, text by text and, for a question, answer by answer.
///
/// Returns nothing for documents of different kinds. Summaries, regions, things and relations are told in a
/// model's own words and are not compared.
pub fn consensus(first: &Evidence, second: &Evidence, by: Reader) -> Option<TextCheck> {
    let (texts, others, answer) = match (first, second) {
        (Evidence::Base(first), Evidence::Base(second)) => (&first.ocr, &second.ocr, None),
        (Evidence::Target(first), Evidence::Target(second)) => {
            let answer = answer(&first.answer, &second.answer);
            (&first.ocr, &second.ocr, answer)
        }
        _ => return None,
    };
    let comparison = compare(texts, others, RULES);
    let (entries, _) = Bounded::truncated(comparison.entries);
    Some(scored(TextCheck {
        provider: by.provider,
        model: by.model,
        score: None,
        entries,
        answer,
        unclaimed: comparison.unclaimed.into_iter().cloned().collect(),
    }))
}

fn answer(first: &NonEmptyText, second: &NonEmptyText) -> Option<EntryCheck> {
    if are_alike(first.as_str(), second.as_str()) {
        return Some(EntryCheck::Agreed);
    }
    let text = NonEmptyText::new(cut(second.as_str())).ok()?;
    Some(EntryCheck::Differs { text })
}

/// Says in words where two models disagree: the answer first, then texts, then what only the second one has.
///
/// At most [`MAX_CHECK_UNCERTAINTIES`] of each, and how many more there are. `first` is what `check` was made of.
pub fn dissent(first: &Evidence, check: &TextCheck) -> Vec<NonEmptyText> {
    let by = format!("{}/{}", check.provider, check.model);
    let mut said = Vec::new();
    if let Some(EntryCheck::Differs { text }) = &check.answer {
        said.push(format!("{by} answers: {}", text.as_str()));
    }
    let mut all = texts(said);
    let ocr: &[OcrEntry] = match first {
        Evidence::Base(base) => &base.ocr,
        Evidence::Target(target) => &target.ocr,
    };
    all.extend(disagreements(ocr, check));
    let shown = check.unclaimed.entries.iter().take(MAX_CHECK_UNCERTAINTIES);
    let mut only: Vec<String> = shown
        .map(|entry| format!("Text {:?} is read by {by} only.", cut(entry.text.as_str())))
        .collect();
    let more = check.unclaimed.total.saturating_sub(only.len());
    if more > 0 {
        only.push(format!("{more} more texts are read by {by} only."));
    }
    all.extend(texts(only));
    all
}

#[cfg(test)]
mod tests;
