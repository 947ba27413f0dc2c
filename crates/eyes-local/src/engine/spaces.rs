//! Spaces that the recogniser leaves out: its training text has none around Chinese characters.

use std::ops::Range;

use super::{ink::InkMap, recognise::Glyph};

/// Columns of a space between two Chinese characters, in heights of the ink.
///
/// Characters fill their square but for a tenth; a space is a quarter of it.
const HAN_GAP: f32 = 0.33;
/// Columns of a space between a Chinese character and a letter or digit, in heights of the ink.
const MIXED_GAP: f32 = 0.25;
/// Columns of a space between a digit and a letter, in heights of the ink.
const UNIT_GAP: f32 = 0.3;
/// How many times wider than the line's middle gap a space between a digit and a letter is; in print of
/// fixed width, gaps beside narrow letters are as wide as spaces elsewhere.
const UNIT_RATIO: f32 = 2.5;

/// What a glyph is, as far as spaces beside it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Han,
    Letter,
    Digit,
    Other,
}

impl Kind {
    fn of(glyph: &Glyph) -> Self {
        match glyph.text.chars().next() {
            Some('\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}') => {
                Self::Han
            }
            Some(c) if c.is_ascii_digit() => Self::Digit,
            Some(c) if c.is_alphabetic() => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// Puts a space wherever the paper between two glyphs is as wide as one.
pub(super) fn restore(glyphs: &mut Vec<Glyph>, ink: &InkMap, rows: &Range<u32>) {
    let marks: Vec<f32> = glyphs.iter().map(|glyph| glyph.middle).collect();
    let gaps = ink.gaps(rows, &marks);
    let width = |gap: &Range<u32>| (gap.end - gap.start) as f32;
    let mut sorted: Vec<f32> = gaps.iter().map(width).collect();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted
        .get(sorted.len() / 2)
        .copied()
        .unwrap_or(0.0)
        .max(1.0);
    let height = (rows.end - rows.start) as f32;
    let given = std::mem::take(glyphs);
    let mut before: Option<Kind> = None;
    for (index, glyph) in given.into_iter().enumerate() {
        let kind = Kind::of(&glyph);
        let gap = index.checked_sub(1).and_then(|index| gaps.get(index));
        if let (Some(before), Some(gap)) = (before, gap) {
            let needed = match (before, kind) {
                (Kind::Han, Kind::Han) => HAN_GAP * height,
                (Kind::Han, Kind::Letter | Kind::Digit)
                | (Kind::Letter | Kind::Digit, Kind::Han) => MIXED_GAP * height,
                (Kind::Digit, Kind::Letter) => (UNIT_GAP * height).max(UNIT_RATIO * usual),
                _ => f32::INFINITY,
            };
            if width(gap) >= needed {
                glyphs.push(Glyph::space(f32::midpoint(
                    gap.start as f32,
                    gap.end as f32,
                )));
            }
        }
        glyphs.push(glyph);
        before = Some(kind);
    }
}
