//! Pixels in memory: the decoded form of an image, and lossless work on it.

pub mod crop;
pub mod draw;
pub mod encode;
mod error;
mod font;
pub mod identity;
pub mod resize;
#[cfg(test)]
mod tests;
pub mod tile;

pub use error::RasterError;

use crate::geometry::{PixelRect, PixelSize};

/// Decoded pixels, 8 bits each of red, green and blue, rows from top to bottom without padding.
///
/// Transparent pictures are composed over white, which is what a reader would see on paper; the
/// identity of an image is computed before that.
#[derive(Clone, PartialEq, Eq)]
pub struct Rgb8 {
    size: PixelSize,
    pixels: Vec<u8>,
}

impl std::fmt::Debug for Rgb8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rgb8({}x{})", self.size.width, self.size.height)
    }
}

impl Rgb8 {
    /// Takes pixels; nothing when their number is not `width * height * 3` or the size is empty.
    pub fn new(size: PixelSize, pixels: Vec<u8>) -> Option<Self> {
        let expected = u128::from(size.width) * u128::from(size.height) * 3;
        (expected > 0 && expected == pixels.len() as u128).then_some(Self { size, pixels })
    }

    /// Takes pixels whose number a caller inside this crate has made sure of.
    pub(crate) fn trusted(size: PixelSize, pixels: Vec<u8>) -> Self {
        debug_assert_eq!(
            pixels.len() as u128,
            u128::from(size.width) * u128::from(size.height) * 3
        );
        Self { size, pixels }
    }

    /// Returns width and height.
    pub const fn size(&self) -> PixelSize {
        self.size
    }

    /// Returns all bytes, three a pixel.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Returns one row, three bytes a pixel; empty below the last row.
    pub fn row(&self, y: u32) -> &[u8] {
        let stride = self.size.width as usize * 3;
        let start = stride * y as usize;
        self.pixels.get(start..start + stride).unwrap_or(&[])
    }

    /// Copies the part of the picture inside `rect`, or nothing when they do not meet.
    pub fn crop(&self, rect: PixelRect) -> Option<Self> {
        let rect = rect.clamp_to(self.size)?;
        let (from, to) = (rect.x as usize * 3, rect.right() as usize * 3);
        let mut pixels = Vec::with_capacity((to - from) * rect.height as usize);
        for y in rect.y..rect.bottom() {
            pixels.extend_from_slice(&self.row(y)[from..to]);
        }
        let size = PixelSize {
            width: rect.width,
            height: rect.height,
        };
        Some(Self::trusted(size, pixels))
    }
}
