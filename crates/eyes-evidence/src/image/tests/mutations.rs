//! Damaged files neither panic nor break what is promised of an admitted one.

use image::ExtendedColorType;
use png::{BitDepth, ColorType};
use proptest::prelude::*;

use super::files;
use crate::{
    digest::Sha256Digest,
    image::{ImageLimits, admit},
};

/// One valid file of each kind.
fn seeds() -> Vec<Vec<u8>> {
    let rgb = files::samples(13, 9, 3);
    let rgba = files::samples(13, 9, 4);
    let indices: Vec<u8> = (0..117).collect();
    vec![
        files::png((13, 9), ColorType::Rgb, BitDepth::Eight, &rgb),
        files::png_with(
            (13, 9),
            ColorType::Indexed,
            BitDepth::Eight,
            &indices,
            |e| {
                e.set_palette(rgb.clone());
                e.set_trns(vec![0, 128, 255]);
            },
        ),
        files::insert_chunk(
            &files::png((13, 9), ColorType::Rgba, BitDepth::Eight, &rgba),
            *b"eXIf",
            &files::exif(true, 6),
        ),
        files::raw_png(
            (3, 3),
            [8, 0, 1],
            &[0, 1, 0, 3, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6],
        ),
        files::apng(1),
        files::jpeg_with_exif(
            &files::jpeg(13, 9, &rgb, ExtendedColorType::Rgb8),
            &files::exif(false, 3),
        ),
        include_bytes!("../testdata/progressive.jpg").to_vec(),
        include_bytes!("../testdata/cmyk-red.jpg").to_vec(),
        files::webp(13, 9, &rgba, ExtendedColorType::Rgba8),
        include_bytes!("../testdata/lossy.webp").to_vec(),
        include_bytes!("../testdata/lossy-alpha.webp").to_vec(),
        include_bytes!("../testdata/animated.webp").to_vec(),
        files::gif(7, 5, &[[1, 2, 3]]),
        files::bmp(13, 9, &rgb),
    ]
}

#[derive(Debug, Clone)]
enum Edit {
    Set(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<u16>().prop_map(usize::from);
    prop_oneof![
        8 => (at.clone(), any::<u8>()).prop_map(|(a, v)| Edit::Set(a, v)),
        1 => (at.clone(), 1..40_usize).prop_map(|(a, n)| Edit::Remove(a, n)),
        1 => (at, 1..40_usize).prop_map(|(a, n)| Edit::Repeat(a, n)),
    ]
}

fn apply(file: &mut Vec<u8>, edit: &Edit) {
    if file.is_empty() {
        return;
    }
    let length = file.len();
    let span = |at: usize, n: usize| at % length..(at % length + n).min(length);
    match *edit {
        Edit::Set(at, value) => file[at % length] = value,
        Edit::Remove(at, n) => drop(file.drain(span(at, n))),
        Edit::Repeat(at, n) => file.extend_from_within(span(at, n)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn mutated_files_are_admitted_whole_or_refused(
        seed in 0..14_usize,
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        let mut file = seeds().swap_remove(seed);
        for edit in &edits {
            apply(&mut file, edit);
        }
        let limits = ImageLimits::default().with_max_pixels(1_000_000).unwrap();
        if let Ok(image) = admit(file.clone(), &limits) {
            let size = image.identity().size;
            let pixels = u64::from(size.width) * u64::from(size.height);
            prop_assert!(pixels <= 1_000_000);
            prop_assert_eq!(image.raster().pixels().len() as u64, pixels * 3);
            prop_assert_eq!(image.identity().sha256, Sha256Digest::of(&file));
            let again = admit(file, &limits).unwrap();
            prop_assert_eq!(image.identity(), again.identity());
        }
    }
}
