//! The texts of one reading, looked for in another reading of the same picture.

mod fold;
mod place;

use std::collections::BTreeMap;

use eyes_evidence::{
    provenance::{EntryCheck, UncheckedReason},
    record::{NonEmptyText, OcrEntry},
};
use fold::{Budget, Folded};
use place::Places;

use crate::limits::{
    MAX_CHECK_TEXT_CHARS, MAX_COMPARISON_WORK, MAX_LINES_IN_BOX, MIN_MISPLACED_CHARS,
};

/// Whether two texts may differ a little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slips {
    /// Not at all.
    None,
    /// As far as a recogniser of print is off.
    OfRecognition,
}

/// What the reader of the second reading can do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// How far its texts may be off.
    pub(super) slips: Slips,
    /// Whether it knows a letter.
    pub(super) covers: fn(char) -> bool,
    /// Below this confidence a text that differs proves nothing.
    pub(super) min_confidence: f64,
    /// Least height of a box, as a share of the picture's.
    pub(super) min_height: f64,
}

/// The verdicts on the claimed texts, in their order, and the seen texts that no claim is about.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    pub(super) entries: Vec<EntryCheck>,
    pub(super) unclaimed: Vec<&'a OcrEntry>,
}

/// Looks for each claimed text among the seen ones: in its box first, then elsewhere.
pub(super) fn compare<'a>(
    claimed: &[OcrEntry],
    seen: &'a [OcrEntry],
    rules: Rules,
) -> Comparison<'a> {
    let folded: Vec<Folded> = seen
        .iter()
        .map(|line| Folded::of(line.text.as_str()))
        .collect();
    let mut by_text = BTreeMap::new();
    for (at, text) in folded.iter().enumerate() {
        by_text.entry(text.chars.as_slice()).or_insert(at);
    }
    let mut search = Search {
        seen,
        folded: &folded,
        places: Places::of(seen),
        by_text,
        claimed: vec![false; seen.len()],
        rules,
        budget: Budget(MAX_COMPARISON_WORK),
    };
    let entries = claimed.iter().map(|claim| search.verdict(claim)).collect();
    let unclaimed = seen
        .iter()
        .zip(search.claimed)
        .filter_map(|(line, claimed)| (!claimed).then_some(line))
        .collect();
    Comparison { entries, unclaimed }
}

struct Search<'a> {
    seen: &'a [OcrEntry],
    folded: &'a [Folded],
    places: Places,
    by_text: BTreeMap<&'a [char], usize>,
    claimed: Vec<bool>,
    rules: Rules,
    budget: Budget,
}

impl Search<'_> {
    fn verdict(&mut self, claim: &OcrEntry) -> EntryCheck {
        let unchecked = |reason| EntryCheck::Unchecked { reason };
        let text = Folded::of(claim.text.as_str());
        let covers = self.rules.covers;
        if text.chars.iter().any(|&c| c.is_alphabetic() && !covers(c)) {
            return unchecked(UncheckedReason::ScriptNotCovered);
        }
        if claim.bbox.height() < self.rules.min_height {
            return unchecked(UncheckedReason::TooSmall);
        }
        let near = self.places.near(&claim.bbox);
        // In a box around half the page every short text would be found.
        let lines = near.covered.len() + near.around.len();
        if lines > MAX_LINES_IN_BOX || !self.budget.spend(lines + text.len()) {
            return unchecked(UncheckedReason::Limit);
        }
        let here: Vec<usize> = near.covered.iter().chain(&near.around).copied().collect();
        let found = self.stands_in(&text, &near.covered, &here);
        if self.budget.0 == 0 {
            return unchecked(UncheckedReason::Limit);
        }
        for &at in &here {
            self.claimed[at] = true;
        }
        if found {
            return EntryCheck::Agreed;
        }
        let elsewhere = self.by_text.get(text.chars.as_slice()).copied();
        if let Some(at) = elsewhere.filter(|_| text.len() >= MIN_MISPLACED_CHARS) {
            self.claimed[at] = true;
            let bbox = self.seen[at].bbox;
            return EntryCheck::Misplaced { bbox };
        }
        let there = if near.covered.is_empty() {
            &here
        } else {
            &near.covered
        };
        let sure = |at: &usize| self.seen[*at].confidence.get() >= self.rules.min_confidence;
        match self.text_of(there) {
            None => unchecked(UncheckedReason::NothingThere),
            Some(_) if !there.iter().all(sure) => unchecked(UncheckedReason::LowConfidence),
            Some(text) => EntryCheck::Differs { text },
        }
    }

    /// Tells whether a text is one of the lines, a part of one, or made of the covered ones.
    fn stands_in(&mut self, text: &Folded, covered: &[usize], here: &[usize]) -> bool {
        let (budget, slips, lines) = (&mut self.budget, self.rules.slips, self.folded);
        let mut is_in = |line: &Folded| {
            text.is_like(line, slips, budget) || text.is_part_of(line, slips, budget)
        };
        if here.iter().any(|&at| is_in(&lines[at])) {
            return true;
        }
        if covered.len() < 2 {
            return false;
        }
        let mut joined = Folded::default();
        for &at in covered {
            joined.extend(&lines[at]);
        }
        if is_in(&joined) {
            return true;
        }
        // The same lines in another order, as of columns.
        text.len() == joined.len()
            && covered
                .iter()
                .all(|&at| lines[at].is_part_of(text, slips, &mut self.budget))
    }

    fn text_of(&self, lines: &[usize]) -> Option<NonEmptyText> {
        let mut text = String::new();
        for &at in lines {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.seen[at].text.as_str());
        }
        NonEmptyText::new(cut(&text)).ok()
    }
}

/// Cuts a text to what a check keeps of it.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHECK_TEXT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
    }
}

/// Tells whether two answers say the same: equal when folded, or one of them a part of the other.
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    let (a, b) = (Folded::of(a), Folded::of(b));
    let mut budget = Budget(MAX_COMPARISON_WORK);
    [(&a, &b), (&b, &a)]
        .into_iter()
        .any(|(a, b)| a.is_part_of(b, Slips::None, &mut budget))
}

#[cfg(test)]
pub(super) mod tests;
