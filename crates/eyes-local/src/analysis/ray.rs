//! Round controls, found by looking outwards from a disc: smoothing breaks thin rings into pieces, so
//! the ring itself is no area of one colour.

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};

use super::{
    colour::{Colour, pixel},
    rect::{from_edges, middle_x, middle_y},
    shape::FlatBox,
};

/// Channel levels within which smoothed pixels count as the colour they come from.
const SMOOTH: u8 = 40;

/// The pill around a knob.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pill {
    pub rect: PixelRect,
    pub fill: Colour,
    /// Whether the knob is at the right end.
    pub at_right: bool,
}

/// A walk in one direction.
#[derive(Clone, Copy)]
struct Ray<'a> {
    image: &'a Rgb8,
    step: (i32, i32),
}

impl Ray<'_> {
    /// Returns the place `by` steps from a place, while it is inside the picture.
    fn at(&self, from: (u32, u32), by: u32) -> Option<(u32, u32)> {
        let by = by as i32;
        let x = from.0.checked_add_signed(self.step.0 * by)?;
        let y = from.1.checked_add_signed(self.step.1 * by)?;
        (x < self.image.size().width && y < self.image.size().height).then_some((x, y))
    }

    /// Returns how many steps from a place have its colour, at most `most`.
    fn length(&self, from: (u32, u32), colour: Colour, most: u32) -> u32 {
        (1..=most)
            .take_while(|&by| {
                self.at(from, by)
                    .is_some_and(|(x, y)| pixel(self.image, x, y).distance(colour) <= SMOOTH)
            })
            .count() as u32
    }
}

const LEFT: (i32, i32) = (-1, 0);
const RIGHT: (i32, i32) = (1, 0);
const UP: (i32, i32) = (0, -1);
const DOWN: (i32, i32) = (0, 1);

/// Looks for a pill of another colour around a knob: longer on one side, round at its end, 1.4 to 3.4
/// times as wide as high.
pub(super) fn pill_around(image: &Rgb8, knob: &FlatBox) -> Option<Pill> {
    [false, true]
        .into_iter()
        .find_map(|at_right| pill_on_side(image, knob, at_right))
}

fn pill_on_side(image: &Rgb8, knob: &FlatBox, at_right: bool) -> Option<Pill> {
    let k = knob.rect;
    let side = k.height;
    let ray = |step| Ray { image, step };
    let (out, back) = if at_right {
        (LEFT, RIGHT)
    } else {
        (RIGHT, LEFT)
    };
    let start = ray(out).at((middle_x(k), middle_y(k)), side)?;
    let fill = pixel(image, start.0, start.1);
    if fill.distance(knob.fill) <= 24 {
        return None;
    }
    let reach = ray(out).length(start, fill, 4 * side);
    let up = ray(UP).length(start, fill, 2 * side);
    let down = ray(DOWN).length(start, fill, 2 * side);
    let height = up + down + 1;
    if height * 2 < side || height * 10 > side * 22 || up.abs_diff(down) > 3 {
        return None;
    }
    // Beyond the knob and its smoothed edge the pill ends after its margin.
    let centre = (middle_x(k), middle_y(k));
    let margin = (side / 2..side / 2 + 4).find_map(|by| {
        let at = ray(back).at(centre, by)?;
        (pixel(image, at.0, at.1).distance(fill) <= SMOOTH).then_some((by, at))
    });
    let behind = margin.map_or(0, |(by, at)| {
        let end = by + ray(back).length(at, fill, side) + 1;
        end.saturating_sub(side.div_ceil(2))
    });
    if behind > height / 2 {
        return None;
    }
    let (left, right) = if at_right {
        (start.0 - reach, k.right() + behind)
    } else {
        (k.x.saturating_sub(behind), start.0 + reach + 1)
    };
    let (top, bottom) = (start.1 - up, start.1 + down + 1);
    let width = right.saturating_sub(left);
    let end = if at_right { left } else { right - 1 };
    let round = [top, bottom - 1]
        .iter()
        .all(|&y| pixel(image, end, y).distance(fill) > SMOOTH);
    let rect = from_edges(left, top, right, bottom);
    (width * 10 >= height * 14 && width * 10 <= height * 34 && round).then_some(Pill {
        rect,
        fill,
        at_right,
    })
}

/// Looks for a ring of nearly the colour of a dot around it, with another colour between and outside.
pub(super) fn ring_around(image: &Rgb8, dot: &FlatBox) -> Option<PixelRect> {
    let d = dot.rect;
    let centre = (middle_x(d), middle_y(d));
    let mut reach = [0_u32; 4];
    for (step, reach) in [LEFT, RIGHT, UP, DOWN].into_iter().zip(&mut reach) {
        let ray = Ray { image, step };
        let colour = |by: u32| ray.at(centre, by).map(|(x, y)| pixel(image, x, y));
        let most = d.width * 3 / 2 + 3;
        let dark = |by: u32| colour(by).map(|c| c.distance(dot.fill));
        let gap = (d.width / 2..most).find(|&by| dark(by).is_some_and(|v| v > 100))?;
        let ring = (gap + 1..most).find(|&by| dark(by).is_some_and(|v| v < 100))?;
        let out = (ring + 1..most + 3).find(|&by| dark(by).is_some_and(|v| v > 100))?;
        *reach = out;
    }
    let [left, right, up, down] = reach;
    let even = left.abs_diff(right) <= 2 && up.abs_diff(down) <= 2 && left.abs_diff(up) <= 2;
    even.then(|| {
        from_edges(
            (centre.0 + 1).saturating_sub(left),
            (centre.1 + 1).saturating_sub(up),
            centre.0 + right,
            centre.1 + down,
        )
    })
}
