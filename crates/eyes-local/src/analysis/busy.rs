//! What is neither text nor box: icons, and areas that look like a photograph or a drawing.

use eyes_evidence::geometry::PixelRect;

use super::{
    colour::Colour,
    component::{Component, Components},
    control::Control,
    rect::{area, from_edges, grown, share_inside, union},
    scene::Scene,
};
use crate::limits::{
    BUSY_RUNS, ICON_GAP, ICON_SIDE, MAX_ICON_PARTS, MAX_ICONS, MAX_PICTURES, MIN_PICTURE_TILES,
    TILE,
};

/// A small thing that is not text; what it means is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon {
    /// Where it is.
    pub rect: PixelRect,
    /// The colour that most of it has.
    pub colour: Colour,
}

/// Finds areas full of small colour changes that the reader found no text in.
pub(super) fn pictures(scene: &Scene<'_>, parts: &Components) -> Vec<PixelRect> {
    let size = scene.image.size();
    let wide = parts.tiles_wide;
    let mut busy: Vec<bool> = parts.busy.iter().map(|&runs| runs >= BUSY_RUNS).collect();
    for line in scene.lines {
        let Some(r) = grown(line.rect, 2).clamp_to(size) else {
            continue;
        };
        for ty in r.y / TILE..=(r.bottom() - 1) / TILE {
            for tx in r.x / TILE..=(r.right() - 1) / TILE {
                busy[ty as usize * wide + tx as usize] = false;
            }
        }
    }
    let mut found = Vec::new();
    for start in 0..busy.len() {
        if !busy[start] {
            continue;
        }
        let (count, left, top, right, bottom) = flood(&mut busy, wide, start);
        let (w, h) = (right - left + 1, bottom - top + 1);
        if w >= MIN_PICTURE_TILES && h >= MIN_PICTURE_TILES && count * 2 >= w * h {
            let tile = |t: usize| t as u32 * TILE;
            let r = from_edges(tile(left), tile(top), tile(right + 1), tile(bottom + 1));
            found.extend(r.clamp_to(size));
        }
    }
    found.sort_by_key(|&r| (std::cmp::Reverse(area(r)), r.y, r.x));
    found.truncate(MAX_PICTURES);
    found.sort_by_key(|r| (r.y, r.x));
    found
}

/// Clears a connected group of tiles; returns its size and its edges in tiles.
fn flood(busy: &mut [bool], wide: usize, start: usize) -> (usize, usize, usize, usize, usize) {
    let (x, y) = (start % wide, start / wide);
    let mut out = (0, x, y, x, y);
    let mut open = vec![start];
    busy[start] = false;
    while let Some(at) = open.pop() {
        let (x, y) = (at % wide, at / wide);
        out = (
            out.0 + 1,
            out.1.min(x),
            out.2.min(y),
            out.3.max(x),
            out.4.max(y),
        );
        let next = [
            (x > 0).then(|| at - 1),
            (x + 1 < wide).then_some(at + 1),
            at.checked_sub(wide),
            (at + wide < busy.len()).then_some(at + wide),
        ];
        for at in next.into_iter().flatten() {
            if busy[at] {
                busy[at] = false;
                open.push(at);
            }
        }
    }
    out
}

/// Finds small groups of coloured areas that no text, control or picture covers.
pub(super) fn icons(
    scene: &Scene<'_>,
    parts: &[Component],
    controls: &[Control],
    pictures: &[PixelRect],
) -> Vec<Icon> {
    let covered = |r: PixelRect| {
        let letter = |l: &crate::text::TextLine| {
            share_inside(r, grown(l.rect, 2)) > 0.4 && r.height <= l.rect.height * 3 / 2 + 2
        };
        scene.lines.iter().any(letter) || pictures.iter().any(|&p| share_inside(r, p) > 0.5)
    };
    let mut small: Vec<&Component> = parts
        .iter()
        .filter(|c| c.rect.width <= ICON_SIDE.1 && c.rect.height <= ICON_SIDE.1)
        .collect();
    // The largest first, so that the bound drops specks.
    small.sort_by_key(|c| (std::cmp::Reverse(c.area), c.rect.y, c.rect.x));
    small.truncate(MAX_ICON_PARTS);
    small.retain(|c| !covered(c.rect) && !is_control(c.rect, controls));
    small.sort_by_key(|c| (c.rect.y, c.rect.x));
    let mut icons: Vec<Icon> = clusters(&small)
        .into_iter()
        .filter(|(r, _)| {
            let (w, h) = (r.width, r.height);
            let sized =
                w.min(h) >= ICON_SIDE.0 / 2 && w.max(h) >= ICON_SIDE.0 && w.max(h) <= ICON_SIDE.1;
            sized && w <= 4 * h && h <= 4 * w && !covered(*r)
        })
        .map(|(rect, colour)| Icon { rect, colour })
        .collect();
    icons.sort_by_key(|i| (i.rect.y, i.rect.x));
    icons.truncate(MAX_ICONS);
    icons
}

/// Check boxes, radio buttons, toggles and bars are drawn of small parts; a sign on a button is not one
/// of them.
fn is_control(r: PixelRect, controls: &[Control]) -> bool {
    controls.iter().any(|c| {
        let own = c.state.is_some() || c.value.is_some() || c.label.is_none();
        let edge = area(r) * 2 > area(c.rect);
        (own || edge) && share_inside(r, grown(c.rect, 3)) > 0.7
    })
}

/// Joins parts that nearly touch; returns the box of each group and the colour of its largest part.
fn clusters(parts: &[&Component]) -> Vec<(PixelRect, Colour)> {
    let mut group: Vec<usize> = (0..parts.len()).collect();
    for (at, part) in parts.iter().enumerate() {
        let reach = grown(part.rect, ICON_GAP);
        let below = parts[at + 1..]
            .iter()
            .take_while(|o| o.rect.y <= reach.bottom());
        for (nth, other) in below.enumerate() {
            let r = other.rect;
            if r.x < reach.right() && r.right() > reach.x {
                let (a, b) = (root(&mut group, at), root(&mut group, at + 1 + nth));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut boxes: Vec<Option<(PixelRect, Colour, u32)>> = vec![None; parts.len()];
    for (at, part) in parts.iter().enumerate() {
        let entry = &mut boxes[root(&mut group, at)];
        *entry = Some(match *entry {
            None => (part.rect, part.colour, part.area),
            Some((r, colour, most)) if most >= part.area => (union(r, part.rect), colour, most),
            Some((r, ..)) => (union(r, part.rect), part.colour, part.area),
        });
    }
    boxes
        .into_iter()
        .flatten()
        .map(|(r, c, _)| (r, c))
        .collect()
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
