//! Geometry: boxes relative to an image, and rectangles in its pixels.

use serde::{Deserialize, Serialize};

use crate::limits::MAX_BBOX_EDGE;

/// Width and height of a raster in pixels, both at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct PixelSize {
    /// Pixels from left to right.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub width: u32,
    /// Pixels from top to bottom.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub height: u32,
}

/// A rectangle in whole pixels; origin at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct PixelRect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Extent to the right, at least 1 for a rectangle that shows anything.
    pub width: u32,
    /// Extent downwards, at least 1 for a rectangle that shows anything.
    pub height: u32,
}

impl PixelRect {
    /// Returns the first column to the right of the rectangle.
    pub const fn right(&self) -> u32 {
        self.x.saturating_add(self.width)
    }

    /// Returns the first row below the rectangle.
    pub const fn bottom(&self) -> u32 {
        self.y.saturating_add(self.height)
    }

    /// Returns width and height.
    pub const fn size(&self) -> PixelSize {
        PixelSize {
            width: self.width,
            height: self.height,
        }
    }

    /// Returns the part inside `size`, or nothing when they do not meet.
    pub fn clamp_to(&self, size: PixelSize) -> Option<Self> {
        let x = self.x.min(size.width);
        let y = self.y.min(size.height);
        let width = self.right().min(size.width) - x;
        let height = self.bottom().min(size.height) - y;
        (width > 0 && height > 0).then_some(Self {
            x,
            y,
            width,
            height,
        })
    }
}

/// A box relative to an image: `[x, y, w, h]` as shares of its width and height.
///
/// `x` and `y` lie in 0..=1, `w` and `h` in (0, 1], and `x + w` and `y + h` are at most
/// [`MAX_BBOX_EDGE`]. Serialises as an array of four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct NormalizedBbox {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

/// The four numbers are not a box inside the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BboxError {
    /// A number is not finite, or outside 0..=1.
    #[error("each bbox number is between 0 and 1")]
    OutOfRange,
    /// Width or height is 0.
    #[error("bbox width and height are greater than 0")]
    Empty,
    /// The box ends outside the image.
    #[error("bbox ends outside the image")]
    Overflow,
}

impl NormalizedBbox {
    /// The whole image.
    pub const WHOLE: Self = Self {
        x: 0.0,
        y: 0.0,
        w: 1.0,
        h: 1.0,
    };

    /// Checks the four numbers.
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Result<Self, BboxError> {
        let unit = 0.0..=1.0;
        if ![x, y, w, h].iter().all(|v| unit.contains(v)) {
            return Err(BboxError::OutOfRange);
        }
        if w <= 0.0 || h <= 0.0 {
            return Err(BboxError::Empty);
        }
        if x + w > MAX_BBOX_EDGE || y + h > MAX_BBOX_EDGE {
            return Err(BboxError::Overflow);
        }
        // `+ 0.0` turns a negative zero into zero, so that equal boxes have equal text.
        Ok(Self {
            x: x + 0.0,
            y: y + 0.0,
            w,
            h,
        })
    }

    /// Returns the box of `rect` in an image of `size`, rounded to 9 decimals; nothing when they do not meet.
    pub fn from_pixels(rect: PixelRect, size: PixelSize) -> Option<Self> {
        let r = rect.clamp_to(size)?;
        let (w, h) = (f64::from(size.width), f64::from(size.height));
        let round = |v: f64| (v * 1e9).round() / 1e9;
        Self::new(
            round(f64::from(r.x) / w),
            round(f64::from(r.y) / h),
            round(f64::from(r.width) / w),
            round(f64::from(r.height) / h),
        )
        .ok()
    }

    /// Returns the smallest pixel rectangle that covers the box in an image of `size`.
    pub fn to_pixels(self, size: PixelSize) -> PixelRect {
        // Edges a hair past a pixel border come from decimal rounding, not from the picture.
        const SLACK: f64 = 1e-4;
        let (w, h) = (f64::from(size.width), f64::from(size.height));
        let left = (self.x * w + SLACK).floor().min(w - 1.0).max(0.0);
        let top = (self.y * h + SLACK).floor().min(h - 1.0).max(0.0);
        let right = ((self.x + self.w) * w - SLACK)
            .ceil()
            .clamp(left + 1.0, w.max(left + 1.0));
        let bottom = ((self.y + self.h) * h - SLACK)
            .ceil()
            .clamp(top + 1.0, h.max(top + 1.0));
        PixelRect {
            x: left as u32,
            y: top as u32,
            width: (right - left) as u32,
            height: (bottom - top) as u32,
        }
    }

    /// Returns the left edge.
    pub const fn x(&self) -> f64 {
        self.x
    }

    /// Returns the top edge.
    pub const fn y(&self) -> f64 {
        self.y
    }

    /// Returns the width.
    pub const fn width(&self) -> f64 {
        self.w
    }

    /// Returns the height.
    pub const fn height(&self) -> f64 {
        self.h
    }

    /// Returns intersection over union with `other`, 0 when they do not meet.
    pub fn iou(&self, other: &Self) -> f64 {
        let span = |a: f64, al: f64, b: f64, bl: f64| ((a + al).min(b + bl) - a.max(b)).max(0.0);
        let shared =
            span(self.x, self.w, other.x, other.w) * span(self.y, self.h, other.y, other.h);
        shared / (self.w * self.h + other.w * other.h - shared)
    }
}

impl TryFrom<[f64; 4]> for NormalizedBbox {
    type Error = BboxError;

    fn try_from([x, y, w, h]: [f64; 4]) -> Result<Self, BboxError> {
        Self::new(x, y, w, h)
    }
}

impl From<NormalizedBbox> for [f64; 4] {
    fn from(b: NormalizedBbox) -> Self {
        [b.x, b.y, b.w, b.h]
    }
}
