//! Drawing what was found onto a copy of the picture.

use super::{
    Rgb8,
    font::{self, glyph},
};
use crate::{
    geometry::{PixelRect, PixelSize},
    limits::MAX_LABEL_CHARS,
};

/// What a box marks; decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OverlayKind {
    /// Recognised text: blue.
    Text,
    /// A region: orange.
    Region,
    /// An object or control: green.
    Object,
    /// An observation that answers a question: magenta.
    Observation,
    /// Something doubtful: red.
    Doubt,
}

impl OverlayKind {
    /// Returns red, green and blue; each is dark enough for white label text (contrast 4.5 or more).
    pub const fn colour(self) -> [u8; 3] {
        match self {
            Self::Text => [0x00, 0x5F, 0xCC],
            Self::Region => [0xA8, 0x50, 0x00],
            Self::Object => [0x00, 0x78, 0x3C],
            Self::Observation => [0xA0, 0x20, 0x90],
            Self::Doubt => [0xC8, 0x10, 0x20],
        }
    }
}

/// One box with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverlayBox {
    /// Where, in pixels of the picture; what lies outside is not drawn.
    pub rect: PixelRect,
    /// An index or short name; at most [`MAX_LABEL_CHARS`] characters are drawn.
    pub label: String,
    /// What it marks.
    pub kind: OverlayKind,
}

/// Returns a copy of the picture with all boxes drawn, the first at the bottom.
///
/// Lines and labels grow with the picture, so that they stay visible when a large one is shrunk.
/// Frames stand outside the box where there is room, so that they hide nothing of it.
pub fn overlay(raster: &Rgb8, boxes: &[OverlayBox]) -> Rgb8 {
    let mut canvas = Canvas {
        size: raster.size(),
        pixels: raster.pixels().to_vec(),
    };
    let longer = raster.size().width.max(raster.size().height);
    let scale = (longer / 1600 + 1).min(8);
    for item in boxes {
        canvas.frame(item.rect, scale, item.kind.colour());
    }
    // Labels last: a later frame must not cross an earlier label.
    for item in boxes {
        canvas.label(item, scale);
    }
    Rgb8::trusted(canvas.size, canvas.pixels)
}

struct Canvas {
    size: PixelSize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn fill(&mut self, rect: PixelRect, colour: [u8; 3]) {
        let Some(rect) = rect.clamp_to(self.size) else {
            return;
        };
        let stride = self.size.width as usize * 3;
        for y in rect.y as usize..rect.bottom() as usize {
            let start = y * stride;
            let line = start + rect.x as usize * 3..start + rect.right() as usize * 3;
            for pixel in self.pixels[line].chunks_exact_mut(3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }

    fn frame(&mut self, rect: PixelRect, thick: u32, colour: [u8; 3]) {
        let Some(inner) = rect.clamp_to(self.size) else {
            return;
        };
        let (left, top) = (inner.x.saturating_sub(thick), inner.y.saturating_sub(thick));
        let right = inner.right().saturating_add(thick).min(self.size.width);
        let bottom = inner.bottom().saturating_add(thick).min(self.size.height);
        let (width, height) = (right - left, bottom - top);
        let bar = |x, y, width, height| PixelRect {
            x,
            y,
            width,
            height,
        };
        self.fill(bar(left, top, width, thick), colour);
        self.fill(
            bar(left, bottom.saturating_sub(thick), width, thick),
            colour,
        );
        self.fill(bar(left, top, thick, height), colour);
        self.fill(bar(right.saturating_sub(thick), top, thick, height), colour);
    }

    /// Draws the label above the box, or inside its upper edge at the top of the picture.
    fn label(&mut self, item: &OverlayBox, scale: u32) {
        let Some(rect) = item.rect.clamp_to(self.size) else {
            return;
        };
        let text: Vec<char> = item.label.chars().take(MAX_LABEL_CHARS).collect();
        if text.is_empty() {
            return;
        }
        let advance = (font::WIDTH + 1) * scale;
        let width = text.len() as u32 * advance + scale;
        let height = (font::HEIGHT + 2) * scale;
        let x = rect.x.min(self.size.width.saturating_sub(width));
        let y = rect.y.checked_sub(height).unwrap_or(rect.y);
        let background = PixelRect {
            x,
            y,
            width,
            height,
        };
        self.fill(background, item.kind.colour());
        for (index, c) in (0..).zip(text) {
            self.character(c, (x + scale + index * advance, y + scale), scale);
        }
    }

    fn character(&mut self, c: char, (x, y): (u32, u32), scale: u32) {
        for (row, bits) in (0..).zip(glyph(c)) {
            for column in 0..font::WIDTH {
                if bits & (1 << (font::WIDTH - 1 - column)) != 0 {
                    let dot = PixelRect {
                        x: x + column * scale,
                        y: y + row * scale,
                        width: scale,
                        height: scale,
                    };
                    self.fill(dot, [0xFF; 3]);
                }
            }
        }
    }
}
