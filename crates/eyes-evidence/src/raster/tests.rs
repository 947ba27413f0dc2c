use proptest::prelude::*;

use super::{
    RasterError, Rgb8,
    crop::{CropPolicy, crop_for_reading},
    draw::{OverlayBox, OverlayKind, overlay},
    encode::{PngEffort, encode_png},
    identity::pixel_sha256,
    resize::{area, bilinear, magnify, nearest},
    tile::{TileLimits, encode_tiles, plan},
};
use crate::{
    code::Coded,
    digest::Sha256Digest,
    geometry::{NormalizedBbox, PixelRect, PixelSize},
    image::{ImageLimits, admit},
};

fn size(width: u32, height: u32) -> PixelSize {
    PixelSize { width, height }
}

/// A picture whose pixels differ from their neighbours and compress badly.
fn noisy(width: u32, height: u32) -> Rgb8 {
    let mut state = 0x9E37_79B9_u32;
    let pixels = (0..width as usize * height as usize * 3).map(|_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    });
    Rgb8::new(size(width, height), pixels.collect()).unwrap()
}

fn grey(width: u32, height: u32, values: &[u8]) -> Rgb8 {
    let pixels = values.iter().flat_map(|v| [*v; 3]).collect();
    Rgb8::new(size(width, height), pixels).unwrap()
}

fn values(raster: &Rgb8) -> Vec<u8> {
    raster.pixels().chunks(3).map(|p| p[0]).collect()
}

#[test]
fn pixels_must_fit_their_size() {
    assert!(Rgb8::new(size(2, 1), vec![0; 6]).is_some());
    assert!(Rgb8::new(size(2, 1), vec![0; 5]).is_none());
    assert!(Rgb8::new(size(0, 1), vec![]).is_none());
    assert!(Rgb8::new(size(u32::MAX, u32::MAX), vec![]).is_none());
}

#[test]
fn every_effort_is_lossless_and_repeatable() {
    let few = grey(
        40,
        30,
        &(0..1200).map(|i| (i / 40 % 5) as u8).collect::<Vec<_>>(),
    );
    for raster in [noisy(40, 30), few] {
        for effort in [PngEffort::Fast, PngEffort::Balanced, PngEffort::Small] {
            let file = encode_png(&raster, effort).unwrap();
            assert_eq!(file, encode_png(&raster, effort).unwrap());
            let image = admit(file, &ImageLimits::default()).unwrap();
            assert_eq!(image.raster(), &raster, "{effort:?}");
            assert_eq!(
                image.identity().pixel_sha256,
                pixel_sha256(&raster),
                "{effort:?}"
            );
        }
    }
}

#[test]
fn few_colours_make_a_palette_and_many_do_not() {
    let ramp = |n: u32| grey(n, 1, &(0..n).map(|i| i as u8).collect::<Vec<_>>());
    let color = |raster: &Rgb8| encode_png(raster, PngEffort::Small).unwrap()[25];
    assert_eq!(color(&ramp(256)), 3, "256 colours are indexed");
    let mut more = ramp(256).pixels().to_vec();
    more.extend([1, 2, 3]);
    assert_eq!(
        color(&Rgb8::new(size(257, 1), more).unwrap()),
        2,
        "257 are not"
    );
}

#[test]
fn magnified_pixels_are_repeated() {
    let small = grey(2, 1, &[1, 9]);
    assert_eq!(
        values(&magnify(&small, 2).unwrap()),
        [1, 1, 9, 9, 1, 1, 9, 9]
    );
    assert_eq!(magnify(&small, 1).unwrap(), small);
    assert_eq!(magnify(&small, 0), None);
    assert_eq!(magnify(&small, u32::MAX), None);
}

#[test]
fn resampling_tables() {
    let row = grey(4, 1, &[0, 40, 80, 120]);
    assert_eq!(values(&nearest(&row, size(2, 1)).unwrap()), [40, 120]);
    assert_eq!(values(&area(&row, size(2, 1)).unwrap()), [20, 100]);
    // Thirds: (0*3 + 40)/4, (40*2 + 80*2)/4, (80 + 120*3)/4.
    assert_eq!(values(&area(&row, size(3, 1)).unwrap()), [10, 60, 110]);
    let column = grey(1, 4, &[0, 40, 80, 120]);
    assert_eq!(values(&area(&column, size(1, 3)).unwrap()), [10, 60, 110]);
    let pair = grey(2, 1, &[0, 100]);
    // Centres at -0.25 (held), 0.25, 0.75, 1.25 (held).
    assert_eq!(
        values(&bilinear(&pair, size(4, 1)).unwrap()),
        [0, 25, 75, 100]
    );
    for empty in [size(0, 1), size(1, 0)] {
        assert_eq!(nearest(&row, empty), None);
        assert_eq!(area(&row, empty), None);
        assert_eq!(bilinear(&row, empty), None);
    }
}

