//! Text detection: where lines of text stand.
//!
//! A segmentation network marks the shrunken core of each line (differentiable binarization, Liao et al.,
//! 2020); the cores are then turned into rectangles.

mod components;
mod detector;
mod geometry;
mod join;
#[cfg(test)]
mod tests;

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};

use self::{
    components::{RowExtent, components},
    geometry::{convex_hull, min_area_rect},
};
pub(super) use self::{
    detector::Detector,
    geometry::{TiltedRect, unclip_margin},
};
use super::{frame::Point, pixels};
use crate::{
    config::Detail,
    limits::{
        MAX_SEARCH_PIXELS, MAX_SINGLE_PASS_PIXELS, MAX_TEXT_BOXES, STANDARD_LONG_SIDE,
        STRIP_ASPECT, TILE_CORE, TILE_MARGIN,
    },
};

/// Probability, of 255, above which a pixel belongs to a core; the model's own setting is 0.2.
const CORE_THRESHOLD: u8 = 51;
/// Mean probability, of 255, below which a core is not text; the model's own setting is 0.4.
const BOX_THRESHOLD: f32 = 102.0;
/// Pixels of the short side below which a core is noise; from the reference post-processing.
const MIN_CORE_SIDE: f32 = 3.0;
/// Least rise or fall of a tilted line over its length, in heights of its core.
///
/// The border of a core wavers by a pixel or two, and screens set text upright; less is read as well upright.
const TILTED_DRIFT: f32 = 0.5;

/// Text probability of each pixel, 255 for certain.
#[derive(Debug)]
pub(super) struct ProbabilityMap {
    pub(super) size: PixelSize,
    pub(super) values: Vec<u8>,
}

/// The core of one line, in pixels of the original image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Core {
    /// Where it is.
    pub(super) rect: TiltedRect,
    /// Mean probability inside, 0..=1.
    pub(super) score: f32,
}

/// Returns the size of the copy in which text is looked for.
pub(super) fn search_size(size: PixelSize, detail: Detail) -> PixelSize {
    let (long, short) = (size.width.max(size.height), size.width.min(size.height));
    let side = if long > short.saturating_mul(STRIP_ASPECT) {
        short
    } else {
        long
    };
    let mut scale: f64 = 1.0;
    if detail == Detail::Standard {
        scale = scale.min(f64::from(STANDARD_LONG_SIDE) / f64::from(side));
    }
    let area = f64::from(size.width) * f64::from(size.height);
    scale = scale.min((MAX_SEARCH_PIXELS as f64 / area).sqrt());
    let scaled = |value: u32| ((f64::from(value) * scale).round() as u32).max(1);
    PixelSize {
        width: scaled(size.width),
        height: scaled(size.height),
    }
}

/// Cuts `size` into parts for the detector: the part to keep and, around it, the part to look at.
pub(super) fn tiles(size: PixelSize) -> Vec<(PixelRect, PixelRect)> {
    let area = u64::from(size.width) * u64::from(size.height);
    if area <= MAX_SINGLE_PASS_PIXELS {
        let whole = PixelRect {
            x: 0,
            y: 0,
            width: size.width,
            height: size.height,
        };
        return vec![(whole, whole)];
    }
    let spans = |length: u32| {
        let count = length.div_ceil(TILE_CORE);
        (0..count).map(move |at| {
            let edge = |at: u32| (u64::from(length) * u64::from(at) / u64::from(count)) as u32;
            (edge(at), edge(at + 1))
        })
    };
    let widen = |(from, to): (u32, u32), length: u32| {
        (
            from.saturating_sub(TILE_MARGIN),
            (to + TILE_MARGIN).min(length),
        )
    };
    let rect = |(x0, x1): (u32, u32), (y0, y1): (u32, u32)| PixelRect {
        x: x0,
        y: y0,
        width: x1 - x0,
        height: y1 - y0,
    };
    let mut tiles = Vec::new();
    for rows in spans(size.height) {
        for columns in spans(size.width) {
            let seen = rect(widen(columns, size.width), widen(rows, size.height));
            tiles.push((rect(columns, rows), seen));
        }
    }
    tiles
}

