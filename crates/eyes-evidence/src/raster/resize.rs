//! Changing the number of pixels, in whole-number arithmetic: the same result on every machine.

use super::Rgb8;
use crate::geometry::PixelSize;

/// Repeats every pixel `factor` times in both directions; nothing is blended.
///
/// Nothing when `factor` is 0 or the result has a side that no [`PixelSize`] can hold.
pub fn magnify(raster: &Rgb8, factor: u32) -> Option<Rgb8> {
    let from = raster.size();
    let size = PixelSize {
        width: from.width.checked_mul(factor)?,
        height: from.height.checked_mul(factor)?,
    };
    let factor = usize::try_from(factor).ok().filter(|f| *f > 0)?;
    let stride = size.width as usize * 3;
    let mut pixels = Vec::with_capacity(stride * size.height as usize);
    for y in 0..from.height {
        let start = pixels.len();
        for pixel in raster.row(y).chunks_exact(3) {
            for _ in 0..factor {
                pixels.extend_from_slice(pixel);
            }
        }
        for _ in 1..factor {
            pixels.extend_from_within(start..start + stride);
        }
    }
    Rgb8::new(size, pixels)
}

/// Takes the pixel under each new pixel's centre; nothing when the new size is empty.
pub fn nearest(raster: &Rgb8, size: PixelSize) -> Option<Rgb8> {
    let columns: Vec<usize> = centres(raster.size().width, size.width).collect();
    let mut pixels = Vec::with_capacity(columns.len() * size.height as usize * 3);
    for y in centres(raster.size().height, size.height) {
        let row = raster.row(y as u32);
        for x in &columns {
            pixels.extend_from_slice(&row[x * 3..x * 3 + 3]);
        }
    }
    Rgb8::new(size, pixels)
}

/// Averages the area that each new pixel covers: for shrinking; nothing when the new size is empty.
///
/// Every source pixel counts by the share of it that is covered, so that thin strokes fade evenly
/// and do not vanish.
pub fn area(raster: &Rgb8, size: PixelSize) -> Option<Rgb8> {
    let across = spans(raster.size().width, size.width)?;
    let down = spans(raster.size().height, size.height)?;
    let height = u64::from(raster.size().height);
    let mut pixels = Vec::with_capacity(across.len() * down.len() * 3);
    let mut sums = vec![0_u64; across.len() * 3];
    let mut reduced = vec![0_u32; across.len() * 3];
    let mut held = None;
    for span in &down {
        sums.fill(0);
        for (offset, weight) in span.weights.iter().enumerate() {
            let y = span.first + offset;
            // A row on a border belongs to two new rows and is reduced once.
            if held != Some(y) {
                reduce_row(
                    raster.row(y as u32),
                    &across,
                    raster.size().width,
                    &mut reduced,
                );
                held = Some(y);
            }
            for (sum, value) in sums.iter_mut().zip(&reduced) {
                *sum += u64::from(*value) * weight;
            }
        }
        // Reduced values carry 8 fraction bits.
        pixels.extend(
            sums.iter()
                .map(|s| ((s + height * 128) / (height * 256)) as u8),
        );
    }
    Rgb8::new(size, pixels)
}

/// Blends the four neighbours of each new pixel's centre; nothing when the new size is empty.
///
/// For enlarging, and for shrinking by less than half; below that it skips pixels and
/// [`area`] is the right one.
pub fn bilinear(raster: &Rgb8, size: PixelSize) -> Option<Rgb8> {
    let across: Vec<_> = pairs(raster.size().width, size.width).collect();
    let mut pixels = Vec::with_capacity(across.len() * size.height as usize * 3);
    for (y, below, fy) in pairs(raster.size().height, size.height) {
        let (upper, lower) = (raster.row(y as u32), raster.row(below as u32));
        for (x, right, fx) in &across {
            for channel in 0..3 {
                let (l, r) = (x * 3 + channel, right * 3 + channel);
                let top = blend(u32::from(upper[l]) << 8, u32::from(upper[r]) << 8, *fx);
                let bottom = blend(u32::from(lower[l]) << 8, u32::from(lower[r]) << 8, *fx);
                pixels.push(((blend(top, bottom, fy) + 128) >> 8) as u8);
            }
        }
    }
    Rgb8::new(size, pixels)
}

/// Mixes two values; `share` of 256 parts of the second.
fn blend(a: u32, b: u32, share: u32) -> u32 {
    (a * (256 - share) + b * share + 128) >> 8
}

/// The source pixels under the centres of new pixels.
fn centres(from: u32, to: u32) -> impl Iterator<Item = usize> {
    (0..u64::from(to)).map(move |i| {
        let twice = u64::from(to.max(1)) * 2;
        ((i * 2 + 1) * u64::from(from) / twice) as usize
    })
}

/// Left neighbour, right neighbour and the right one's share of 256, for each new pixel.
fn pairs(from: u32, to: u32) -> impl Iterator<Item = (usize, usize, u32)> {
    let last = u64::from(from).saturating_sub(1) as usize;
    (0..u64::from(to)).map(move |i| {
        let twice = u64::from(to.max(1)) * 2;
        // Position of the centre in 1/256 of a source pixel, less half a pixel.
        let position = ((i * 2 + 1) * u64::from(from) * 256 / twice).saturating_sub(128);
        let left = ((position >> 8) as usize).min(last);
        (left, (left + 1).min(last), (position & 255) as u32)
    })
}

/// The source pixels that one new pixel covers.
struct Span {
    first: usize,
    /// Covered share of each, in units whose sum is the number of source pixels.
    weights: Vec<u64>,
}

fn spans(from: u32, to: u32) -> Option<Vec<Span>> {
    let (from, to) = (u64::from(from), u64::from(to));
    if to == 0 {
        return None;
    }
    // One axis in units of 1/to of a source pixel: source pixel i is [i*to, (i+1)*to),
    // new pixel o is [o*from, (o+1)*from).
    let spans = (0..to).map(|o| {
        let (start, end) = (o * from, (o + 1) * from);
        let first = start / to;
        let weights = (first..end.div_ceil(to))
            .map(|i| ((i + 1) * to).min(end) - (i * to).max(start))
            .collect();
        Span {
            first: first as usize,
            weights,
        }
    });
    Some(spans.collect())
}

/// Reduces one row to the new width, with 8 fraction bits.
fn reduce_row(row: &[u8], across: &[Span], width: u32, reduced: &mut [u32]) {
    let width = u64::from(width);
    for (span, out) in across.iter().zip(reduced.chunks_exact_mut(3)) {
        let mut sums = [0_u64; 3];
        let pixels = row[span.first * 3..].chunks_exact(3);
        for (pixel, weight) in pixels.zip(&span.weights) {
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*value) * weight;
            }
        }
        for (value, sum) in out.iter_mut().zip(sums) {
            *value = ((sum * 256 + width / 2) / width) as u32;
        }
    }
}
