//! An answer that was understood and is not yet sealed.

use eyes_evidence::{
    limits::{MAX_FACTS, MAX_TEXT_CHARS},
    parse::{Parsed, audit::ParseAudit},
    provenance::{RecordChecks, RouteName},
    record::{Bounded, Evidence, NonEmptyText, OcrEntry},
};

use super::grounding::Reader;
use crate::route::Route;

/// Evidence before it is sealed: the place where further checks leave what they found.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The document.
    pub evidence: Evidence,
    /// What was done to the model's text.
    pub audit: ParseAudit,
    /// Which route answered.
    pub route: Route,
    /// What checks found; sealed with the record where there is anything.
    pub checks: RecordChecks,
}

impl Draft {
    /// Takes an answer of `route` that was understood.
    pub fn new(route: &Route, parsed: Parsed) -> Self {
        Self {
            evidence: parsed.evidence,
            audit: parsed.audit,
            route: route.clone(),
            checks: RecordChecks::default(),
        }
    }

    /// Returns the texts that were read.
    pub fn texts(&self) -> &[OcrEntry] {
        match &self.evidence {
            Evidence::Base(base) => &base.ocr,
            Evidence::Target(target) => &target.ocr,
        }
    }

    /// Returns who read this, as a check names it; nothing for names that no record takes.
    pub(super) fn reader(&self) -> Option<Reader> {
        Self::reader_of(&self.route)
    }

    pub(super) fn reader_of(route: &Route) -> Option<Reader> {
        Some(Reader {
            provider: RouteName::new(route.provider()).ok()?,
            model: RouteName::new(route.model()).ok()?,
        })
    }

    /// Adds a doubt to the document, once.
    ///
    /// In a list that is full it takes the place of the last one: a check's finding outweighs the model's own
    /// two-thousandth.
    pub fn add_uncertainty(&mut self, doubt: &str) {
        let end = doubt
            .char_indices()
            .nth(MAX_TEXT_CHARS)
            .map_or(doubt.len(), |(end, _)| end);
        let Ok(doubt) = NonEmptyText::new(&doubt[..end]) else {
            return;
        };
        let list = match &mut self.evidence {
            Evidence::Base(base) => &mut base.uncertainties,
            Evidence::Target(target) => &mut target.uncertainties,
        };
        if list.contains(&doubt) {
            return;
        }
        let mut doubts = std::mem::take(list).into_vec();
        doubts.truncate(MAX_FACTS - 1);
        doubts.push(doubt);
        *list = Bounded::truncated(doubts).0;
    }
}
