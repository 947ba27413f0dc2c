//! Joining the cores of one line that the network left apart.

use eyes_evidence::raster::Rgb8;

use super::{Core, TiltedRect, unclip_margin};

/// Share of the lower core's height that two cores of one line have in common.
const COMMON_ROWS: f32 = 0.7;
/// How much higher one core of a line may be than another.
const HEIGHT_RATIO: f32 = 1.5;
/// How much larger than its core a line is when its ends are compared; a word's space is bridged.
const REACH_RATIO: f32 = 1.8;
/// Summed channel distance of two backgrounds that are one.
const SAME_BACKGROUND: u16 = 24;

/// Joins upright cores that stand side by side, closer than their margins, on one background.
///
/// Words of fixed-width print are sometimes found one by one. What is joined here and does not belong
/// together is parted again where the paper between is wide or a rule runs through it.
pub(super) fn join(mut cores: Vec<Core>, image: &Rgb8) -> Vec<Core> {
    cores.sort_by(|a, b| left(a).total_cmp(&left(b)));
    let mut lines: Vec<Core> = Vec::with_capacity(cores.len());
    for core in cores {
        let before = lines
            .iter_mut()
            .filter(|line| belongs(line, &core, image))
            .min_by(|a, b| right(b).total_cmp(&right(a)));
        match before {
            Some(line) => *line = joined(line, &core),
            None => lines.push(core),
        }
    }
    lines
}

fn left(core: &Core) -> f32 {
    core.rect.center[0] - core.rect.width / 2.0
}

fn right(core: &Core) -> f32 {
    core.rect.center[0] + core.rect.width / 2.0
}

fn rows(core: &Core) -> (f32, f32) {
    let half = core.rect.height / 2.0;
    (core.rect.center[1] - half, core.rect.center[1] + half)
}

fn belongs(line: &Core, core: &Core, image: &Rgb8) -> bool {
    let (a, b) = (&line.rect, &core.rect);
    if a.axis[1] != 0.0 || b.axis[1] != 0.0 {
        return false;
    }
    let gap = left(core) - right(line);
    let reach = |r: &TiltedRect| unclip_margin(r.width, r.height, REACH_RATIO);
    if gap < 0.0 || gap > reach(a) + reach(b) {
        return false;
    }
    let ((a_top, a_bottom), (b_top, b_bottom)) = (rows(line), rows(core));
    let common = a_bottom.min(b_bottom) - a_top.max(b_top);
    let (low, high) = (a.height.min(b.height), a.height.max(b.height));
    // Turned text and lone marks are higher than wide; they are no part of a line of words.
    let wide = |r: &TiltedRect| r.width >= r.height;
    common >= COMMON_ROWS * low
        && high <= HEIGHT_RATIO * low
        && (wide(a) || wide(b))
        && same_background(line, core, image)
}

/// Returns the smallest upright rectangle around both.
fn joined(line: &Core, core: &Core) -> Core {
    let ((a_top, a_bottom), (b_top, b_bottom)) = (rows(line), rows(core));
    let rect = TiltedRect::upright(
        left(line),
        a_top.min(b_top),
        right(line).max(right(core)),
        a_bottom.max(b_bottom),
    );
    let (a, b) = (line.rect.width, core.rect.width);
    let score = (line.score * a + core.score * b) / (a + b);
    Core { rect, score }
}

/// Compares what stands behind the two cores' facing ends.
fn same_background(line: &Core, core: &Core, image: &Rgb8) -> bool {
    let (x0, x1) = (right(line) as u32, left(core).max(0.0) as u32);
    let color = |core: &Core, x: u32| modal(core, x, image);
    match (color(line, x0), color(core, x1)) {
        (Some(a), Some(b)) => {
            a.iter()
                .zip(b)
                .map(|(a, b)| u16::from(a.abs_diff(b)))
                .sum::<u16>()
                <= SAME_BACKGROUND
        }
        _ => false,
    }
}

/// Returns the most frequent colour near column `x` of a core, of 4,096 equal cells of the colour cube.
fn modal(core: &Core, x: u32, image: &Rgb8) -> Option<[u8; 3]> {
    let (top, bottom) = rows(core);
    let size = image.size();
    let reach = (bottom - top).max(1.0) as u32;
    let columns = x.saturating_sub(reach)..(x + reach).min(size.width);
    let rows = top.max(0.0) as u32..(bottom.ceil() as u32).min(size.height);
    let mut pixels: Vec<[u8; 3]> = Vec::new();
    for y in rows {
        let row = image.row(y);
        let part = row.get(columns.start as usize * 3..columns.end as usize * 3)?;
        pixels.extend(part.chunks_exact(3).map(|p| [p[0], p[1], p[2]]));
    }
    let cell = |p: &[u8; 3]| p.map(|channel| channel >> 4);
    pixels.sort_unstable_by_key(cell);
    let longest = pixels
        .chunk_by(|a, b| cell(a) == cell(b))
        .max_by_key(|run| run.len())?;
    longest.get(longest.len() / 2).copied()
}
