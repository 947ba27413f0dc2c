use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};
use proptest::prelude::*;

use super::{part, resize, sample, turn_anticlockwise, turn_clockwise};
use crate::engine::frame::Frame;

fn gray(width: u32, values: &[u8]) -> Rgb8 {
    let height = values.len() as u32 / width;
    let pixels = values.iter().flat_map(|value| [*value; 3]).collect();
    Rgb8::new(PixelSize { width, height }, pixels).unwrap()
}

fn values(image: &Rgb8) -> Vec<u8> {
    image
        .pixels()
        .chunks_exact(3)
        .map(|pixel| pixel[0])
        .collect()
}

fn size(width: u32, height: u32) -> PixelSize {
    PixelSize { width, height }
}

#[test]
fn cuts_and_turns() {
    let image = gray(3, &[1, 2, 3, 4, 5, 6]);
    let rect = PixelRect {
        x: 1,
        y: 0,
        width: 2,
        height: 2,
    };
    assert_eq!(values(&part(&image, rect)), [2, 3, 5, 6]);
    let turned = turn_clockwise(&image);
    assert_eq!(
        (turned.size(), values(&turned)),
        (size(2, 3), vec![4, 1, 5, 2, 6, 3])
    );
    let turned = turn_anticlockwise(&image);
    assert_eq!(
        (turned.size(), values(&turned)),
        (size(2, 3), vec![3, 6, 2, 5, 1, 4])
    );
    assert_eq!(turn_anticlockwise(&turn_clockwise(&image)), image);
}

#[test]
fn shrinking_averages_what_a_pixel_covers() {
    let image = gray(4, &[0, 100, 200, 100]);
    assert_eq!(values(&resize(&image, size(2, 1))), [50, 150]);
    // Two thirds of a pixel and one third of the next, weighted.
    let image = gray(3, &[30, 60, 90]);
    assert_eq!(values(&resize(&image, size(2, 1))), [40, 80]);
}

#[test]
fn enlarging_interpolates() {
    let image = gray(2, &[0, 100]);
    assert_eq!(values(&resize(&image, size(4, 1))), [0, 25, 75, 100]);
}

#[test]
fn sampling_along_the_upright_frame_is_cutting() {
    let image = gray(3, &[1, 2, 3, 4, 5, 6]);
    let sampled = sample(&image, Frame::upright(1.0, 0.0), size(2, 2));
    assert_eq!(values(&sampled), [2, 3, 5, 6]);
}

#[test]
fn sampling_outside_continues_the_border() {
    let image = gray(2, &[10, 20]);
    let sampled = sample(&image, Frame::upright(-1.0, -1.0), size(4, 3));
    assert_eq!(
        values(&sampled),
        [10, 10, 20, 20, 10, 10, 20, 20, 10, 10, 20, 20]
    );
}

proptest! {
    #[test]
    fn one_color_stays_one_color(w in 1_u32..40, h in 1_u32..40, tw in 1_u32..90, th in 1_u32..90, value: u8) {
        let image = gray(w, &vec![value; (w * h) as usize]);
        let other = resize(&image, size(tw, th));
        prop_assert_eq!(other.size(), size(tw, th));
        prop_assert!(values(&other).iter().all(|v| v.abs_diff(value) <= 1));
    }
}
