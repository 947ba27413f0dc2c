//! The documents that answer a request.

use eyes_evidence::{
    geometry::NormalizedBbox,
    limits::MAX_FACTS,
    raster::Rgb8,
    record::{Bounded, Evidence, NonEmptyText},
};
use eyes_router::error::ProviderError;
use serde_json::json;

use super::internal;
use crate::{
    analysis::{answer, base_evidence},
    engine::Reading,
    limits::MAX_NAMED_DOUBTS,
};

/// Makes the overview.
pub(super) fn base(image: &Rgb8, reading: &Reading) -> Result<String, ProviderError> {
    let mut evidence = base_evidence(image, &reading.lines);
    evidence.uncertainties = with_doubts(evidence.uncertainties, reading);
    write(&Evidence::Base(evidence))
}

/// Makes the answer to a question.
pub(super) fn target(
    image: &Rgb8,
    reading: &Reading,
    question: &str,
    region: Option<NormalizedBbox>,
) -> Result<String, ProviderError> {
    let mut evidence = answer(image, &reading.lines, question, region);
    evidence.uncertainties = with_doubts(evidence.uncertainties, reading);
    write(&Evidence::Target(evidence))
}

/// Makes the answer to the pixel probe; an image that is no grid of solid colours gets no names.
pub(super) fn probe(cells: Option<[&str; 9]>) -> String {
    let cells = cells.map_or_else(Vec::new, Vec::from);
    json!({ "cells": cells }).to_string()
}

fn write(evidence: &Evidence) -> Result<String, ProviderError> {
    serde_json::to_string(evidence).map_err(|error| internal(error.to_string()))
}

/// Adds what the reader itself could not see.
fn with_doubts(
    given: Bounded<NonEmptyText, MAX_FACTS>,
    reading: &Reading,
) -> Bounded<NonEmptyText, MAX_FACTS> {
    let mut doubts: Vec<String> = Vec::new();
    let named = reading.unread.iter().take(MAX_NAMED_DOUBTS);
    doubts.extend(named.map(|rect| {
        format!(
            "Something like text at x {}, y {}, {} x {} px could not be read.",
            rect.x, rect.y, rect.width, rect.height
        )
    }));
    let more = reading.unread.len().saturating_sub(MAX_NAMED_DOUBTS);
    if more > 0 {
        doubts.push(format!(
            "{more} further places like text could not be read."
        ));
    }
    if reading.skipped > 0 {
        let skipped = reading.skipped;
        doubts.push(format!(
            "{skipped} lines of text beyond the bound of one image were not read."
        ));
    }
    let mut entries: Vec<NonEmptyText> = doubts.into_iter().flat_map(NonEmptyText::new).collect();
    entries.extend(given.into_vec());
    Bounded::truncated(entries).0
}
