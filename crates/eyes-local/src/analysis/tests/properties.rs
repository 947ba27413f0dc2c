use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    raster::Rgb8,
    record::Evidence,
};
use proptest::prelude::*;

use super::{
    super::{analyze, answer, base_evidence, probe_cells},
    canvas::{Canvas, line, rect},
};
use crate::{
    limits::{MAX_BOXES, MAX_COMPONENTS},
    text::{TextLine, TextWord},
};

/// The document survives its own strict reading, so it satisfies the contract.
fn valid(evidence: &Evidence) {
    let text = serde_json::to_string(evidence).unwrap();
    assert_eq!(&serde_json::from_str::<Evidence>(&text).unwrap(), evidence);
}

/// Boxes of few colours over each other, then noise over a part: what screens and photographs look like.
fn raster() -> impl Strategy<Value = Rgb8> {
    let colour = prop::array::uniform3(prop::sample::select(vec![0_u8, 3, 128, 250, 255]));
    let shape = (0_u32..200, 0_u32..150, 1_u32..120, 1_u32..90, colour);
    (
        1_u32..220,
        1_u32..160,
        prop::collection::vec(shape, 0..24),
        prop::collection::vec(any::<u8>(), 0..4_000),
    )
        .prop_map(|(width, height, shapes, noise)| {
            let mut canvas = Canvas::new(width, height, super::canvas::WHITE);
            for (x, y, w, h, rgb) in shapes {
                canvas.fill(rect(x, y, w, h), super::super::Colour(rgb));
            }
            let image = canvas.image();
            let mut pixels = image.pixels().to_vec();
            for (pixel, byte) in pixels.iter_mut().zip(noise) {
                *pixel = byte;
            }
            Rgb8::new(PixelSize { width, height }, pixels).unwrap()
        })
}

fn text_line() -> impl Strategy<Value = TextLine> {
    let texts = prop::sample::select(vec![
        "Save",
        "Port",
        "8080",
        "12.5 %",
        "Error: E1024",
        " ",
        "\u{4fdd}\u{5b58}",
        "a",
        "0",
        "...",
        "Name: eyes",
        "a rather long line of running text that says very little.",
    ]);
    let place = (0_u32..260, 0_u32..200, 0_u32..120, 0_u32..40);
    (texts, place, 0.0_f32..1.2, -180.0_f32..360.0, any::<bool>()).prop_map(
        |(text, (x, y, w, h), confidence, angle, with_words)| {
            let r = rect(x, y, w, h);
            let words = text.split_whitespace().map(|word| TextWord {
                text: word.to_owned(),
                rect: r,
            });
            let words = if with_words {
                words.collect()
            } else {
                Vec::new()
            };
            TextLine {
                confidence,
                angle,
                ..line(text, r, words)
            }
        },
    )
}

fn region() -> impl Strategy<Value = Option<NormalizedBbox>> {
    prop::option::of(
        (0.0..1.0_f64, 0.0..1.0_f64, 0.001..1.0_f64, 0.001..1.0_f64).prop_map(|(x, y, w, h)| {
            let (w, h) = (w.min(1.0 - x).max(1e-6), h.min(1.0 - y).max(1e-6));
            NormalizedBbox::new(x, y, w, h).unwrap_or(NormalizedBbox::WHOLE)
        }),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn records_are_valid_and_repeatable(
        image in raster(),
        lines in prop::collection::vec(text_line(), 0..30),
    ) {
        let record = base_evidence(&image, &lines);
        prop_assert_eq!(&record, &base_evidence(&image, &lines));
        let texts = lines.iter().filter(|l| !l.text.trim().is_empty()).count();
        prop_assert_eq!(record.ocr.len(), texts, "no text is lost");
        valid(&Evidence::Base(record));
        let layout = analyze(&image, &lines);
        let mut order = layout.order.clone();
        order.sort_unstable();
        prop_assert_eq!(order, (0..lines.len()).collect::<Vec<_>>(), "each line once");
        let _named = probe_cells(&image);
    }

    #[test]
    fn answers_are_valid(
        image in raster(),
        lines in prop::collection::vec(text_line(), 0..20),
        question in prop_oneof![
            prop::sample::select(vec![
                "what does it say", "where is Save", "how many buttons", "what colour is the background",
                "what is the value of Port", "is Save checked", "\u{4fdd}\u{5b58}\u{5728}\u{54ea}\u{91cc}", "what is the error code",
                "how many rows", "title?", "what color is the text",
            ]).prop_map(str::to_owned),
            any::<String>(),
        ],
        region in region(),
    ) {
        let said = answer(&image, &lines, &question, region);
        prop_assert_eq!(&said, &answer(&image, &lines, &question, region));
        valid(&Evidence::Target(said));
    }
}

#[test]
fn thin_and_tiny_pictures_are_described() {
    for (width, height) in [(1, 1), (1, 700), (700, 1), (2, 3), (16, 16), (17, 15)] {
        let mut canvas = Canvas::new(width, height, super::canvas::WHITE);
        canvas.put(0, 0, super::canvas::INK);
        let whole = line("x", rect(0, 0, width, height), Vec::new());
        let outside = line("y", rect(900, 900, 5, 0), Vec::new());
        let record = base_evidence(&canvas.image(), &[whole, outside]);
        assert_eq!(record.ocr.len(), 2, "{width}x{height}");
        valid(&Evidence::Base(record));
    }
}

/// Pictures made to have as many areas as possible.
fn adversarial(width: u32, height: u32, kind: u32) -> Rgb8 {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 24
    };
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let byte = match kind {
                // Noise, squares of four pixels, and boxes of eight with a border of one.
                0 => next(),
                1 => (x / 2 + y / 2) % 2 * 255,
                _ if x % 9 == 0 || y % 9 == 0 => 0,
                _ => 200 + (x / 9 * 7 + y / 9 * 13) % 5 * 10,
            };
            pixels.extend([byte as u8; 3]);
        }
    }
    Rgb8::new(PixelSize { width, height }, pixels).unwrap()
}

#[test]
fn crowded_pictures_stay_within_the_bounds() {
    for kind in 0..3 {
        let image = adversarial(1_600, 1_200, kind);
        let parts = super::super::component::components(&image);
        assert!(
            parts.list.len() <= MAX_COMPONENTS,
            "{kind}: {}",
            parts.list.len()
        );
        assert!(super::super::shape::boxes(&image, &parts.list, &[]).len() <= MAX_BOXES);
        let record = base_evidence(&image, &[]);
        valid(&Evidence::Base(record));
    }
    assert!(analyze(&adversarial(1_600, 1_200, 1), &[]).crowded);
}
