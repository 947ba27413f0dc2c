//! Which pixels of a crop are strokes and which are the background behind them.

#[cfg(test)]
mod tests;

use std::ops::Range;

use eyes_evidence::raster::Rgb8;

use crate::text::TextColors;

/// Distance to the background, summed over channels, below which a difference is noise or dithering.
const FAINT: u16 = 24;
/// Share of a row or column that is ink where it is a rule and not text.
const RULE_SHARE: f32 = 0.92;

/// How far each pixel of a crop is from the background, and what that background is.
#[derive(Debug)]
pub(super) struct InkMap {
    width: usize,
    height: usize,
    distance: Vec<u16>,
    background: [u8; 3],
    /// Distance from which a pixel is a stroke beyond doubt.
    strong: u16,
}

impl InkMap {
    /// Measures `crop`; the modal colour is the background, `core` holds the middle of the text.
    pub(super) fn of(crop: &Rgb8, core: &Range<u32>) -> Self {
        let background = modal_color(crop.pixels());
        let distance: Vec<u16> = crop
            .pixels()
            .chunks_exact(3)
            .map(|pixel| distance(pixel, background))
            .collect();
        let (width, height) = (crop.size().width as usize, crop.size().height as usize);
        let rows = core.start as usize * width..(core.end as usize).min(height) * width;
        let peak = distance[rows].iter().copied().max().unwrap_or(0);
        Self {
            width,
            height,
            distance,
            background,
            // A quarter of the strongest difference: anti-aliased edges still count, shadows do not.
            strong: (peak / 4).max(FAINT),
        }
    }

    fn row(&self, y: u32) -> &[u16] {
        &self.distance[y as usize * self.width..][..self.width]
    }

    /// Returns how many pixels of each column of `rows` differ from the background.
    fn column_counts(&self, rows: &Range<u32>, above: u16) -> Vec<u32> {
        let mut counts = vec![0; self.width];
        for y in rows.clone() {
            for (count, value) in counts.iter_mut().zip(self.row(y)) {
                *count += u32::from(*value > above);
            }
        }
        counts
    }

    /// Returns the rows that the ink around `core` reaches, without rules above and below it.
    pub(super) fn rows(&self, core: &Range<u32>, columns: &Range<u32>) -> Range<u32> {
        let span = columns.start as usize..columns.end as usize;
        let share = |y: u32| {
            let row = &self.row(y)[span.clone()];
            row.iter().filter(|value| **value > self.strong).count() as f32 / row.len() as f32
        };
        let marks: Vec<Mark> = (0..self.height as u32)
            .map(|y| Mark::of(share(y)))
            .collect();
        // A dot or an accent stands a little off its letter.
        let gap = ((core.end - core.start) / 4).max(1);
        reach(&marks, core, gap)
    }

    /// Returns the columns of each piece of text in `rows`; pieces stand at least `gap` apart, or have a
    /// rule between them.
    pub(super) fn pieces(&self, rows: &Range<u32>, gap: u32) -> Vec<Range<u32>> {
        let counts = self.column_counts(rows, FAINT);
        let all = self.column_counts(&(0..self.height as u32), self.strong);
        // A column that is ink far above and below the text is the side of a box.
        let margin = self.height as u32 - (rows.end - rows.start);
        let is_rule = |x: usize| margin >= 4 && all[x] as f32 >= self.height as f32 * RULE_SHARE;
        let mut pieces: Vec<Range<u32>> = Vec::new();
        let mut ruled = false;
        for (x, count) in counts.iter().enumerate() {
            if is_rule(x) {
                ruled = true;
            } else if *count > 0 {
                let x = x as u32;
                match pieces.last_mut() {
                    Some(last) if !ruled && x - last.end < gap => last.end = x + 1,
                    _ => pieces.push(x..x + 1),
                }
                ruled = false;
            }
        }
        pieces
    }

    /// Returns the rectangle of the strokes inside `rows` and `columns`; of faint ones where none is strong.
    pub(super) fn bounds(&self, rows: &Range<u32>, columns: &Range<u32>) -> Option<[u32; 4]> {
        self.bounds_above(rows, columns, self.strong)
            .or_else(|| self.bounds_above(rows, columns, FAINT))
    }

    fn bounds_above(
        &self,
        rows: &Range<u32>,
        columns: &Range<u32>,
        above: u16,
    ) -> Option<[u32; 4]> {
        let span = columns.start as usize..(columns.end as usize).min(self.width);
        let mut bounds: Option<[u32; 4]> = None;
        for y in rows.clone() {
            let row = &self.row(y)[span.clone()];
            let Some(first) = row.iter().position(|value| *value > above) else {
                continue;
            };
            let last = row
                .iter()
                .rposition(|value| *value > above)
                .unwrap_or(first);
            let (left, right) = (
                columns.start + first as u32,
                columns.start + last as u32 + 1,
            );
            bounds = Some(bounds.map_or([left, y, right, y + 1], |[l, t, r, _]| {
                [l.min(left), t, r.max(right), y + 1]
            }));
        }
        bounds
    }

    /// Returns the widest columns without ink in `columns`, or else the one with least ink.
    pub(super) fn cut(&self, rows: &Range<u32>, columns: &Range<u32>) -> Range<u32> {
        let counts = self.column_counts(rows, FAINT);
        let widest = widest_gap(&counts, columns);
        if !widest.is_empty() {
            return widest;
        }
        let least = columns.clone().min_by_key(|x| counts[*x as usize]);
        let at = least.unwrap_or(columns.start);
        at..at
    }