/// Returns the lines of a map as cores in the pixels of `image`, and how many cores beyond
/// [`MAX_TEXT_BOXES`] were left out.
pub(super) fn lines(map: &ProbabilityMap, image: &Rgb8) -> (Vec<Core>, usize) {
    let mut cores = cores(map, image.size());
    let skipped = cores.len().saturating_sub(MAX_TEXT_BOXES);
    cores.truncate(MAX_TEXT_BOXES);
    (join::join(cores, image), skipped)
}

/// Returns the cores of a map, scaled to an image of `original` pixels.
fn cores(map: &ProbabilityMap, original: PixelSize) -> Vec<Core> {
    let scale_x = original.width as f32 / map.size.width as f32;
    let scale_y = original.height as f32 / map.size.height as f32;
    components(&map.values, map.size.width, CORE_THRESHOLD)
        .iter()
        .filter_map(|rows| core_rect(rows))
        .filter(|rect| rect.width.min(rect.height) >= MIN_CORE_SIDE)
        .filter_map(|rect| {
            let score = mean_inside(map, &rect);
            (score >= BOX_THRESHOLD).then(|| Core {
                rect: rect.scaled(scale_x, scale_y),
                score: score / 255.0,
            })
        })
        .collect()
}

/// Returns the least rectangle around a component; an upright one where the difference does not show.
fn core_rect(rows: &[RowExtent]) -> Option<TiltedRect> {
    let corners = |(y, first, last): &RowExtent| {
        let (y, x0, x1) = (*y as f32, *first as f32, (*last + 1) as f32);
        [([x0, y], [x1, y]), ([x0, y + 1.0], [x1, y + 1.0])]
    };
    let mut points: Vec<Point> = Vec::with_capacity(rows.len() * 4);
    for (a, b) in rows.iter().flat_map(corners) {
        points.extend([a, b]);
    }
    // The lower border of a row is the upper border of the next: put both into the order of the chain.
    points.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
    let rect = min_area_rect(&convex_hull(&points))?;
    if rect.drift() > TILTED_DRIFT * rect.width.min(rect.height) {
        return Some(rect);
    }
    let left = points.iter().map(|p| p[0]).fold(f32::MAX, f32::min);
    let right = points.iter().map(|p| p[0]).fold(f32::MIN, f32::max);
    let (top, bottom) = (points.first()?[1], points.last()?[1]);
    Some(TiltedRect::upright(left, top, right, bottom))
}

/// Returns the mean of the map's values whose centres lie inside `rect`.
fn mean_inside(map: &ProbabilityMap, rect: &TiltedRect) -> f32 {
    let corners = rect.corners();
    let top = corners.iter().map(|p| p[1]).fold(f32::MAX, f32::min);
    let bottom = corners.iter().map(|p| p[1]).fold(f32::MIN, f32::max);
    let rows = top.max(0.0).floor() as u32..(bottom.ceil().max(0.0) as u32).min(map.size.height);
    let (mut sum, mut count) = (0_u64, 0_u64);
    for y in rows {
        let Some((left, right)) = span_at(&corners, y as f32 + 0.5) else {
            continue;
        };
        let first = (left - 0.5).ceil().max(0.0) as usize;
        let end = ((right - 0.5).floor() + 1.0).clamp(0.0, map.size.width as f32) as usize;
        let row = y as usize * map.size.width as usize;
        if first < end {
            let values = &map.values[row + first..row + end];
            sum += values.iter().map(|value| u64::from(*value)).sum::<u64>();
            count += values.len() as u64;
        }
    }
    if count == 0 {
        0.0
    } else {
        sum as f32 / count as f32
    }
}

/// Returns the columns between which the row border `y` lies inside a convex quadrilateral.
fn span_at(corners: &[Point; 4], y: f32) -> Option<(f32, f32)> {
    let mut span: Option<(f32, f32)> = None;
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        if (a[1] <= y) == (b[1] <= y) {
            continue;
        }
        let x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        span = Some(span.map_or((x, x), |(l, r)| (l.min(x), r.max(x))));
    }
    span
}

/// Returns the copy of `image` in which text is looked for; nothing where it is the image itself.
pub(super) fn search_copy(image: &Rgb8, detail: Detail) -> Option<Rgb8> {
    let size = search_size(image.size(), detail);
    (size != image.size()).then(|| pixels::resize(image, size))
}
