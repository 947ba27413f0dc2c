//! The entries of a document that have a place in the picture.

use eyes_evidence::{
    geometry::NormalizedBbox,
    provenance::{EntryCheck, EvidenceRecord, TextCheck},
    record::{Confidence, Evidence, NonEmptyText, OcrEntry},
};

use crate::limits::DOUBT_BELOW;

/// What an entry is; decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Observation,
    Text,
    Object,
    Region,
}

impl Kind {
    /// In the order of the page.
    pub(super) const ALL: [Self; 4] = [Self::Observation, Self::Text, Self::Object, Self::Region];

    /// Returns the class in the style sheet.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::Text => "text",
            Self::Object => "object",
            Self::Region => "region",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Observation => "Observations",
            Self::Text => "Text in reading order",
            Self::Object => "Objects",
            Self::Region => "Regions",
        }
    }
}

/// One entry with its box.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark<'a> {
    pub(super) kind: Kind,
    /// Its place in its list, from 1.
    pub(super) number: usize,
    pub(super) bbox: NormalizedBbox,
    pub(super) text: &'a str,
    /// Attributes of an object, the name of a region.
    pub(super) more: Vec<&'a str>,
    pub(super) confidence: Option<Confidence>,
    /// What second readings say against it.
    pub(super) disputes: Vec<String>,
}

impl Mark<'_> {
    pub(super) fn is_doubtful(&self) -> bool {
        self.confidence.is_some_and(|c| c.get() < DOUBT_BELOW) || !self.disputes.is_empty()
    }

    /// Returns what tells the entry from every other one of the page.
    pub(super) fn id(&self, section: usize) -> String {
        format!("{section}-{}-{}", self.kind.class(), self.number)
    }
}

/// Lists the entries, each list in its own order.
pub(super) fn marks(record: &EvidenceRecord) -> Vec<Mark<'_>> {
    match record.evidence() {
        Evidence::Base(base) => {
            let objects = base.objects.iter().enumerate().map(|(at, object)| Mark {
                more: object.attributes.iter().map(NonEmptyText::as_str).collect(),
                ..mark(Kind::Object, at, object.bbox, &object.name)
            });
            let regions = base.regions.iter().enumerate().map(|(at, region)| Mark {
                more: vec![region.id.as_str()],
                ..mark(Kind::Region, at, region.bbox, &region.description)
            });
            texts(&base.ocr, record)
                .chain(objects)
                .chain(regions)
                .collect()
        }
        Evidence::Target(target) => {
            let observations = target
                .observations
                .iter()
                .enumerate()
                .map(|(at, seen)| Mark {
                    confidence: Some(seen.confidence),
                    ..mark(Kind::Observation, at, seen.bbox, &seen.fact)
                });
            observations.chain(texts(&target.ocr, record)).collect()
        }
    }
}

fn texts<'a>(
    entries: &'a [OcrEntry],
    record: &'a EvidenceRecord,
) -> impl Iterator<Item = Mark<'a>> {
    let checks = record.checks();
    entries.iter().enumerate().map(move |(at, entry)| {
        let checks = checks
            .into_iter()
            .flat_map(|checks| checks.grounding.iter().chain(&checks.consensus));
        Mark {
            confidence: Some(entry.confidence),
            disputes: checks.filter_map(|check| dispute(check, at)).collect(),
            ..mark(Kind::Text, at, entry.bbox, &entry.text)
        }
    })
}

/// Says what a second reading has against a text.
fn dispute(check: &TextCheck, at: usize) -> Option<String> {
    let reader = format!("{}/{}", check.provider, check.model);
    match check.entries.get(at)? {
        EntryCheck::Differs { text } => Some(format!("{reader} reads: {text}")),
        EntryCheck::Misplaced { .. } => Some(format!("{reader} reads this elsewhere")),
        EntryCheck::Agreed | EntryCheck::Unchecked { .. } => None,
    }
}

fn mark(kind: Kind, at: usize, bbox: NormalizedBbox, text: &NonEmptyText) -> Mark<'_> {
    Mark {
        kind,
        number: at + 1,
        bbox,
        text: text.as_str(),
        more: Vec::new(),
        confidence: None,
        disputes: Vec::new(),
    }
}
