//! The entries of a document that have a place in the picture.

use eyes_evidence::{
    geometry::NormalizedBbox,
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
}

impl Mark<'_> {
    pub(super) fn is_doubtful(&self) -> bool {
        self.confidence.is_some_and(|c| c.get() < DOUBT_BELOW)
    }

    /// Returns what tells the entry from every other one of the page.
    pub(super) fn id(&self, section: usize) -> String {
        format!("{section}-{}-{}", self.kind.class(), self.number)
    }
}

/// Lists the entries, each list in its own order.
pub(super) fn marks(evidence: &Evidence) -> Vec<Mark<'_>> {
    match evidence {
        Evidence::Base(base) => {
            let objects = base.objects.iter().enumerate().map(|(at, object)| Mark {
                more: object.attributes.iter().map(NonEmptyText::as_str).collect(),
                ..mark(Kind::Object, at, object.bbox, &object.name)
            });
            let regions = base.regions.iter().enumerate().map(|(at, region)| Mark {
                more: vec![region.id.as_str()],
                ..mark(Kind::Region, at, region.bbox, &region.description)
            });
            texts(&base.ocr).chain(objects).chain(regions).collect()
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
            observations.chain(texts(&target.ocr)).collect()
        }
    }
}

fn texts(entries: &[OcrEntry]) -> impl Iterator<Item = Mark<'_>> {
    entries.iter().enumerate().map(|(at, entry)| Mark {
        confidence: Some(entry.confidence),
        ..mark(Kind::Text, at, entry.bbox, &entry.text)
    })
}

fn mark(kind: Kind, at: usize, bbox: NormalizedBbox, text: &NonEmptyText) -> Mark<'_> {
    Mark {
        kind,
        number: at + 1,
        bbox,
        text: text.as_str(),
        more: Vec::new(),
        confidence: None,
    }
}
