//! Reading order: panels and columns stay together, rows run from top to bottom.

use eyes_evidence::geometry::PixelRect;

use super::rect::{median, middle_x, middle_y, near, shared_rows, union_all};
use crate::limits::{MAX_ORDER_DEPTH, MIN_COLUMN_ROWS};

/// A thing to be put in order: a line of text, or a panel with what is in it.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub rect: PixelRect,
    /// The line; nothing for a panel.
    pub line: Option<usize>,
    /// What the panel holds.
    pub inside: Vec<Self>,
    /// Whether the content is read row by row without looking for columns, as in a table.
    pub by_rows: bool,
}

impl Block {
    pub(super) const fn line(line: usize, rect: PixelRect) -> Self {
        Self {
            rect,
            line: Some(line),
            inside: Vec::new(),
            by_rows: true,
        }
    }
}

/// Groups things into rows by their vertical centre; rows from top to bottom, each from left to right.
pub(super) fn rows_of<T: Clone>(items: &[T], rect: impl Fn(&T) -> PixelRect) -> Vec<Vec<T>> {
    let mut sorted: Vec<(PixelRect, &T)> = items.iter().map(|i| (rect(i), i)).collect();
    sorted.sort_by_key(|(r, _)| (2 * r.y + r.height, r.x));
    let mut rows: Vec<(u64, Vec<(PixelRect, &T)>)> = Vec::new();
    for (r, item) in sorted {
        let centre = u64::from(middle_y(r));
        if let Some((sum, row)) = rows.last_mut() {
            let count = row.len() as u64;
            let low = row.iter().map(|(o, _)| o.height).min().unwrap_or(0);
            if (centre * count).abs_diff(*sum) * 2 <= u64::from(low.min(r.height)) * count {
                *sum += centre;
                row.push((r, item));
                continue;
            }
        }
        rows.push((centre, vec![(r, item)]));
    }
    rows.into_iter()
        .map(|(_, mut row)| {
            row.sort_by_key(|(r, _)| (r.x, r.y));
            row.into_iter().map(|(_, item)| item.clone()).collect()
        })
        .collect()
}

/// Sorts things row by row.
pub(super) fn sort_reading<T: Clone>(items: &mut Vec<T>, rect: impl Fn(&T) -> PixelRect) {
    if items.len() > 1 {
        *items = rows_of(items, rect).into_iter().flatten().collect();
    }
}

/// Returns the lines of `blocks` in reading order.
pub(super) fn reading_order(blocks: Vec<Block>) -> Vec<usize> {
    let mut out = Vec::new();
    arrange(blocks, false, 0, &mut out);
    out
}

fn arrange(blocks: Vec<Block>, by_rows: bool, depth: usize, out: &mut Vec<usize>) {
    if by_rows || depth >= MAX_ORDER_DEPTH {
        for block in rows_of(&blocks, |b| b.rect).into_iter().flatten() {
            emit(block, depth, out);
        }
        return;
    }
    let Some(extent) = union_all(blocks.iter().map(|b| b.rect)) else {
        return;
    };
    let wide = median(blocks.iter().map(|b| b.rect.height).collect()).clamp(8, 40);
    let bands = bands_of(blocks);
    let mut at = 0;
    while at < bands.len() {
        let (end, gutters) = shared_gutters(&bands, at, extent, wide);
        let cut = gutters.into_iter().find_map(|gutter| {
            let end = at + column_end(&bands[at..end], gutter);
            let group: Vec<Block> = bands[at..end].iter().flatten().cloned().collect();
            split(&group, gutter).map(|(left, right)| (end, left, right))
        });
        if let Some((end, left, right)) = cut {
            arrange(left, false, depth + 1, out);
            arrange(right, false, depth + 1, out);
            at = end;
        } else {
            let step = if end > at + 1 { end - 1 } else { end };
            for band in &bands[at..step] {
                for block in rows_of(band, |b| b.rect).into_iter().flatten() {
                    emit(block, depth, out);
                }
            }
            at = step;
        }
    }
}

fn emit(block: Block, depth: usize, out: &mut Vec<usize>) {
    match block.line {
        Some(line) => out.push(line),
        None => arrange(block.inside, block.by_rows, depth + 1, out),
    }
}

/// Cuts at every row that is free over the whole width.
fn bands_of(mut blocks: Vec<Block>) -> Vec<Vec<Block>> {
    blocks.sort_by_key(|b| (b.rect.y, b.rect.x));
    let mut bands: Vec<Vec<Block>> = Vec::new();
    let mut bottom = 0;
    for block in blocks {
        // Boxes around ink of neighbouring lines overlap by a pixel or two.
        let slack = (block.rect.height / 4).min(4);
        let free = block.rect.y + slack >= bottom;
        bottom = bottom.max(block.rect.bottom());
        match bands.last_mut() {
            Some(band) if !free => band.push(block),
            _ => bands.push(vec![block]),
        }
    }
    bands
}