#[test]
fn a_crop_takes_its_pixels_and_is_cut_at_the_border() {
    let raster = grey(3, 2, &[1, 2, 3, 4, 5, 6]);
    let rect = |x, y, width, height| PixelRect {
        x,
        y,
        width,
        height,
    };
    assert_eq!(
        values(&raster.crop(rect(1, 0, 2, 2)).unwrap()),
        [2, 3, 5, 6]
    );
    assert_eq!(values(&raster.crop(rect(2, 1, 9, u32::MAX)).unwrap()), [6]);
    assert_eq!(raster.crop(rect(3, 0, 1, 1)), None);
    assert_eq!(raster.crop(rect(0, 0, 0, 1)), None);
}

#[test]
fn small_regions_are_magnified_and_large_ones_shrunk() {
    let raster = noisy(400, 300);
    let policy = CropPolicy {
        margin: 0.0,
        min_margin: 5,
        min_side: 100,
        max_side: 200,
    };
    let at = |x: f64, y: f64, w: f64, h: f64| {
        let region = NormalizedBbox::new(x, y, w, h).unwrap();
        crop_for_reading(&raster, region, &policy).unwrap()
    };
    // 40x15 pixels plus 5 on each side make 50x25, twice of which is 100.
    let (crop, map) = at(0.25, 0.5, 0.1, 0.05);
    assert_eq!(
        map.rect(),
        PixelRect {
            x: 95,
            y: 145,
            width: 50,
            height: 25
        }
    );
    assert_eq!((crop.size(), map.output()), (size(100, 50), size(100, 50)));
    // At the corner there is no margin outside the picture.
    let (_, map) = at(0.0, 0.0, 0.1, 0.05);
    assert_eq!(
        map.rect(),
        PixelRect {
            x: 0,
            y: 0,
            width: 45,
            height: 20
        }
    );
    let (crop, map) = at(0.0, 0.0, 1.0, 1.0);
    assert_eq!(
        map.rect(),
        PixelRect {
            x: 0,
            y: 0,
            width: 400,
            height: 300
        }
    );
    assert_eq!(crop.size(), size(200, 150));
    // A single pixel is not blown up without bound.
    let tight = CropPolicy {
        min_margin: 0,
        ..policy
    };
    let pixel = NormalizedBbox::new(0.5, 0.5, 0.0025, 0.003).unwrap();
    let (crop, _) = crop_for_reading(&raster, pixel, &tight).unwrap();
    assert!(crop.size().width <= 16, "{:?}", crop.size());
}

#[test]
fn tiles_follow_side_pixels_count_and_order() {
    let limits = TileLimits {
        max_side: 100,
        ..TileLimits::default()
    };
    let rects = |w, h, limits: &TileLimits| -> Vec<[u32; 4]> {
        let plan = plan(size(w, h), limits).unwrap();
        plan.iter().map(|r| [r.x, r.y, r.width, r.height]).collect()
    };
    assert_eq!(rects(100, 100, &limits), [[0, 0, 100, 100]]);
    assert_eq!(
        rects(101, 150, &limits),
        [
            [0, 0, 50, 75],
            [50, 0, 51, 75],
            [0, 75, 50, 75],
            [50, 75, 51, 75]
        ]
    );
    let shared = TileLimits {
        overlap: 10,
        ..limits
    };
    assert_eq!(rects(190, 50, &shared), [[0, 0, 100, 50], [90, 0, 100, 50]]);
    let pixels = TileLimits {
        max_pixels: 2000,
        ..limits
    };
    assert_eq!(rects(100, 40, &pixels), [[0, 0, 50, 40], [50, 0, 50, 40]]);
}

