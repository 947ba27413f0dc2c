//! Copies of pixels: parts, turns and other scales.

#[cfg(test)]
mod tests;

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};

use super::frame::Frame;

/// Makes a raster of `size` from bytes that were written for it.
///
/// The callers below fill exactly `width * height * 3` bytes and never ask for an empty raster; a white
/// pixel stands in for the impossible case.
fn raster(size: PixelSize, pixels: Vec<u8>) -> Rgb8 {
    let one = PixelSize {
        width: 1,
        height: 1,
    };
    Rgb8::new(size, pixels)
        .or_else(|| Rgb8::new(one, vec![255; 3]))
        .expect("one white pixel is a raster")
}

/// Copies the part of `image` inside `rect`, which lies in it.
pub(super) fn part(image: &Rgb8, rect: PixelRect) -> Rgb8 {
    let mut pixels = Vec::with_capacity(rect.width as usize * rect.height as usize * 3);
    for y in rect.y..rect.bottom() {
        let row = image.row(y);
        pixels.extend_from_slice(&row[rect.x as usize * 3..rect.right() as usize * 3]);
    }
    let size = PixelSize {
        width: rect.width,
        height: rect.height,
    };
    raster(size, pixels)
}

/// Samples `size` pixels of `image` along `frame`, bilinearly; the border pixel continues outside.
pub(super) fn sample(image: &Rgb8, frame: Frame, size: PixelSize) -> Rgb8 {
    let mut pixels = Vec::with_capacity(size.width as usize * size.height as usize * 3);
    let (last_x, last_y) = (image.size().width - 1, image.size().height - 1);
    for y in 0..size.height {
        for x in 0..size.width {
            let [px, py] = frame.to_image(x as f32 + 0.5, y as f32 + 0.5);
            let px = (px - 0.5).clamp(0.0, last_x as f32);
            let py = (py - 0.5).clamp(0.0, last_y as f32);
            let (x0, y0) = (px as u32, py as u32);
            let (x1, y1) = ((x0 + 1).min(last_x), (y0 + 1).min(last_y));
            let (fx, fy) = (px - x0 as f32, py - y0 as f32);
            let (upper, lower) = (image.row(y0), image.row(y1));
            for channel in 0..3 {
                let at = |row: &[u8], x: u32| f32::from(row[x as usize * 3 + channel]);
                let top = at(upper, x0) * (1.0 - fx) + at(upper, x1) * fx;
                let bottom = at(lower, x0) * (1.0 - fx) + at(lower, x1) * fx;
                pixels.push((top * (1.0 - fy) + bottom * fy + 0.5) as u8);
            }
        }
    }
    raster(size, pixels)
}

/// Turns a raster a quarter clockwise.
pub(super) fn turn_clockwise(image: &Rgb8) -> Rgb8 {
    let PixelSize { width, height } = image.size();
    let mut pixels = Vec::with_capacity(image.pixels().len());
    for x in 0..width as usize {
        for y in (0..height).rev() {
            pixels.extend_from_slice(&image.row(y)[x * 3..x * 3 + 3]);
        }
    }
    let size = PixelSize {
        width: height,
        height: width,
    };
    raster(size, pixels)
}

/// Turns a raster a quarter anticlockwise.
pub(super) fn turn_anticlockwise(image: &Rgb8) -> Rgb8 {
    let PixelSize { width, height } = image.size();
    let mut pixels = Vec::with_capacity(image.pixels().len());
    for x in (0..width as usize).rev() {
        for y in 0..height {
            pixels.extend_from_slice(&image.row(y)[x * 3..x * 3 + 3]);
        }
    }
    let size = PixelSize {
        width: height,
        height: width,
    };
    raster(size, pixels)
}

/// The source pixels that make one target pixel along one axis.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

/// Lists for each of `target` pixels which of `source` pixels make it.
///
/// Enlarging interpolates between the two nearest; shrinking averages what the target pixel covers.
fn taps(source: u32, target: u32) -> Vec<Taps> {
    let step = f64::from(source) / f64::from(target);
    (0..target)
        .map(|at| {
            if source > target {
                let (from, to) = (f64::from(at) * step, f64::from(at + 1) * step);
                let first = from.floor() as usize;
                let last = (to.ceil() as usize).clamp(first + 1, source as usize);
                let covered = |i: usize| (to.min(i as f64 + 1.0) - from.max(i as f64)).max(0.0);
                let weights = (first..last).map(|i| (covered(i) / step) as f32).collect();
                Taps { first, weights }
            } else {
                let centre = ((f64::from(at) + 0.5) * step - 0.5).clamp(0.0, f64::from(source - 1));
                let first = centre.floor() as usize;
                let share = (centre - first as f64) as f32;
                let weights = if first + 1 < source as usize {
                    vec![1.0 - share, share]
                } else {
                    vec![1.0]
                };
                Taps { first, weights }
            }
        })
        .collect()
}

/// Returns a copy of `image` in another size, both sides at least 1.
pub(super) fn resize(image: &Rgb8, size: PixelSize) -> Rgb8 {
    if size == image.size() {
        return image.clone();
    }
    let across = taps(image.size().width, size.width);
    let down = taps(image.size().height, size.height);
    let mut pixels = Vec::with_capacity(size.width as usize * size.height as usize * 3);
    let mut row = vec![0.0_f32; image.size().width as usize * 3];
    for tap in &down {
        row.fill(0.0);
        for (offset, weight) in tap.weights.iter().enumerate() {
            let source = image.row((tap.first + offset) as u32);
            for (sum, value) in row.iter_mut().zip(source) {
                *sum += f32::from(*value) * weight;
            }
        }
        for tap in &across {
            let mut sum = [0.5_f32; 3];
            for (offset, weight) in tap.weights.iter().enumerate() {
                let at = (tap.first + offset) * 3;
                for (sum, value) in sum.iter_mut().zip(&row[at..at + 3]) {
                    *sum += value * weight;
                }
            }
            pixels.extend(sum.map(|value| value as u8));
        }
    }
    raster(size, pixels)
}
