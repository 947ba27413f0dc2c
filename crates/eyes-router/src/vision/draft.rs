//! An answer that was understood and is not yet sealed.

use eyes_evidence::{
    limits::{MAX_FACTS, MAX_TEXT_CHARS},
    parse::{Parsed, audit::ParseAudit},
    record::{Bounded, Evidence, NonEmptyText},
};

/// Evidence before it is sealed: the place where further checks leave what they found.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The document.
    pub evidence: Evidence,
    /// What was done to the model's text.
    pub audit: ParseAudit,
}

impl Draft {
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

impl From<Parsed> for Draft {
    fn from(parsed: Parsed) -> Self {
        Self {
            evidence: parsed.evidence,
            audit: parsed.audit,
        }
    }
}