#[test]
fn tiles_beyond_the_limits_are_refused_with_their_code() {
    let limits = TileLimits::default();
    let refuse =
        |limits: &TileLimits| encode_tiles(&noisy(64, 64), PngEffort::Fast, limits).unwrap_err();
    let code = |error: &RasterError| error.code().as_str();
    for wrong in [
        TileLimits {
            max_side: 0,
            ..limits
        },
        TileLimits {
            max_pixels: 0,
            ..limits
        },
        TileLimits {
            max_bytes: 0,
            ..limits
        },
        TileLimits {
            max_tiles: 0,
            ..limits
        },
        TileLimits {
            max_total_bytes: 0,
            ..limits
        },
        TileLimits {
            overlap: 1000,
            ..limits
        },
        TileLimits {
            overlap: u32::MAX,
            ..limits
        },
    ] {
        assert_eq!(code(&refuse(&wrong)), "IMAGE_TILE_LIMITS_INVALID");
    }
    let count = TileLimits {
        max_side: 16,
        max_tiles: 15,
        ..limits
    };
    assert_eq!(code(&refuse(&count)), "IMAGE_TILE_COUNT_LIMIT");
    let total = TileLimits {
        max_total_bytes: 4000,
        ..limits
    };
    assert_eq!(code(&refuse(&total)), "IMAGE_TILE_TOTAL_LIMIT");
    let bytes = TileLimits {
        max_bytes: 20,
        max_tiles: 10_000,
        ..limits
    };
    assert_eq!(code(&refuse(&bytes)), "IMAGE_TILE_BYTES_LIMIT");
    // Splitting for bytes counts too.
    let split = TileLimits {
        max_bytes: 500,
        ..limits
    };
    assert_eq!(code(&refuse(&split)), "IMAGE_TILE_COUNT_LIMIT");
}

#[test]
fn a_picture_that_fits_is_one_tile_with_its_own_identity() {
    let raster = noisy(64, 48);
    let tiles = encode_tiles(&raster, PngEffort::Fast, &TileLimits::default()).unwrap();
    assert_eq!(tiles.len(), 1);
    assert_eq!(tiles[0].pixel_sha256, pixel_sha256(&raster));
    assert_eq!(tiles[0].sha256, Sha256Digest::of(&tiles[0].png));
}

#[test]
fn overlays_draw_frames_and_labels_and_leave_the_source() {
    let raster = grey(60, 40, &[200; 2400]);
    let copy = raster.clone();
    let mark = |x, y, label: &str, kind| OverlayBox {
        rect: PixelRect {
            x,
            y,
            width: 10,
            height: 8,
        },
        label: label.to_owned(),
        kind,
    };
    let drawn = overlay(
        &raster,
        &[
            mark(20, 20, "7", OverlayKind::Text),
            mark(55, 36, "", OverlayKind::Doubt),
        ],
    );
    assert_eq!(raster, copy);
    let at = |x: u32, y: u32| &drawn.row(y)[x as usize * 3..x as usize * 3 + 3];
    let blue = OverlayKind::Text.colour();
    // The frame stands around the box, whose inside is untouched.
    for (x, y) in [(19, 19), (30, 19), (19, 28), (30, 28)] {
        assert_eq!(at(x, y), blue, "{x},{y}");
    }
    for (x, y) in [(20, 20), (29, 27), (25, 24)] {
        assert_eq!(at(x, y), [200; 3], "{x},{y}");
    }
    // The upper bar of the 7 is white on the label, which stands above the frame.
    assert_eq!(at(20, 11), blue);
    assert_eq!(at(21, 12), [255; 3]);
    // A box over the border is cut.
    assert_eq!(at(54, 39), OverlayKind::Doubt.colour());
    let outside = overlay(&raster, &[mark(60, 40, "X", OverlayKind::Region)]);
    assert_eq!(outside, raster);
}

