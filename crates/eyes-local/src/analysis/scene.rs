//! What every finder works on: the picture, its text, its boxes, and which box is spoken for.

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};

use super::{
    colour::pixel,
    rect::{from_edges, gap_x, holds_centre, middle_y, near, shared_rows},
    shape::{FlatBox, homes},
};
use crate::text::TextLine;

/// The picture with everything found so far.
pub(super) struct Scene<'a> {
    pub image: &'a Rgb8,
    pub lines: &'a [TextLine],
    pub boxes: &'a [FlatBox],
    /// The smallest box that holds each line.
    homes: Vec<Option<usize>>,
    /// The lines directly in each box.
    pub texts: Vec<Vec<usize>>,
    /// Boxes that are part of a table, a chart or a control.
    pub taken: Vec<bool>,
    /// Lines that are part of a table, a chart or a control.
    pub used: Vec<bool>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(image: &'a Rgb8, lines: &'a [TextLine], boxes: &'a [FlatBox]) -> Self {
        let homes = homes(boxes, lines);
        let mut texts = vec![Vec::new(); boxes.len()];
        for (line, home) in homes.iter().enumerate() {
            if let Some(home) = home {
                texts[*home].push(line);
            }
        }
        Self {
            image,
            lines,
            boxes,
            homes,
            texts,
            taken: vec![false; boxes.len()],
            used: vec![false; lines.len()],
        }
    }

    /// Returns the text of a line.
    pub(super) fn text(&self, line: usize) -> &'a str {
        self.lines[line].text.trim()
    }

    /// Returns the place of a line.
    pub(super) fn rect(&self, line: usize) -> PixelRect {
        self.lines[line].rect
    }

    /// Returns the lines whose centre lies in `area`, in the order given by the reader.
    pub(super) fn lines_in(&self, area: PixelRect) -> Vec<usize> {
        (0..self.lines.len())
            .filter(|&line| holds_centre(area, self.rect(line)))
            .collect()
    }

    /// Returns the nearest unused line to the right (or left) of `of` on the same row within `reach`.
    pub(super) fn beside(&self, of: PixelRect, to_right: bool, reach: u32) -> Option<usize> {
        (0..self.lines.len())
            .filter(|&line| {
                let r = self.rect(line);
                let on_side = if to_right {
                    r.right() > of.right() && r.x + r.height >= of.right()
                } else {
                    r.x < of.x && r.right() <= of.x + r.height
                };
                let level = shared_rows(r, of) * 2 >= r.height.min(of.height)
                    && middle_y(r).abs_diff(middle_y(of)) * 2 <= r.height.max(of.height);
                on_side && level && gap_x(r, of) <= reach
            })
            .min_by_key(|&line| (gap_x(self.rect(line), of), line))
    }

    /// Returns the nearest line above `of` that starts near its left edge, within `reach` rows.
    pub(super) fn above(&self, of: PixelRect, reach: u32) -> Option<usize> {
        (0..self.lines.len())
            .filter(|&line| {
                let r = self.rect(line);
                let shift = r.x.abs_diff(of.x);
                r.bottom() <= of.y + 2 && of.y - r.bottom().min(of.y) <= reach && shift <= 16
            })
            .min_by_key(|&line| (of.y - self.rect(line).bottom().min(of.y), line))
    }

    /// Tells whether a box is a part of its parent that a highlighted row or a rule cuts off.
    pub(super) fn is_piece(&self, at: usize) -> bool {
        let b = &self.boxes[at];
        b.parent.is_some_and(|parent| {
            let p = &self.boxes[parent];
            p.fill.distance(b.fill) <= 4
                && near(p.rect.x, b.rect.x, 2)
                && near(p.rect.right(), b.rect.right(), 2)
        })
    }

    /// Tells whether the smallest box around a line also holds `other`.
    pub(super) fn shares_home(&self, line: usize, other: PixelRect) -> bool {
        self.homes[line].is_none_or(|home| holds_centre(self.boxes[home].rect, other))
    }

    /// Tells whether a box lies between two places of one row.
    pub(super) fn box_between(&self, left: PixelRect, right: PixelRect) -> bool {
        let gap = from_edges(
            left.right(),
            left.y.min(right.y),
            right.x,
            left.bottom().max(right.bottom()),
        );
        gap.width > 0
            && self.boxes.iter().any(|b| {
                b.rect.x >= gap.x && b.rect.right() <= gap.right() && holds_centre(gap, b.rect)
            })
    }

    /// Share of the pixels in the inner part of a box that differ clearly from its colour.
    pub(super) fn marked(&self, b: &FlatBox, inset: u32) -> f32 {
        let r = b.rect;
        let (mut marked, mut all) = (0_u32, 0_u32);
        for y in (r.y + inset)..r.bottom().saturating_sub(inset) {
            for x in (r.x + inset)..r.right().saturating_sub(inset) {
                all += 1;
                marked += u32::from(pixel(self.image, x, y).distance(b.fill) > 60);
            }
        }
        if all == 0 {
            0.0
        } else {
            marked as f32 / all as f32
        }
    }
}
