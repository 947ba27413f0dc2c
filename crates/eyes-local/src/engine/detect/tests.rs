use eyes_evidence::geometry::{PixelRect, PixelSize};
use proptest::prelude::*;

use super::{
    ProbabilityMap, TiltedRect,
    components::components,
    cores,
    geometry::{convex_hull, min_area_rect, unclip_margin},
    search_size, tiles,
};
use crate::{config::Detail, limits::MAX_SEARCH_PIXELS};

fn size(width: u32, height: u32) -> PixelSize {
    PixelSize { width, height }
}

/// Draws a map from text: `#` is certain, `+` is 0.3, anything else 0.
fn map(rows: &[&str]) -> ProbabilityMap {
    let value = |c: char| match c {
        '#' => 255,
        '+' => 77,
        _ => 0,
    };
    ProbabilityMap {
        size: size(rows[0].len() as u32, rows.len() as u32),
        values: rows.iter().flat_map(|row| row.chars().map(value)).collect(),
    }
}

#[test]
fn components_join_over_corners_and_forks() {
    let map = map(&[
        "##....#..", //
        "..#..#...", //
        "...##....", //
        ".........", //
        "#.......#", //
        "#########",
    ]);
    let found = components(&map.values, 9, 51);
    assert_eq!(
        found,
        [
            vec![(0, 0, 6), (1, 2, 5), (2, 3, 4)],
            vec![(4, 0, 8), (5, 0, 8)]
        ]
    );
}

#[test]
fn a_component_ends_at_the_right_border() {
    let map = map(&["..#", "#.."]);
    assert_eq!(
        components(&map.values, 3, 51),
        [vec![(0, 2, 2)], vec![(1, 0, 0)]]
    );
}

/// Joins pixels one pair at a time: slow, and plainly right.
fn flood(map: &ProbabilityMap) -> usize {
    let (w, h) = (map.size.width as i64, map.size.height as i64);
    let mut seen = vec![false; map.values.len()];
    let mut count = 0;
    for start in 0..map.values.len() {
        if seen[start] || map.values[start] <= 51 {
            continue;
        }
        count += 1;
        let mut open = vec![start as i64];
        seen[start] = true;
        while let Some(at) = open.pop() {
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let (x, y) = (at % w + dx, at / w + dy);
                let next = y * w + x;
                if (0..w).contains(&x)
                    && (0..h).contains(&y)
                    && !seen[next as usize]
                    && map.values[next as usize] > 51
                {
                    seen[next as usize] = true;
                    open.push(next);
                }
            }
        }
    }
    count
}

