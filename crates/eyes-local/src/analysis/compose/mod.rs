//! The structure of a picture in the words of the evidence contract.

mod doubt;
mod fact;
mod object;
mod quantity;
mod region;
mod summary;
mod wording;

pub(super) use doubt::{NO_MODEL, text_doubts};
use eyes_evidence::{
    limits::MAX_TEXT_CHARS,
    raster::Rgb8,
    record::{BaseEvidence, Bounded, NonEmptyText, OcrEntry},
};
pub(super) use object::{control_name, state_words};
pub(super) use summary::{is_alert, title};
pub(super) use wording::{bbox, confidence, quote, share, text};

use super::{Layout, analyze};
use crate::{limits::MAX_RECORD_RELATIONS, text::TextLine};

/// Describes a picture and the text read from it; the same input gives the same record.
///
/// All text is reported up to the contract's bound. Of regions, objects, relations and facts the most
/// telling ones are, up to the bounds in [`crate::limits`]; `uncertainties` says how many were left out.
pub fn base_evidence(image: &Rgb8, lines: &[TextLine]) -> BaseEvidence {
    let layout = analyze(image, lines);
    record(&layout, lines)
}

pub(super) fn record(layout: &Layout, lines: &[TextLine]) -> BaseEvidence {
    let mut left_out = LeftOut::default();
    let (ocr, more_text) = Bounded::truncated(ocr(layout, lines, &layout.order));
    left_out.note("lines of text", more_text);
    let regions = region::regions(layout, lines, &mut left_out);
    let objects = object::objects(layout, lines, &mut left_out);
    let relations = fact::relations(layout, lines);
    let relations = left_out.cut("relations", relations, MAX_RECORD_RELATIONS);
    let facts = fact::facts(layout, lines, &mut left_out);
    let uncertainties = doubt::doubts(layout, lines, &left_out);
    BaseEvidence {
        summary: text(&summary::summary(layout, lines)),
        ocr,
        regions: Bounded::truncated(regions).0,
        objects: Bounded::truncated(objects).0,
        relations: Bounded::truncated(texts(&relations)).0,
        quantitative_facts: Bounded::truncated(texts(&facts)).0,
        uncertainties: Bounded::truncated(texts(&uncertainties)).0,
    }
}

fn texts(strings: &[String]) -> Vec<NonEmptyText> {
    strings.iter().map(|s| text(s)).collect()
}

/// Returns entries for the lines `which`; a text beyond the contract's length becomes several entries.
pub(super) fn ocr(layout: &Layout, lines: &[TextLine], which: &[usize]) -> Vec<OcrEntry> {
    let mut out = Vec::new();
    for line in which.iter().map(|&at| &lines[at]) {
        let chars: Vec<char> = line.text.trim().chars().collect();
        for part in chars.chunks(MAX_TEXT_CHARS) {
            out.push(OcrEntry {
                text: text(&part.iter().collect::<String>()),
                bbox: bbox(line.rect, layout.size),
                confidence: confidence(line.confidence),
            });
        }
    }
    out
}

/// How many entries of which kind were left out of a record.
#[derive(Debug, Default)]
pub(super) struct LeftOut(Vec<(&'static str, usize)>);

impl LeftOut {
    fn note(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            self.0.push((what, count));
        }
    }

    /// Keeps the first `most` entries and notes the rest.
    fn cut<T>(&mut self, what: &'static str, mut entries: Vec<T>, most: usize) -> Vec<T> {
        self.note(what, entries.len().saturating_sub(most));
        entries.truncate(most);
        entries
    }
}