/// Returns how far from band `at` some column of `wide` pixels stays free, and those free columns.
fn shared_gutters(
    bands: &[Vec<Block>],
    at: usize,
    extent: PixelRect,
    wide: u32,
) -> (usize, Vec<(u32, u32)>) {
    let mut shared = free_columns(&bands[at], extent);
    for (nth, band) in bands.iter().enumerate().skip(at + 1) {
        let own = free_columns(band, extent);
        let mut common: Vec<(u32, u32)> = Vec::new();
        for &(l, r) in &shared {
            for &(ol, or) in &own {
                let (l, r) = (l.max(ol), r.min(or));
                if r >= l + wide {
                    common.push((l, r));
                }
            }
        }
        if common.is_empty() {
            return (nth, shared);
        }
        shared = common;
    }
    (bands.len(), shared)
}

/// Returns where columns end: a band below both of them that stands on one side only, further from that
/// side than its rows are from each other, is a new part of the page.
fn column_end(bands: &[Vec<Block>], gutter: (u32, u32)) -> usize {
    let middle = u32::midpoint(gutter.0, gutter.1);
    let on_left = |b: &&Block| middle_x(b.rect) < middle;
    let both = |band: &Vec<Block>| {
        let left = band.iter().filter(on_left).count();
        left > 0 && left < band.len()
    };
    let Some(last) = bands.iter().rposition(both) else {
        return bands.len();
    };
    let mut bottoms = [0_u32; 2];
    let mut gaps = [0_u32; 2];
    for (nth, band) in bands.iter().enumerate() {
        for block in band {
            let side = usize::from(middle_x(block.rect) >= middle);
            let gap = block.rect.y.saturating_sub(bottoms[side]);
            if bottoms[side] > 0 {
                let apart = gap > 2 * gaps[side] && gap > 2 * block.rect.height.min(40);
                if nth > last && apart {
                    return nth;
                }
                gaps[side] = gaps[side].max(gap);
            }
            bottoms[side] = bottoms[side].max(block.rect.bottom());
        }
    }
    bands.len()
}

/// Free columns of a band within `extent`, those at its edges included.
fn free_columns(band: &[Block], extent: PixelRect) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = band.iter().map(|b| (b.rect.x, b.rect.right())).collect();
    spans.sort_unstable();
    let mut free = Vec::new();
    let mut reached = extent.x;
    for (left, right) in spans {
        if left > reached {
            free.push((reached, left));
        }
        reached = reached.max(right);
    }
    if extent.right() > reached {
        free.push((reached, extent.right()));
    }
    free
}

/// Divides a group at a gutter when both sides are columns in their own right: several rows each, and
/// either running text on both sides or rows that do not stand level with each other.
fn split(group: &[Block], gutter: (u32, u32)) -> Option<(Vec<Block>, Vec<Block>)> {
    let middle = u32::midpoint(gutter.0, gutter.1);
    let (left, right): (Vec<Block>, Vec<Block>) = group
        .iter()
        .cloned()
        .partition(|b| middle_x(b.rect) < middle);
    let panels = |side: &[Block]| side.iter().any(|b| b.line.is_none());
    let enough = |side: &[Block]| {
        side.iter().map(Block::weight).sum::<usize>() >= MIN_COLUMN_ROWS
            || (!side.is_empty() && side.iter().all(|b| b.line.is_none()))
    };
    // In a conversation the two sides take turns; columns stand beside each other.
    if !enough(&left) || !enough(&right) || beside_share(&left, &right) < 0.5 {
        return None;
    }
    let running = |side: &[Block]| {
        let widths = side
            .iter()
            .map(|b| b.rect.width * 10 / b.rect.height.max(1));
        median(widths.collect()) >= 100
    };
    let level = level_share(&left, &right);
    let columns = (running(&left) && running(&right)) || level < 0.6;
    (columns || panels(&left) || panels(&right)).then_some((left, right))
}

impl Block {
    fn weight(&self) -> usize {
        match self.line {
            Some(_) => 1,
            None => self.inside.iter().map(Self::weight).sum(),
        }
    }
}

/// Share of the things of the shorter side that have something of the other beside them.
fn beside_share(left: &[Block], right: &[Block]) -> f32 {
    let (short, long) = by_length(left, right);
    let beside = |b: &&Block| long.iter().any(|o| shared_rows(o.rect, b.rect) > 0);
    short.iter().filter(beside).count() as f32 / short.len().max(1) as f32
}

fn by_length<'a>(a: &'a [Block], b: &'a [Block]) -> (&'a [Block], &'a [Block]) {
    if a.len() <= b.len() { (a, b) } else { (b, a) }
}

/// Share of the things of the shorter side that stand level with one of the other.
fn level_share(left: &[Block], right: &[Block]) -> f32 {
    let (short, long) = by_length(left, right);
    let centres: Vec<u32> = long.iter().map(|b| middle_y(b.rect)).collect();
    let level = |b: &&Block| {
        let slack = (b.rect.height / 3).max(2);
        centres.iter().any(|&c| near(c, middle_y(b.rect), slack))
    };
    short.iter().filter(level).count() as f32 / short.len().max(1) as f32
}