    /// Returns the widest columns without ink between each of `marks` and the next.
    pub(super) fn gaps(&self, rows: &Range<u32>, marks: &[f32]) -> Vec<Range<u32>> {
        let counts = self.column_counts(rows, FAINT);
        let column = |mark: f32| (mark.max(0.0) as u32).min(self.width as u32);
        let pairs = marks.iter().zip(marks.iter().skip(1));
        pairs
            .map(|(from, to)| widest_gap(&counts, &(column(*from)..column(*to))))
            .collect()
    }

    /// Returns the colours of the text inside a rectangle of `crop`.
    pub(super) fn colors(&self, crop: &Rgb8, [x0, y0, x1, y1]: [u32; 4]) -> Option<TextColors> {
        let inside = |y: u32| &self.row(y)[x0 as usize..x1 as usize];
        let peak = (y0..y1).flat_map(inside).copied().max()?;
        if peak <= FAINT {
            return None;
        }
        let (mut sums, mut count) = ([0_u64; 3], 0_u64);
        for y in y0..y1 {
            let pixels = crop.row(y)[x0 as usize * 3..x1 as usize * 3].chunks_exact(3);
            for (value, pixel) in inside(y).iter().zip(pixels) {
                // The middle of a stroke; its edges are blends.
                if u32::from(*value) * 8 >= u32::from(peak) * 7 {
                    count += 1;
                    for (sum, channel) in sums.iter_mut().zip(pixel) {
                        *sum += u64::from(*channel);
                    }
                }
            }
        }
        let foreground = sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8);
        Some(TextColors {
            foreground,
            background: self.background,
            contrast: contrast(foreground, self.background),
        })
    }
}

/// What one row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Blank,
    Ink,
    Rule,
}

impl Mark {
    fn of(share: f32) -> Self {
        if share <= 0.0 {
            Self::Blank
        } else if share < RULE_SHARE {
            Self::Ink
        } else {
            Self::Rule
        }
    }
}

/// Extends `core` over inked rows and over at most `gap` blank ones between them, then drops blank ends.
fn reach(marks: &[Mark], core: &Range<u32>, gap: u32) -> Range<u32> {
    let grow = |rows: &mut dyn Iterator<Item = (u32, Mark)>| {
        let (mut grown, mut blank) = (0, 0);
        for (distance, mark) in rows {
            match mark {
                Mark::Rule => break,
                Mark::Blank if blank == gap => break,
                Mark::Blank => blank += 1,
                Mark::Ink => (grown, blank) = (distance, 0),
            }
        }
        grown
    };
    let above = marks[..core.start as usize].iter().rev().copied();
    let below = marks[core.end as usize..].iter().copied();
    let up = grow(&mut (1..).zip(above));
    let down = grow(&mut (1..).zip(below));
    let (mut start, mut end) = (core.start - up, core.end + down);
    while start < end && marks[start as usize] == Mark::Blank {
        start += 1;
    }
    while start < end && marks[end as usize - 1] == Mark::Blank {
        end -= 1;
    }
    if start < end {
        start..end
    } else {
        core.clone()
    }
}

/// Returns the widest run of zeros in `columns`, the first of equal ones.
fn widest_gap(counts: &[u32], columns: &Range<u32>) -> Range<u32> {
    let mut widest = columns.start..columns.start;
    let mut open = columns.start;
    for x in columns.clone() {
        if counts[x as usize] > 0 {
            open = x + 1;
        } else if x + 1 - open > widest.end - widest.start {
            widest = open..x + 1;
        }
    }
    widest
}

fn distance(pixel: &[u8], background: [u8; 3]) -> u16 {
    let channels = pixel.iter().zip(background);
    channels.map(|(a, b)| u16::from(a.abs_diff(b))).sum()
}

/// Returns the mean colour of the fullest of 4,096 equal cells of the colour cube.
fn modal_color(pixels: &[u8]) -> [u8; 3] {
    let cell = |p: &[u8]| {
        usize::from(p[0] >> 4) << 8 | usize::from(p[1] >> 4) << 4 | usize::from(p[2] >> 4)
    };
    let mut counts = vec![0_u32; 4096];
    for pixel in pixels.chunks_exact(3) {
        counts[cell(pixel)] += 1;
    }
    let mut fullest = 0;
    for (index, count) in counts.iter().enumerate() {
        if *count > counts[fullest] {
            fullest = index;
        }
    }
    let mut sums = [0_u64; 3];
    for pixel in pixels
        .chunks_exact(3)
        .filter(|pixel| cell(pixel) == fullest)
    {
        for (sum, channel) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(*channel);
        }
    }
    let count = u64::from(counts[fullest]).max(1);
    sums.map(|sum| ((sum + count / 2) / count) as u8)
}

/// Returns the contrast ratio of two sRGB colours (WCAG 2.2, definitions of contrast ratio and relative
/// luminance), rounded to hundredths.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f32 {
    let luminance = |color: [u8; 3]| {
        let [r, g, b] = color.map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(a), luminance(b));
    let ratio = (a.max(b) + 0.05) / (a.min(b) + 0.05);
    ((ratio * 100.0).round() / 100.0) as f32
}