#[test]
fn labels_are_legible_on_every_colour() {
    let linear = |v: u8| {
        let v = f64::from(v) / 255.0;
        if v <= 0.040_45 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    };
    for kind in [
        OverlayKind::Text,
        OverlayKind::Region,
        OverlayKind::Object,
        OverlayKind::Observation,
        OverlayKind::Doubt,
    ] {
        let [r, g, b] = kind.colour().map(linear);
        let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        // WCAG 2.2, contrast of white text.
        assert!(1.05 / (luminance + 0.05) >= 4.5, "{kind:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn planned_tiles_cover_exactly(
        width in 1..400_u32,
        height in 1..400_u32,
        max_side in 20..200_u32,
        max_pixels in 500..20_000_u64,
        overlap in 0..10_u32,
    ) {
        let limits = TileLimits { max_side, max_pixels, max_tiles: 10_000, overlap, ..TileLimits::default() };
        let rects = plan(size(width, height), &limits).unwrap();
        let mut seen = vec![0_u32; (width * height) as usize];
        for rect in &rects {
            prop_assert!(rect.width <= max_side && rect.height <= max_side);
            prop_assert!(u64::from(rect.width) * u64::from(rect.height) <= max_pixels);
            prop_assert!(rect.right() <= width && rect.bottom() <= height);
            for y in rect.y..rect.bottom() {
                for x in rect.x..rect.right() {
                    seen[(y * width + x) as usize] += 1;
                }
            }
        }
        prop_assert!(seen.iter().all(|n| *n >= 1));
        if overlap == 0 {
            prop_assert!(seen.iter().all(|n| *n == 1));
        }
        let order = rects.iter().map(|r| (r.y, r.x)).collect::<Vec<_>>();
        prop_assert!(order.is_sorted());
    }

    #[test]
    fn encoded_tiles_put_together_are_the_picture(
        width in 1..90_u32,
        height in 1..90_u32,
        max_bytes in 900..20_000_u64,
        overlap in 0..4_u32,
    ) {
        let raster = noisy(width, height);
        let limits = TileLimits { max_side: 50, max_bytes, max_tiles: 1000, overlap, ..TileLimits::default() };
        let mut whole = vec![0_u8; raster.pixels().len()];
        let mut covered = 0;
        for tile in encode_tiles(&raster, PngEffort::Fast, &limits).unwrap() {
            prop_assert!(tile.png.len() as u64 <= max_bytes);
            let image = admit(tile.png, &ImageLimits::default()).unwrap();
            prop_assert_eq!(image.identity().pixel_sha256, tile.pixel_sha256);
            prop_assert_eq!(image.identity().sha256, tile.sha256);
            for y in 0..tile.rect.height {
                let start = ((tile.rect.y + y) * width + tile.rect.x) as usize * 3;
                let row = image.raster().row(y);
                whole[start..start + row.len()].copy_from_slice(row);
            }
            covered += tile.rect.width * tile.rect.height;
        }
        prop_assert_eq!(&whole, raster.pixels());
        if overlap == 0 {
            prop_assert_eq!(covered, width * height);
        }
    }

    #[test]
    fn boxes_map_into_a_crop_and_back(
        (x, y, w, h) in (0.0..0.8_f64, 0.0..0.8_f64, 0.01..0.2_f64, 0.01..0.2_f64),
        (cx, cy, cw, ch) in (0.0..0.8_f64, 0.0..0.8_f64, 0.05..0.2_f64, 0.05..0.2_f64),
    ) {
        let raster = grey(500, 300, &vec![9; 150_000]);
        let region = NormalizedBbox::new(cx, cy, cw, ch).unwrap();
        let policy = CropPolicy { min_side: 1, ..CropPolicy::default() };
        let (crop, map) = crop_for_reading(&raster, region, &policy).unwrap();
        prop_assert_eq!(crop.size(), map.output());
        // The region lies in its crop and comes back unchanged.
        let back = map.to_crop(region).and_then(|b| map.to_image(b)).unwrap();
        for (a, b) in <[f64; 4]>::from(back).iter().zip(<[f64; 4]>::from(region)) {
            prop_assert!((a - b).abs() < 1e-8);
        }
        // Any box of the crop lies in the cut and comes back unchanged.
        let inside = NormalizedBbox::new(x, y, w, h).unwrap();
        let outside = map.to_image(inside).unwrap();
        let rect = map.rect();
        prop_assert!(outside.x() * 500.0 >= f64::from(rect.x) - 1e-5);
        prop_assert!((outside.x() + outside.width()) * 500.0 <= f64::from(rect.right()) + 1e-5);
        let again = map.to_crop(outside).unwrap();
        for (a, b) in <[f64; 4]>::from(again).iter().zip(<[f64; 4]>::from(inside)) {
            prop_assert!((a - b).abs() < 1e-6);
        }
    }

    #[test]
    fn averaging_keeps_flat_colours_and_the_range(
        width in 1..40_u32, height in 1..40_u32, to_w in 1..50_u32, to_h in 1..50_u32, v in any::<u8>(),
    ) {
        let to = size(to_w, to_h);
        let flat = grey(width, height, &vec![v; (width * height) as usize]);
        let same = grey(to_w, to_h, &vec![v; (to_w * to_h) as usize]);
        for resize in [area, bilinear, nearest] {
            prop_assert_eq!(&resize(&flat, to).unwrap(), &same);
        }
        let raster = noisy(width, height);
        let mean = |r: &Rgb8| r.pixels().iter().map(|v| f64::from(*v)).sum::<f64>() / r.pixels().len() as f64;
        let averaged = area(&raster, to).unwrap();
        prop_assert!((mean(&averaged) - mean(&raster)).abs() < 1.0);
        prop_assert_eq!(area(&raster, size(width, height)).unwrap(), raster);
    }
}

#[test]
fn an_encoder_that_refuses_has_a_code_of_its_own() {
    let refused = RasterError::Encode {
        size: size(1, 1),
        reason: "full".to_owned(),
    };
    assert_eq!(refused.code().as_str(), "IMAGE_ENCODE_FAILED");
}
