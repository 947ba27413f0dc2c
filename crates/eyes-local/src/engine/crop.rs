//! Cutting one line out of the original pixels.

use std::ops::Range;

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};

use super::{
    detect::{Core, unclip_margin},
    frame::Frame,
    pixels,
};

/// How much larger than its core a line is cut out; measured: 1.4 to 2.0 read worse.
const CROP_RATIO: f32 = 1.8;

/// One line's pixels, upright, at the scale of the original.
#[derive(Debug, Clone)]
pub(super) struct Crop {
    /// The pixels.
    pub(super) pixels: Rgb8,
    /// Where they lie.
    pub(super) frame: Frame,
    /// The rows of the core.
    pub(super) rows: Range<u32>,
    /// The columns of the core.
    pub(super) columns: Range<u32>,
}

impl Crop {
    /// Cuts a core with its margin; nothing where it lies outside the image.
    pub(super) fn of(image: &Rgb8, core: &Core) -> Option<Self> {
        let rect = core.rect;
        let margin = unclip_margin(rect.width, rect.height, CROP_RATIO);
        let grown = rect.grown(margin);
        if rect.axis[1] == 0.0 {
            let [a, _, b, _] = grown.corners();
            let left = a[0].floor().max(0.0) as u32;
            let top = a[1].floor().max(0.0) as u32;
            let right = b[0].ceil().max(0.0) as u32;
            let bottom = b[1].ceil().max(0.0) as u32;
            let part = PixelRect {
                x: left,
                y: top,
                width: right.saturating_sub(left),
                height: bottom.saturating_sub(top),
            }
            .clamp_to(image.size())?;
            let pixels = pixels::part(image, part);
            let frame = Frame::upright(part.x as f32, part.y as f32);
            let [core, _, end, _] = rect.corners();
            let rows = span(core[1] - part.y as f32, end[1] - part.y as f32, part.height);
            let columns = span(core[0] - part.x as f32, end[0] - part.x as f32, part.width);
            return Some(Self {
                pixels,
                frame,
                rows,
                columns,
            });
        }
        let size = PixelSize {
            width: grown.width.round().max(1.0) as u32,
            height: grown.height.round().max(1.0) as u32,
        };
        let frame = grown.frame();
        Some(Self {
            pixels: pixels::sample(image, frame, size),
            frame,
            rows: span(margin, margin + rect.height, size.height),
            columns: span(margin, margin + rect.width, size.width),
        })
    }

    /// Returns width and height.
    pub(super) fn size(&self) -> PixelSize {
        self.pixels.size()
    }

    /// Returns the crop turned a quarter clockwise.
    pub(super) fn turned_clockwise(&self) -> Self {
        let height = self.size().height;
        Self {
            pixels: pixels::turn_clockwise(&self.pixels),
            frame: self.frame.turned_clockwise(height as f32),
            rows: self.columns.clone(),
            columns: height - self.rows.end..height - self.rows.start,
        }
    }

    /// Returns the crop turned a quarter anticlockwise.
    pub(super) fn turned_anticlockwise(&self) -> Self {
        let width = self.size().width;
        Self {
            pixels: pixels::turn_anticlockwise(&self.pixels),
            frame: self.frame.turned_anticlockwise(width as f32),
            rows: width - self.columns.end..width - self.columns.start,
            columns: self.rows.clone(),
        }
    }
}

/// Returns whole pixels between two borders, at least one, inside `0..length`.
fn span(from: f32, to: f32, length: u32) -> Range<u32> {
    let start = (from.round().max(0.0) as u32).min(length - 1);
    let end = (to.round().max(0.0) as u32).clamp(start + 1, length);
    start..end
}
