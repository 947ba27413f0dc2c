use eyes_evidence::{geometry::PixelSize, raster::Rgb8};

use super::{InkMap, contrast};

const PAPER: [u8; 3] = [250, 250, 250];
const INK: [u8; 3] = [20, 20, 20];

/// Draws a crop: `#` ink, `+` faint ink, anything else paper.
fn crop(rows: &[&str]) -> Rgb8 {
    let color = |c: char| match c {
        '#' => INK,
        '+' => [235, 235, 235],
        _ => PAPER,
    };
    let pixels = rows
        .iter()
        .flat_map(|row| row.chars().flat_map(color))
        .collect();
    let size = PixelSize {
        width: rows[0].len() as u32,
        height: rows.len() as u32,
    };
    Rgb8::new(size, pixels).unwrap()
}

#[test]
fn rows_follow_ink_and_leave_out_rules() {
    let crop = crop(&[
        "############", // the border of a button
        "............",
        "............",
        ".....#......", // a dot over a letter
        "............",
        "..#..#..#...",
        "..#..#..###.",
        "..####..#.#.", // the core ends here
        "..#.........", // a descender
        "............",
        "............",
    ]);
    let ink = InkMap::of(&crop, &(5..8));
    assert_eq!(ink.rows(&(5..8), &(2..11)), 3..9);
    assert_eq!(ink.bounds(&(3..9), &(0..12)), Some([2, 3, 11, 9]));
}

#[test]
fn rows_shrink_to_the_ink_inside_the_core() {
    let crop = crop(&["....", ".#..", "....", "...."]);
    assert_eq!(InkMap::of(&crop, &(0..4)).rows(&(0..4), &(0..4)), 1..2);
    let blank = self::crop(&["....", "....", "....", "...."]);
    assert_eq!(InkMap::of(&blank, &(1..3)).rows(&(1..3), &(0..4)), 1..3);
}

fn spans(pieces: &[std::ops::Range<u32>]) -> Vec<(u32, u32)> {
    pieces
        .iter()
        .map(|piece| (piece.start, piece.end))
        .collect()
}

#[test]
fn pieces_part_at_wide_gaps_and_at_the_sides_of_boxes() {
    let crop = crop(&[
        "..........#......",
        "..........#......",
        ".#.#......#..#...",
        ".#.#......#..#...",
        "..........#......",
        "..........#......",
    ]);
    let ink = InkMap::of(&crop, &(2..4));
    assert_eq!(ink.pieces(&(2..4), 20), [1..4, 13..14]);
    let crop = self::crop(&["......", "#.#..#", "......"]);
    let ink = InkMap::of(&crop, &(1..2));
    assert_eq!(ink.pieces(&(1..2), 2), [0..3, 5..6]);
    assert_eq!(spans(&ink.pieces(&(1..2), 3)), [(0, 6)]);
}

#[test]
fn faint_text_keeps_two_pieces_together() {
    let crop = crop(&["#.++.+.+.#"]);
    let ink = InkMap::of(&crop, &(0..1));
    assert_eq!(spans(&ink.pieces(&(0..1), 3)), [(0, 10)]);
}

#[test]
fn a_long_line_is_cut_where_most_paper_is() {
    let crop = crop(&["##.##...##.##", "............."]);
    let ink = InkMap::of(&crop, &(0..1));
    assert_eq!(ink.cut(&(0..1), &(1..12)), 5..8);
    let solid = self::crop(&["####", "##.#", "....", "...."]);
    assert_eq!(InkMap::of(&solid, &(0..2)).cut(&(0..2), &(0..4)), 2..2);
}

#[test]
fn colors_are_those_of_paper_and_stroke() {
    let crop = crop(&["......", ".#++#.", "......"]);
    let colors = InkMap::of(&crop, &(1..2))
        .colors(&crop, [1, 1, 5, 2])
        .unwrap();
    assert_eq!((colors.foreground, colors.background), (INK, PAPER));
    assert_eq!(InkMap::of(&crop, &(0..1)).colors(&crop, [0, 0, 6, 1]), None);
}

#[test]
fn contrast_ratios_are_those_of_wcag() {
    let table = [
        ([0, 0, 0], [255, 255, 255], 21.0),
        ([255, 255, 255], [255, 255, 255], 1.0),
        ([119, 119, 119], [255, 255, 255], 4.48),
        ([255, 255, 255], [0, 0, 255], 8.59),
    ];
    for (a, b, expected) in table {
        assert!(
            (contrast(a, b) - expected).abs() < 0.006,
            "{a:?} {b:?} {}",
            contrast(a, b)
        );
    }
}
