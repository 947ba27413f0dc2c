//! Spaces that the recogniser leaves out: its training text has none around Chinese characters.

use std::ops::Range;

use super::{ink::InkMap, recognise::Glyph};

/// Columns of a space between two Chinese characters, in heights of the ink.
///
/// Characters fill their square but for a tenth; a space is a quarter of it.
const HAN_GAP: f32 = 0.33;
/// Columns of a space between a Chinese character and a letter, digit or sign, in heights of the ink.
const MIXED_GAP: f32 = 0.22;
/// Columns of a space between a digit and a letter, in heights of the ink.
const UNIT_GAP: f32 = 0.25;
/// How many times wider than the line's middle gap a space between a digit and a letter is; in print of
/// fixed width, gaps beside narrow letters are as wide as spaces elsewhere.
const UNIT_RATIO: f32 = 2.5;

/// What a glyph is, as far as spaces beside it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Han,
    Letter,
    Digit,
    /// A sign that stands between words.
    Sign,
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
            Some('/' | '|' | '&' | '+' | '=' | '<' | '>' | '-') => Self::Sign,
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
                (Kind::Han, Kind::Letter | Kind::Digit | Kind::Sign)
                | (Kind::Letter | Kind::Digit | Kind::Sign, Kind::Han) => MIXED_GAP * height,
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

#[cfg(test)]
mod tests {
    use eyes_evidence::{geometry::PixelSize, raster::Rgb8};

    use super::{Glyph, InkMap, restore};

    /// Sets each character as a block of 8 x 10 pixels, `gap` pixels of paper after each.
    fn restored(text: &str, gap: &[usize]) -> String {
        let mut row: Vec<u8> = vec![255; 4];
        let mut glyphs = Vec::new();
        for (c, gap) in text.chars().zip(gap) {
            let middle = row.len() as f32 + 4.0;
            glyphs.push(Glyph {
                text: c.to_string(),
                ..Glyph::space(middle)
            });
            row.extend([0; 8]);
            row.extend(vec![255; *gap]);
        }
        let size = PixelSize {
            width: row.len() as u32,
            height: 40,
        };
        let paper = vec![255; row.len() * 15];
        let ink: Vec<u8> = (0..10).flat_map(|_| row.iter().copied()).collect();
        let pixels = [paper.as_slice(), &ink, &paper].concat();
        let pixels = pixels.iter().flat_map(|value| [*value; 3]).collect();
        let crop = Rgb8::new(size, pixels).unwrap();
        restore(&mut glyphs, &InkMap::of(&crop, &(15..25)), &(15..25));
        glyphs.iter().map(|glyph| glyph.text.as_str()).collect()
    }

    #[test]
    fn wide_paper_beside_a_chinese_character_is_a_space() {
        assert_eq!(restored("第3页", &[3, 3, 1]), "第 3 页");
        assert_eq!(restored("第3页", &[2, 2, 1]), "第3页");
        assert_eq!(restored("灯白", &[4, 1]), "灯 白");
        assert_eq!(restored("灯白", &[3, 1]), "灯白");
        assert_eq!(restored("库/存", &[3, 1, 1]), "库 /存");
        // A full-width colon brings its own paper.
        assert_eq!(restored("计：3", &[6, 6, 1]), "计：3");
    }

    #[test]
    fn a_unit_stands_apart_only_where_other_letters_stand_close() {
        assert_eq!(restored("abc12V", &[1, 1, 1, 1, 4, 1]), "abc12 V");
        assert_eq!(restored("abc12V", &[3, 3, 3, 3, 4, 1]), "abc12V");
        assert_eq!(restored("V12", &[4, 1, 1]), "V12");
    }
}
