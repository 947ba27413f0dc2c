//! How well a reading fits what stands in the image.

use std::collections::BTreeMap;

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelRect},
    raster::Rgb8,
};
use eyes_runtime::eval::{Found, LineScore, Readout, union};

use crate::{measure::Cost, reader::Outcome, suite::SuiteImage};

/// What became of one expected string, with its class.
pub(crate) struct ClassedLine {
    /// Font size in CSS pixels.
    pub(crate) px: u32,
    pub(crate) scale: u32,
    pub(crate) line: LineScore,
    /// Overlap with the ink, for strings that were found.
    pub(crate) iou_ink: Option<f64>,
}

/// The score of one image.
pub(crate) struct Score {
    pub(crate) lines: Vec<ClassedLine>,
    pub(crate) cost: Cost,
    pub(crate) read_ms: Option<f64>,
}

pub(crate) fn score(image: &SuiteImage, outcome: &Outcome) -> Score {
    let found = |entries: &[crate::reader::Found]| {
        let found = |entry: &crate::reader::Found| Found {
            text: entry.text.clone(),
            rect: entry.rect,
        };
        entries.iter().map(found).collect()
    };
    let size = image.raster.size();
    let reading = &outcome.reading;
    let readout = Readout::new(size, found(&reading.entries), found(&reading.words));
    let lines = image.lines.iter().map(|truth| {
        let line = readout.score(truth);
        let place = truth.bbox.to_pixels(size);
        let overlap = |rect: PixelRect| {
            let share = |rect| NormalizedBbox::from_pixels(rect, size);
            Some(share(rect)?.iou(&share(ink(&image.raster, place)?)?))
        };
        ClassedLine {
            px: truth.px.round() as u32,
            scale: image.scale,
            iou_ink: line.rect.and_then(overlap),
            line,
        }
    });
    Score {
        lines: lines.collect(),
        cost: outcome.cost,
        read_ms: reading.read_ms,
    }
}

/// The smallest rectangle around what differs from the prevailing colour of `place`.
fn ink(raster: &Rgb8, place: PixelRect) -> Option<PixelRect> {
    /// A third of full contrast in one channel: above the blur of antialiasing.
    const DIFFERENT: u8 = 64;
    let cut = raster.crop(place)?;
    let mut counts = BTreeMap::<[u8; 3], u32>::new();
    let pixels: Vec<[u8; 3]> = cut
        .pixels()
        .chunks_exact(3)
        .map(|p| [p[0], p[1], p[2]])
        .collect();
    for pixel in &pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let (paper, _) = counts.into_iter().max_by_key(|(_, n)| *n)?;
    let width = cut.size().width as usize;
    let mut bounds: Option<PixelRect> = None;
    for (at, pixel) in pixels.iter().enumerate() {
        if pixel
            .iter()
            .zip(paper)
            .any(|(a, b)| a.abs_diff(b) > DIFFERENT)
        {
            let dot = PixelRect {
                x: place.x + (at % width) as u32,
                y: place.y + (at / width) as u32,
                width: 1,
                height: 1,
            };
            bounds = Some(bounds.map_or(dot, |b| union(b, dot)));
        }
    }
    bounds
}
