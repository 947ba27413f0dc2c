//! Colour of a line of text and of what it stands on.

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};

use super::{
    colour::{Colour, row_colours},
    rect::{area, from_edges},
};
use crate::{limits::INK_SAMPLES, text::TextLine};

/// Colours of one line of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineStyle {
    /// Colour of the letters; thin letters come out closer to the background than they were set.
    pub foreground: Colour,
    /// Colour behind the letters.
    pub background: Colour,
    /// Contrast ratio of WCAG 2.2, 1..=21.
    pub contrast: f64,
}

/// Bits a channel in the counting grid.
const GRID_BITS: u32 = 4;
const CELLS: usize = 1 << (3 * GRID_BITS);

/// Finds the most frequent colour of a few thousand pixels; reused between lines.
struct Counter {
    cells: Vec<u32>,
}

impl Counter {
    fn cell(colour: Colour) -> usize {
        let shift = 8 - GRID_BITS;
        let [r, g, b] = colour.0.map(|c| usize::from(c >> shift));
        (r << (2 * GRID_BITS)) | (g << GRID_BITS) | b
    }

    /// Returns the mean of the most frequent cell, nothing when there are no colours.
    fn modal(&mut self, colours: &[(Colour, u32)]) -> Option<Colour> {
        self.cells.fill(0);
        for &(colour, weight) in colours {
            self.cells[Self::cell(colour)] += weight;
        }
        let best = colours
            .iter()
            .map(|&(colour, _)| Self::cell(colour))
            .max_by_key(|&cell| (self.cells[cell], std::cmp::Reverse(cell)))?;
        let mut sum = [0_u64; 3];
        let mut count = 0;
        for &(colour, weight) in colours {
            if Self::cell(colour) == best {
                count += u64::from(weight);
                for (sum, channel) in sum.iter_mut().zip(colour.0) {
                    *sum += u64::from(channel) * u64::from(weight);
                }
            }
        }
        Some(Colour(sum.map(|s| ((s + count / 2) / count) as u8)))
    }
}

/// Takes the colours of each line from its reader, and measures them where it found none; a line outside the image gets black on white.
pub(super) fn styles(image: &Rgb8, lines: &[TextLine]) -> Vec<LineStyle> {
    let mut counter = Counter {
        cells: vec![0; CELLS],
    };
    let mut colours = Vec::new();
    lines
        .iter()
        .map(|line| {
            read_with(line).unwrap_or_else(|| style(image, line.rect, &mut counter, &mut colours))
        })
        .collect()
}

/// The colours that the reader of the text found.
fn read_with(line: &TextLine) -> Option<LineStyle> {
    line.colors.map(|colors| LineStyle {
        foreground: Colour(colors.foreground),
        background: Colour(colors.background),
        contrast: (f64::from(colors.contrast) * 100.0).round() / 100.0,
    })
}

fn style(
    image: &Rgb8,
    rect: PixelRect,
    counter: &mut Counter,
    colours: &mut Vec<(Colour, u32)>,
) -> LineStyle {
    let (black, white) = (Colour([0; 3]), Colour([255; 3]));
    sample(image, rect, colours);
    let background = counter.modal(colours).unwrap_or(white);
    let far = |c: Colour| u32::from(c.distance(background));
    // The frame around the letters told the background; the ink is inside.
    let strongest = colours.iter().map(|&(c, _)| far(c)).max().unwrap_or(0);
    colours.retain(|&(c, _)| far(c) * 10 >= strongest * 7);
    let foreground = counter.modal(colours).unwrap_or(black);
    LineStyle {
        foreground,
        background,
        contrast: (foreground.contrast(background) * 100.0).round() / 100.0,
    }
}

/// Takes pixels of `rect`, and those of a frame around it with double weight: in bold capitals the ink
/// covers more than half of a tight box, and the frame is nearly all background.
fn sample(image: &Rgb8, rect: PixelRect, colours: &mut Vec<(Colour, u32)>) {
    colours.clear();
    let size = image.size();
    let Some(inside) = rect.clamp_to(size) else {
        return;
    };
    let step = (area(inside) / INK_SAMPLES).isqrt().max(1) as usize;
    let outside = frame(inside, size);
    for y in (outside.y..outside.bottom()).step_by(step) {
        let in_rows = y >= inside.y && y < inside.bottom();
        let columns = row_colours(image.row(y))
            .enumerate()
            .skip(outside.x as usize)
            .take(outside.width as usize);
        for (x, colour) in columns.step_by(step) {
            let x = x as u32;
            let in_columns = x >= inside.x && x < inside.right();
            colours.push((colour, if in_rows && in_columns { 1 } else { 2 }));
        }
    }
}

fn frame(inside: PixelRect, size: PixelSize) -> PixelRect {
    const WIDTH: u32 = 2;
    from_edges(
        inside.x.saturating_sub(WIDTH),
        inside.y.saturating_sub(WIDTH),
        inside.right().saturating_add(WIDTH).min(size.width),
        inside.bottom().saturating_add(WIDTH).min(size.height),
    )
}
