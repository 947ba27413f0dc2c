//! Crops of a picture whose every pixel is known.

use std::sync::Arc;

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageLimits, admit},
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
    },
    record::{Bounded, Confidence, NonEmptyText, ObservationEntry, OcrEntry, TargetEvidence},
};

use super::zoom;
use crate::model::ImageInput;

const SIZE: PixelSize = PixelSize {
    width: 1600,
    height: 900,
};

/// Each pixel tells its own place.
fn picture() -> ImageInput {
    let pixels = (0..SIZE.height)
        .flat_map(|y| (0..SIZE.width).flat_map(move |x| [x as u8, y as u8, (x >> 8) as u8]))
        .collect();
    let raster = Rgb8::new(SIZE, pixels).expect("three bytes a pixel");
    let png = encode_png(&raster, PngEffort::Fast).expect("a PNG");
    let image = admit(png, &ImageLimits::default()).expect("an image");
    ImageInput {
        bytes: Arc::clone(image.bytes()),
        identity: image.identity().clone(),
    }
}

fn bbox(values: [f64; 4]) -> NormalizedBbox {
    NormalizedBbox::try_from(values).expect("a box")
}

fn text(text: &str) -> NonEmptyText {
    NonEmptyText::new(text).expect("a text")
}

#[test]
fn a_small_region_is_shown_enlarged_by_whole_pixels() {
    let original = picture();
    let region = bbox([0.5, 0.5, 0.05, 0.05]);
    let zoom = zoom(&original, region).expect("a crop");
    let (record, sent) = (zoom.record(), zoom.size());
    let factor = sent.width / record.rect.width;
    assert!(factor > 1, "{record:?}");
    assert_eq!(
        [sent.width, sent.height],
        [record.rect.width * factor, record.rect.height * factor]
    );
    let crop = admit(Arc::clone(&zoom.image().bytes), &ImageLimits::default()).expect("a PNG");
    assert_eq!(crop.identity(), &zoom.image().identity);
    for (x, y) in [
        (0, 0),
        (sent.width - 1, sent.height - 1),
        (sent.width / 2, 7),
    ] {
        let (from_x, from_y) = (record.rect.x + x / factor, record.rect.y + y / factor);
        let at = (x * 3) as usize;
        assert_eq!(
            crop.raster().row(y)[at..at + 3],
            [from_x as u8, from_y as u8, (from_x >> 8) as u8]
        );
    }
}

#[test]
fn boxes_of_the_crop_are_mapped_into_the_original() {
    let region = bbox([0.5, 0.5, 0.05, 0.05]);
    let zoom = zoom(&picture(), region).expect("a crop");
    let rect = zoom.record().rect;
    let inside = bbox([0.25, 0.5, 0.5, 0.25]);
    let confidence = Confidence::new(0.9).expect("a share");
    let evidence = TargetEvidence {
        answer: text("yes"),
        observations: Bounded::truncated(vec![ObservationEntry {
            fact: text("a button"),
            bbox: NormalizedBbox::WHOLE,
            confidence,
        }])
        .0,
        ocr: Bounded::truncated(vec![OcrEntry {
            text: text("Save"),
            bbox: inside,
            confidence,
        }])
        .0,
        uncertainties: Bounded::default(),
    };
    let mapped = zoom.map_back(evidence);
    let [w, h] = [f64::from(SIZE.width), f64::from(SIZE.height)];
    let expected = [
        (f64::from(rect.x) + 0.25 * f64::from(rect.width)) / w,
        (f64::from(rect.y) + 0.5 * f64::from(rect.height)) / h,
        0.5 * f64::from(rect.width) / w,
        0.25 * f64::from(rect.height) / h,
    ];
    for (found, expected) in <[f64; 4]>::from(mapped.ocr[0].bbox).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-8, "{found} {expected}");
    }
    let whole = NormalizedBbox::from_pixels(rect, SIZE).expect("a box");
    assert!(mapped.observations[0].bbox.iou(&whole) > 0.999_999);
}

#[test]
fn nothing_is_sent_that_shows_no_more_than_the_original() {
    assert!(zoom(&picture(), NormalizedBbox::WHOLE).is_none());
    assert!(zoom(&picture(), bbox([0.05, 0.05, 0.85, 0.8])).is_none());
    let broken = ImageInput {
        bytes: Arc::from(&b"no picture"[..]),
        ..picture()
    };
    assert!(zoom(&broken, bbox([0.5, 0.5, 0.05, 0.05])).is_none());
}

#[test]
fn the_prompt_names_both_pictures() {
    let region = bbox([0.5, 0.5, 0.05, 0.05]);
    let zoom = zoom(&picture(), region).expect("a crop");
    let mut prompt = String::new();
    zoom.describe(&mut prompt, region);
    let PixelSize { width, height } = zoom.size();
    assert!(prompt.contains(&format!("{width}x{height} pixels")));
    assert!(prompt.contains("[0.5, 0.5, 0.05, 0.05]"));
}
