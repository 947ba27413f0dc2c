//! Parts of a picture for a closer look, and the way back to the whole.

use super::{
    Rgb8,
    resize::{area, magnify},
};
use crate::{
    geometry::{NormalizedBbox, PixelRect, PixelSize},
    limits::MAX_MAGNIFICATION,
};

/// How a region becomes a picture that a model reads well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CropPolicy {
    /// Context on each side, as a share of the region's longer side.
    pub margin: f64,
    /// Least context on each side, pixels.
    pub min_margin: u32,
    /// Crops whose longer side is below this are magnified by a whole factor, pixels.
    pub min_side: u32,
    /// Crops whose longer side is above this are shrunk, pixels.
    pub max_side: u32,
}

impl Default for CropPolicy {
    /// Enlarges to at least 640 and shrinks to at most 1568 pixels, the side that hosted models keep.
    fn default() -> Self {
        Self {
            margin: 0.1,
            min_margin: 8,
            min_side: 640,
            max_side: 1568,
        }
    }
}

/// Where a crop lies in its picture; maps boxes between the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CropMap {
    image: PixelSize,
    rect: PixelRect,
    output: PixelSize,
}

impl CropMap {
    /// Returns the part of the picture that the crop shows.
    pub const fn rect(&self) -> PixelRect {
        self.rect
    }

    /// Returns the size of the crop after magnifying or shrinking.
    pub const fn output(&self) -> PixelSize {
        self.output
    }

    /// Maps a box relative to the crop to a box relative to the whole picture.
    pub fn to_image(&self, in_crop: NormalizedBbox) -> Option<NormalizedBbox> {
        let place = |start: f64, length: f64, offset: u32, extent: u32, whole: u32| {
            let (offset, extent) = (f64::from(offset), f64::from(extent));
            let whole = f64::from(whole);
            (
                (offset + start * extent) / whole,
                (offset + (start + length) * extent) / whole,
            )
        };
        let (rect, size) = (self.rect, self.image);
        let (b, w, h) = (in_crop, rect.width, rect.height);
        between(
            place(b.x(), b.width(), rect.x, w, size.width),
            place(b.y(), b.height(), rect.y, h, size.height),
        )
    }

    /// Maps a box relative to the whole picture to the crop; nothing when they do not meet.
    pub fn to_crop(&self, in_image: NormalizedBbox) -> Option<NormalizedBbox> {
        let place = |start: f64, length: f64, offset: u32, extent: u32, whole: u32| {
            let (offset, extent) = (f64::from(offset), f64::from(extent));
            let whole = f64::from(whole);
            (
                (start * whole - offset) / extent,
                ((start + length) * whole - offset) / extent,
            )
        };
        let (rect, size) = (self.rect, self.image);
        let (b, w, h) = (in_image, rect.width, rect.height);
        between(
            place(b.x(), b.width(), rect.x, w, size.width),
            place(b.y(), b.height(), rect.y, h, size.height),
        )
    }
}

/// Makes a box from the ends of its sides, cut at the border and rounded to 9 decimals.
fn between((left, right): (f64, f64), (top, bottom): (f64, f64)) -> Option<NormalizedBbox> {
    let round = |v: f64| (v.clamp(0.0, 1.0) * 1e9).round() / 1e9;
    let (x, y) = (round(left), round(top));
    let side = |start: f64, end: f64| ((round(end) - start) * 1e9).round() / 1e9;
    NormalizedBbox::new(x, y, side(x, right), side(y, bottom)).ok()
}

/// Cuts `region` with its margin out of `raster` and brings it to a readable size.
///
/// Enlarging repeats whole pixels, at most [`MAX_MAGNIFICATION`] times, so that nothing is drawn
/// that was not captured; shrinking averages.
pub fn crop_for_reading(
    raster: &Rgb8,
    region: NormalizedBbox,
    policy: &CropPolicy,
) -> Option<(Rgb8, CropMap)> {
    let image = raster.size();
    let rect = with_margin(region.to_pixels(image), image, policy);
    let cut = raster.crop(rect)?;
    let longer = rect.width.max(rect.height);
    let max_side = policy.max_side.max(1);
    let shown = if longer > max_side {
        area(&cut, shrunk(cut.size(), max_side))?
    } else {
        let wanted = policy.min_side.div_ceil(longer);
        let factor = wanted.min(max_side / longer).clamp(1, MAX_MAGNIFICATION);
        if factor == 1 {
            cut
        } else {
            magnify(&cut, factor)?
        }
    };
    let output = shown.size();
    let map = CropMap {
        image,
        rect,
        output,
    };
    Some((shown, map))
}

fn with_margin(rect: PixelRect, image: PixelSize, policy: &CropPolicy) -> PixelRect {
    let longer = f64::from(rect.width.max(rect.height));
    let margin = ((longer * policy.margin.clamp(0.0, 1.0)).ceil() as u32).max(policy.min_margin);
    let (x, y) = (rect.x.saturating_sub(margin), rect.y.saturating_sub(margin));
    PixelRect {
        x,
        y,
        width: rect.right().saturating_add(margin).min(image.width) - x,
        height: rect.bottom().saturating_add(margin).min(image.height) - y,
    }
}

/// The size with its longer side at `side` and the proportions kept.
fn shrunk(size: PixelSize, side: u32) -> PixelSize {
    let longer = u64::from(size.width.max(size.height));
    let scale = |v: u32| ((u64::from(v) * u64::from(side) + longer / 2) / longer).max(1) as u32;
    PixelSize {
        width: scale(size.width),
        height: scale(size.height),
    }
}
