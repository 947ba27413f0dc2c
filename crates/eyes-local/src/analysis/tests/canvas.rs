//! A small drawing board: boxes, discs, and text that is only its place.

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};

use super::super::Colour;
use crate::text::{TextLine, TextWord};

pub(super) const WHITE: Colour = Colour([255, 255, 255]);
pub(super) const INK: Colour = Colour([30, 30, 30]);
pub(super) const BLUE: Colour = Colour([26, 115, 232]);
pub(super) const GREEN: Colour = Colour([52, 168, 83]);
pub(super) const GRAY: Colour = Colour([150, 150, 150]);

pub(super) const fn rect(x: u32, y: u32, width: u32, height: u32) -> PixelRect {
    PixelRect {
        x,
        y,
        width,
        height,
    }
}

pub(super) struct Canvas {
    size: PixelSize,
    pixels: Vec<u8>,
    pub lines: Vec<TextLine>,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32, colour: Colour) -> Self {
        let pixels = colour.0.repeat((width * height) as usize);
        Self {
            size: PixelSize { width, height },
            pixels,
            lines: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, x: u32, y: u32, colour: Colour) {
        if x < self.size.width && y < self.size.height {
            let at = (y * self.size.width + x) as usize * 3;
            self.pixels[at..at + 3].copy_from_slice(&colour.0);
        }
    }

    pub(super) fn fill(&mut self, r: PixelRect, colour: Colour) -> &mut Self {
        for y in r.y..r.bottom() {
            for x in r.x..r.right() {
                self.put(x, y, colour);
            }
        }
        self
    }

    /// A box with a border of one pixel.
    pub(super) fn outline(&mut self, r: PixelRect, border: Colour, inside: Colour) -> &mut Self {
        self.fill(r, border);
        self.fill(rect(r.x + 1, r.y + 1, r.width - 2, r.height - 2), inside)
    }

    /// A box with round ends.
    pub(super) fn pill(&mut self, r: PixelRect, colour: Colour) -> &mut Self {
        let radius = f64::from(r.width.min(r.height)) / 2.0;
        for y in r.y..r.bottom() {
            for x in r.x..r.right() {
                let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let cx = px.clamp(f64::from(r.x) + radius, f64::from(r.right()) - radius);
                let cy = py.clamp(f64::from(r.y) + radius, f64::from(r.bottom()) - radius);
                if (px - cx).hypot(py - cy) <= radius {
                    self.put(x, y, colour);
                }
            }
        }
        self
    }

    /// Text as upright strokes, and the line a reader would return.
    pub(super) fn text(&mut self, x: u32, y: u32, text: &str, colour: Colour) -> &mut Self {
        let (letter, height) = (7, 10);
        let mut at = x;
        let mut words = Vec::new();
        for word in text.split(' ') {
            let width = word.chars().count() as u32 * letter;
            for nth in 0..word.chars().count() as u32 {
                self.fill(rect(at + nth * letter, y, 2, height), colour);
                self.fill(rect(at + nth * letter, y + 4, 5, 2), colour);
            }
            words.push(TextWord {
                text: word.to_owned(),
                rect: rect(at, y, width - 2, height),
            });
            at += width + letter;
        }
        let r = rect(x, y, at - x - letter - 2, height);
        self.lines.push(line(text, r, words));
        self
    }

    pub(super) fn image(&self) -> Rgb8 {
        Rgb8::new(self.size, self.pixels.clone()).expect("the board has its size")
    }
}

pub(super) fn line(text: &str, r: PixelRect, words: Vec<TextWord>) -> TextLine {
    let [x, y, right, bottom] = [r.x, r.y, r.right(), r.bottom()].map(|v| v as f32);
    TextLine {
        text: text.to_owned(),
        confidence: 0.98,
        rect: r,
        quad: [[x, y], [right, y], [right, bottom], [x, bottom]],
        angle: 0.0,
        words,
        colors: None,
    }
}
