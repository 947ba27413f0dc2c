//! The bounds of one admission, checked when they are made.

use super::ImageError;
use crate::limits::{
    MAX_IMAGE_BYTES, MAX_IMAGE_MEMORY, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE, MIN_IMAGE_MEMORY,
};

/// What one image may cost, checked before memory is allocated for it.
///
/// The defaults are the greatest values there are; a caller may only be stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    bytes: u64,
    side: u32,
    pixels: u64,
    memory: u64,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self {
            bytes: MAX_IMAGE_BYTES,
            side: MAX_IMAGE_SIDE,
            pixels: MAX_IMAGE_PIXELS,
            memory: MAX_IMAGE_MEMORY,
        }
    }
}

impl ImageLimits {
    /// Sets the greatest length of the encoded file, 1..=[`MAX_IMAGE_BYTES`] bytes.
    pub fn with_max_bytes(self, bytes: u64) -> Result<Self, ImageError> {
        let bytes = within("max_bytes", bytes, 1, MAX_IMAGE_BYTES)?;
        Ok(Self { bytes, ..self })
    }

    /// Sets the greatest width and height, 1..=[`MAX_IMAGE_SIDE`] pixels.
    pub fn with_max_side(self, side: u32) -> Result<Self, ImageError> {
        within("max_side", u64::from(side), 1, u64::from(MAX_IMAGE_SIDE))?;
        Ok(Self { side, ..self })
    }

    /// Sets the greatest number of pixels, 1..=[`MAX_IMAGE_PIXELS`].
    pub fn with_max_pixels(self, pixels: u64) -> Result<Self, ImageError> {
        let pixels = within("max_pixels", pixels, 1, MAX_IMAGE_PIXELS)?;
        Ok(Self { pixels, ..self })
    }

    /// Sets the greatest memory while decoding, [`MIN_IMAGE_MEMORY`]..=[`MAX_IMAGE_MEMORY`] bytes.
    pub fn with_max_memory(self, memory: u64) -> Result<Self, ImageError> {
        let memory = within("max_memory", memory, MIN_IMAGE_MEMORY, MAX_IMAGE_MEMORY)?;
        Ok(Self { memory, ..self })
    }

    /// Returns the greatest length of the encoded file in bytes.
    pub const fn max_bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the greatest width and height in pixels.
    pub const fn max_side(&self) -> u32 {
        self.side
    }

    /// Returns the greatest number of pixels.
    pub const fn max_pixels(&self) -> u64 {
        self.pixels
    }

    /// Returns the greatest memory while decoding in bytes.
    pub const fn max_memory(&self) -> u64 {
        self.memory
    }
}

fn within(name: &'static str, value: u64, min: u64, max: u64) -> Result<u64, ImageError> {
    if (min..=max).contains(&value) {
        Ok(value)
    } else {
        Err(ImageError::Limits {
            name,
            value,
            min,
            max,
        })
    }
}