proptest! {
    #[test]
    fn components_are_those_of_a_flood_fill(width in 1_u32..24, bits in prop::collection::vec(0_u8..3, 1..400)) {
        let rows = bits.len() as u32 / width;
        prop_assume!(rows > 0);
        let values: Vec<u8> = bits.iter().map(|b| b * 100).take((rows * width) as usize).collect();
        let map = ProbabilityMap { size: size(width, rows), values };
        let found = components(&map.values, width, 51);
        prop_assert_eq!(found.len(), flood(&map));
        for rows in found {
            for pair in rows.windows(2) {
                prop_assert_eq!(pair[0].0 + 1, pair[1].0, "rows of a component have no gap");
            }
        }
    }

    #[test]
    fn a_tilted_rectangle_is_found_again(degrees in -44.0_f32..44.0, width in 40.0_f32..300.0, height in 8.0_f32..30.0) {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let rect = TiltedRect { center: [400.0, 300.0], axis: [cos, sin], width, height };
        let mut corners = rect.corners().to_vec();
        corners.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        let found = min_area_rect(&convex_hull(&corners)).unwrap();
        prop_assert!((found.width - width).abs() < 0.05 && (found.height - height).abs() < 0.05, "{found:?}");
        prop_assert!((found.axis[0] - cos).abs() < 0.01 && (found.axis[1] - sin).abs() < 0.01, "{found:?}");
        prop_assert!((found.center[0] - 400.0).abs() < 0.05 && (found.center[1] - 300.0).abs() < 0.05);
    }

    #[test]
    fn a_hull_holds_every_point(mut points in prop::collection::vec((0_u16..200, 0_u16..200), 1..60)) {
        points.sort_by_key(|(x, y)| (*y, *x));
        points.dedup();
        let points: Vec<[f32; 2]> = points.iter().map(|(x, y)| [f32::from(*x), f32::from(*y)]).collect();
        let hull = convex_hull(&points);
        for (a, b) in hull.iter().zip(hull.iter().cycle().skip(1)) {
            for p in &points {
                let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                prop_assert!(turn >= -0.01, "{p:?} is outside {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn tiles_cover_every_pixel_once_and_see_their_surroundings(width in 1_u32..9_000, height in 1_u32..9_000) {
        let whole = size(width, height);
        let tiles = tiles(whole);
        let area: u64 = tiles.iter().map(|(kept, _)| u64::from(kept.width) * u64::from(kept.height)).sum();
        prop_assert_eq!(area, u64::from(width) * u64::from(height));
        for (kept, seen) in &tiles {
            prop_assert!(seen.x <= kept.x && seen.y <= kept.y);
            prop_assert!(seen.right() >= kept.right() && seen.bottom() >= kept.bottom());
            prop_assert!(seen.right() <= width && seen.bottom() <= height);
            prop_assert!(tiles.len() == 1 || seen.width <= 1_472 && seen.height <= 1_472);
        }
    }

    #[test]
    fn the_search_copy_is_bounded_and_never_larger(width in 1_u32..40_000, height in 1_u32..40_000) {
        for detail in [Detail::Standard, Detail::High] {
            let copy = search_size(size(width, height), detail);
            prop_assert!(copy.width >= 1 && copy.height >= 1);
            prop_assert!(copy.width <= width && copy.height <= height);
            let area = u64::from(copy.width) * u64::from(copy.height);
            prop_assert!(area <= MAX_SEARCH_PIXELS + u64::from(width) + u64::from(height));
        }
    }
}

#[test]
fn search_sizes() {
    let table = [
        ((1600, 900), Detail::Standard, (1600, 900)),
        ((3840, 2160), Detail::Standard, (1920, 1080)),
        ((3840, 2160), Detail::High, (3840, 2160)),
        // A long page is read at the scale of its width.
        ((1280, 8000), Detail::Standard, (1280, 8000)),
        ((3840, 16000), Detail::Standard, (1920, 8000)),
    ];
    for ((w, h), detail, (cw, ch)) in table {
        assert_eq!(
            search_size(size(w, h), detail),
            size(cw, ch),
            "{w}x{h} {detail:?}"
        );
    }
}

#[test]
fn small_images_are_one_tile() {
    let whole = PixelRect {
        x: 0,
        y: 0,
        width: 1920,
        height: 1080,
    };
    assert_eq!(tiles(size(1920, 1080)), [(whole, whole)]);
}

#[test]
fn unclipping_a_rectangle_offsets_by_area_over_perimeter() {
    // 100 x 10 at ratio 1.8: 1,000 * 1.8 / 220.
    assert!((unclip_margin(100.0, 10.0, 1.8) - 8.1818).abs() < 0.001);
    let grown = TiltedRect::upright(10.0, 10.0, 110.0, 20.0).grown(2.0);
    assert_eq!(grown.corners()[0], [8.0, 8.0]);
    assert_eq!(grown.corners()[2], [112.0, 22.0]);
}

#[test]
fn cores_are_scaled_to_the_original_and_noise_is_dropped() {
    let map = map(&[
        "..............", //
        ".########..+++", //
        ".########..+++", //
        ".########..+++", //
        "..............", //
        ".##.......####",
    ]);
    let cores = cores(&map, size(28, 18));
    assert_eq!(
        cores.len(),
        1,
        "faint and thin areas are no text: {cores:?}"
    );
    assert_eq!(cores[0].rect.corners()[0], [2.0, 3.0]);
    assert_eq!(cores[0].rect.corners()[2], [18.0, 12.0]);
    assert!((cores[0].score - 1.0).abs() < 0.001);
}

#[test]
fn a_tilted_core_keeps_its_angle() {
    let mut map = ProbabilityMap {
        size: size(200, 200),
        values: vec![0; 40_000],
    };
    for x in 20..180_usize {
        for y in 0..8 {
            map.values[(x / 4 + 60 + y) * 200 + x] = 255;
        }
    }
    let cores = cores(&map, size(200, 200));
    let [core] = cores.as_slice() else {
        panic!("{cores:?}");
    };
    let degrees = core.rect.axis[1].atan2(core.rect.axis[0]).to_degrees();
    assert!((degrees - 14.0).abs() < 0.5, "{degrees}");
}
