//! How well a reading fits what stands in the image.

use std::collections::BTreeMap;

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};
use unicode_normalization::UnicodeNormalization;

use crate::{
    measure::Cost,
    reader::{Found, Outcome, union},
    suite::{SuiteImage, TruthLine},
};

/// What became of one expected string.
pub(crate) struct LineScore {
    /// Font size in CSS pixels.
    pub(crate) px: u32,
    pub(crate) scale: u32,
    pub(crate) text: String,
    /// Whether it was found exactly.
    pub(crate) found: bool,
    /// What stands in its place, for the list of misses.
    pub(crate) read: String,
    /// Characters without white space, and how many of them are wrong.
    pub(crate) characters: usize,
    pub(crate) errors: usize,
    /// Overlap with the line box and with the ink, for strings that were found.
    pub(crate) iou_line: Option<f64>,
    pub(crate) iou_ink: Option<f64>,
}

/// The score of one image.
pub(crate) struct Score {
    pub(crate) lines: Vec<LineScore>,
    pub(crate) cost: Cost,
    pub(crate) read_ms: Option<f64>,
}

pub(crate) fn score(image: &SuiteImage, outcome: &Outcome) -> Score {
    Score {
        lines: image
            .lines
            .iter()
            .map(|line| score_line(image, line, outcome))
            .collect(),
        cost: outcome.cost,
        read_ms: outcome.reading.read_ms,
    }
}

fn score_line(image: &SuiteImage, truth: &TruthLine, outcome: &Outcome) -> LineScore {
    let place = truth.bbox.to_pixels(image.raster.size());
    let expected = normalize(&truth.text);
    let mut near: Vec<&Found> = outcome
        .reading
        .entries
        .iter()
        .filter(|e| on_line(e.rect, place))
        .collect();
    near.sort_by_key(|e| e.rect.x);
    let joined = normalize(
        &near
            .iter()
            .map(|e| e.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    );
    let found =
        near.iter().any(|e| normalize(&e.text).contains(&expected)) || joined.contains(&expected);
    let bare = |text: &str| {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<Vec<_>>()
    };
    let (want, have) = (bare(&expected), bare(&joined));
    let rect = if found {
        located(&near, &expected, place, outcome)
    } else {
        None
    };
    LineScore {
        px: truth.px.round() as u32,
        scale: image.scale,
        text: expected,
        found,
        read: joined,
        characters: want.len(),
        errors: substring_distance(&want, &have),
        iou_line: rect.map(|r| iou(r, place)),
        iou_ink: rect.and_then(|r| Some(iou(r, ink(&image.raster, place)?))),
    }
}

/// NFKC, white space collapsed, and none beside a Chinese character: readers differ there by habit.
fn normalize(text: &str) -> String {
    let chars: Vec<char> = text
        .nfkc()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect();
    let chinese =
        |c: &char| matches!(u32::from(*c), 0x3000..=0x303F | 0x3400..=0x9FFF | 0xF900..=0xFAFF);
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let beside = |o: Option<&char>| o.is_none_or(|c| *c == ' ' || chinese(c));
        let last = out.chars().next_back();
        let next = chars[at + 1..].iter().find(|c| **c != ' ');
        if *c != ' ' || !(beside(last.as_ref()) || beside(next)) {
            out.push(*c);
        }
    }
    out
}

/// Whether an entry stands on the line: half of the lower one's height shared, and some width.
fn on_line(entry: PixelRect, line: PixelRect) -> bool {
    let down = entry
        .bottom()
        .min(line.bottom())
        .saturating_sub(entry.y.max(line.y));
    let across = entry
        .right()
        .min(line.right())
        .saturating_sub(entry.x.max(line.x));
    across > 0 && down * 2 >= entry.height.min(line.height)
}

/// The box that the reader gives for the string: its entry, or its words where it is part of one.
fn located(
    near: &[&Found],
    expected: &str,
    place: PixelRect,
    outcome: &Outcome,
) -> Option<PixelRect> {
    if let Some(entry) = near.iter().find(|e| normalize(&e.text) == expected) {
        return Some(entry.rect);
    }
    let inside = |word: &&Found| {
        let x = word.rect.x + word.rect.width / 2;
        on_line(word.rect, place) && (place.x..place.right()).contains(&x)
    };
    let words = outcome.reading.words.iter().filter(inside);
    words.map(|w| w.rect).reduce(union)
}

fn iou(a: PixelRect, b: PixelRect) -> f64 {
    let across = a.right().min(b.right()).saturating_sub(a.x.max(b.x));
    let down = a.bottom().min(b.bottom()).saturating_sub(a.y.max(b.y));
    let area = |w: u32, h: u32| f64::from(w) * f64::from(h);
    let shared = area(across, down);
    shared / (area(a.width, a.height) + area(b.width, b.height) - shared)
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

/// Edits that turn the best matching part of `have` into `want`.
fn substring_distance(want: &[char], have: &[char]) -> usize {
    // The part may begin and end anywhere in `have`: the first row is free, the best end is taken.
    let mut row = vec![0; have.len() + 1];
    for (i, w) in want.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, h) in have.iter().enumerate() {
            let substituted = diagonal + usize::from(w != h);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row.into_iter().min().unwrap_or(want.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_normal_forms() {
        let chars = |t: &str| t.chars().collect::<Vec<_>>();
        for (want, have, errors) in [
            ("abc", "xxabcxx", 0),
            ("abc", "axc", 1),
            ("abc", "", 3),
            ("abc", "ab", 1),
            ("", "abc", 0),
        ] {
            assert_eq!(
                substring_distance(&chars(want), &chars(have)),
                errors,
                "{want} {have}"
            );
        }
        assert_eq!(normalize(" a \u{3000} b "), "a b");
        assert_eq!(normalize("\u{5e93} \u{5b58} 40 x"), "\u{5e93}\u{5b58}40 x");
        assert_eq!(normalize("\u{ff21}\u{ff0c}b"), "A,b");
    }
}
