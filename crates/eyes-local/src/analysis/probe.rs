//! The pixel probe: the names of a 3x3 grid of solid colours.

use eyes_evidence::raster::Rgb8;
use eyes_router::probe::COLOURS;

use super::colour::{Colour, pixel};
use crate::limits::{
    MIN_PROBE_SIDE, PROBE_COLOUR_DISTANCE, PROBE_MARGIN_PERCENT, PROBE_SOLID_DISTANCE,
};

/// Names the nine cells from left to right, top to bottom.
///
/// Returns nothing when the picture is smaller than a grid, a cell is not of one colour, or a colour is
/// far from every named one. The outer tenth of a cell is not looked at: scaling blurs it.
pub fn probe_cells(image: &Rgb8) -> Option<[&'static str; 9]> {
    let size = image.size();
    if size.width < MIN_PROBE_SIDE || size.height < MIN_PROBE_SIDE {
        return None;
    }
    let mut names = [""; 9];
    for (at, name) in names.iter_mut().enumerate() {
        let (column, row) = (at as u32 % 3, at as u32 / 3);
        let columns = inner(size.width, column);
        let rows = inner(size.height, row);
        let colour = solid(image, columns, rows)?;
        *name = nearest(colour)?;
    }
    Some(names)
}

/// First and last-but-one pixel of the inner part of one third of a side.
fn inner(side: u32, third: u32) -> (u32, u32) {
    let (start, end) = (side * third / 3, side * (third + 1) / 3);
    let margin = ((end - start) * PROBE_MARGIN_PERCENT / 100).max(1);
    (start + margin, end - margin)
}

/// The mean colour of an area whose pixels all lie close to it.
fn solid(image: &Rgb8, columns: (u32, u32), rows: (u32, u32)) -> Option<Colour> {
    let all = || (rows.0..rows.1).flat_map(|y| (columns.0..columns.1).map(move |x| (x, y)));
    let (mut sum, mut count) = ([0_u64; 3], 0_u64);
    for (x, y) in all() {
        count += 1;
        for (sum, channel) in sum.iter_mut().zip(pixel(image, x, y).0) {
            *sum += u64::from(channel);
        }
    }
    if count == 0 {
        return None;
    }
    let mean = Colour(sum.map(|s| ((s + count / 2) / count) as u8));
    all()
        .all(|(x, y)| pixel(image, x, y).distance(mean) <= PROBE_SOLID_DISTANCE)
        .then_some(mean)
}

fn nearest(colour: Colour) -> Option<&'static str> {
    COLOURS
        .iter()
        .map(|named| (Colour(named.rgb).distance(colour), named.name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, _)| distance <= PROBE_COLOUR_DISTANCE)
        .map(|(_, name)| name)
}
