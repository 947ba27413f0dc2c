//! The colours of a picture by their share of its pixels.

use eyes_evidence::raster::Rgb8;

use super::colour::{Colour, row_colours};
use crate::limits::{
    MAX_PALETTE, MAX_PALETTE_CANDIDATES, MIN_PALETTE_SHARE, PALETTE_MERGE, PALETTE_PROBES,
    PALETTE_SLOTS,
};

/// One colour and how much of the picture has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swatch {
    /// The most frequent of the merged colours.
    pub colour: Colour,
    /// Share of all pixels, 0..=1.
    pub share: f64,
}

/// Whether the picture is mainly light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// The prevailing colour is light.
    Light,
    /// The prevailing colour is dark.
    Dark,
}

impl Theme {
    /// Returns `light` or `dark`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Middle grey (#777777 or so) divides the two.
    pub(super) fn of(background: Colour) -> Self {
        if background.luminance() < 0.18 {
            Self::Dark
        } else {
            Self::Light
        }
    }
}

/// Counts colours in a table of fixed size; what finds no slot is left out of the palette, which
/// happens only in pictures with tens of thousands of colours, none of them prevailing.
struct Histogram {
    keys: Vec<u32>,
    counts: Vec<u32>,
}

impl Histogram {
    const EMPTY: u32 = u32::MAX;

    fn new() -> Self {
        Self {
            keys: vec![Self::EMPTY; PALETTE_SLOTS],
            counts: vec![0; PALETTE_SLOTS],
        }
    }

    fn add(&mut self, colour: Colour, count: u32) {
        let [r, g, b] = colour.0;
        let key = u32::from_be_bytes([0, r, g, b]);
        // Fibonacci hashing: the high bits of the product spread neighbouring colours.
        let start = (key.wrapping_mul(0x9E37_79B1) >> 8) as usize;
        for probe in 0..PALETTE_PROBES {
            let slot = (start + probe) % PALETTE_SLOTS;
            if self.keys[slot] == key || self.keys[slot] == Self::EMPTY {
                self.keys[slot] = key;
                self.counts[slot] = self.counts[slot].saturating_add(count);
                return;
            }
        }
    }

    /// Colours by falling count, equal counts by colour.
    fn into_sorted(self) -> Vec<(u32, Colour)> {
        let mut entries: Vec<(u32, Colour)> = self
            .keys
            .iter()
            .zip(&self.counts)
            .filter(|&(&key, _)| key != Self::EMPTY)
            .map(|(&key, &count)| {
                let [_, r, g, b] = key.to_be_bytes();
                (count, Colour([r, g, b]))
            })
            .collect();
        entries.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        entries
    }
}

/// Returns the prevailing colours by falling share; at least one.
pub(super) fn palette(image: &Rgb8) -> Vec<Swatch> {
    let mut histogram = Histogram::new();
    for y in 0..image.size().height {
        let mut run: Option<(Colour, u32)> = None;
        for colour in row_colours(image.row(y)) {
            match &mut run {
                Some((same, length)) if *same == colour => *length += 1,
                _ => {
                    if let Some((done, length)) = run {
                        histogram.add(done, length);
                    }
                    run = Some((colour, 1));
                }
            }
        }
        if let Some((done, length)) = run {
            histogram.add(done, length);
        }
    }
    merge(&histogram.into_sorted(), image)
}

/// Merges neighbouring colours into the more frequent one.
fn merge(entries: &[(u32, Colour)], image: &Rgb8) -> Vec<Swatch> {
    let total = f64::from(image.size().width) * f64::from(image.size().height);
    let mut merged: Vec<(u64, Colour)> = Vec::new();
    for &(count, colour) in entries.iter().take(MAX_PALETTE_CANDIDATES) {
        let close = merged
            .iter()
            .position(|(_, kept)| kept.distance(colour) <= PALETTE_MERGE);
        match close {
            Some(at) => merged[at].0 += u64::from(count),
            None if merged.len() < MAX_PALETTE * 4 => merged.push((u64::from(count), colour)),
            None => {}
        }
    }
    merged.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut swatches: Vec<Swatch> = merged
        .into_iter()
        .map(|(count, colour)| Swatch {
            colour,
            share: count as f64 / total,
        })
        .collect();
    let kept = swatches
        .iter()
        .take(MAX_PALETTE)
        .take_while(|s| s.share >= MIN_PALETTE_SHARE)
        .count();
    swatches.truncate(kept.max(1));
    swatches
}
