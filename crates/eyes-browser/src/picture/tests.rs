//! The policy, masks, sizes and parts of pictures.

use eyes_evidence::raster::encode::encode_png;

use super::*;
use crate::driver::Point;

fn capture(
    width: u32,
    height: u32,
    scale: f64,
    origin: (f64, f64),
    secrets: Vec<Bounds>,
) -> Capture {
    let size = PixelSize { width, height };
    let pixels = [200, 100, 50].repeat(width as usize * height as usize);
    let raster = Rgb8::new(size, pixels).unwrap();
    let (x, y) = origin;
    Capture {
        png: encode_png(&raster, PngEffort::Fast).unwrap(),
        scale,
        origin: Point { x, y },
        secrets,
    }
}

fn pixel(png: &[u8], x: usize, y: usize) -> [u8; 3] {
    let raster = admit(png, &ImageLimits::default()).unwrap().into_raster();
    let at = (y * raster.size().width as usize + x) * 3;
    raster.pixels()[at..at + 3].try_into().unwrap()
}

#[test]
fn the_first_row_that_fits_decides() {
    use ActionName::{Click, Observe};
    use Quality::{Rich, Sparse, Truncated};
    use VisualMode::{Always, Auto, Manual};
    for (mode, requested, action, quality, delivered, reason) in [
        (Manual, Some(true), Click, Rich, true, "explicit-request"),
        (Always, Some(false), Observe, Sparse, false, "explicit-omit"),
        (Always, None, Click, Rich, true, "configured-always"),
        (Manual, None, Observe, Sparse, false, "configured-manual"),
        (
            Auto,
            None,
            Observe,
            Rich,
            false,
            "semantic-state-sufficient",
        ),
        (
            Auto,
            None,
            Observe,
            Truncated,
            true,
            "semantic-truncated-fallback",
        ),
        (
            Auto,
            None,
            Observe,
            Sparse,
            true,
            "semantic-sparse-fallback",
        ),
        (Auto, None, Click, Rich, false, "action-result-fast-path"),
        (
            Auto,
            None,
            Click,
            Truncated,
            false,
            "action-result-fast-path",
        ),
        (Auto, None, Click, Sparse, true, "semantic-sparse-fallback"),
    ] {
        let decided = decide(mode, requested, action, quality);
        assert_eq!((decided.delivered, decided.reason), (delivered, reason));
    }
}

#[test]
fn secrets_are_masked_in_what_is_delivered_and_the_original_stays() {
    let secret = Bounds {
        x: 110.5,
        y: 20.0,
        width: 4.0,
        height: 3.0,
    };
    let taken = capture(60, 40, 2.0, (100.0, 10.0), vec![secret]);
    let original = taken.png.clone();
    let shot = prepare(taken, &[], &PictureSettings::default(), true).unwrap();
    assert!(shot.masked && shot.original == original);
    assert_eq!(shot.proof.sha256, Sha256Digest::of(&original));
    let png = &shot.parts[0].png;
    assert_ne!(png, &original);
    for (x, y, masked) in [
        (21, 20, true),
        (28, 25, true),
        (20, 20, false),
        (21, 19, false),
        (29, 20, false),
        (21, 26, false),
    ] {
        assert_eq!(pixel(png, x, y) == MASK, masked, "({x}, {y})");
    }
    assert_eq!(pixel(&original, 22, 21), [200, 100, 50]);
}

#[test]
fn nothing_is_encoded_again_without_need() {
    let taken = capture(60, 40, 1.0, (0.0, 0.0), Vec::new());
    let png = taken.png.clone();
    let shot = prepare(taken.clone(), &[], &PictureSettings::default(), true).unwrap();
    assert_eq!(shot.parts[0].png, png);
    let shot = prepare(taken, &[], &PictureSettings::default(), false).unwrap();
    assert!(shot.parts.is_empty() && shot.proof.delivered.is_none());
}

#[test]
fn parts_and_sizes_follow_the_limits() {
    let mut settings = PictureSettings::default();
    settings.limits.max_side = 40;
    let taken = capture(100, 30, 1.5, (0.0, 0.0), Vec::new());
    let shot = prepare(taken.clone(), &[], &settings, true).unwrap();
    assert_eq!(shot.parts.len(), 3);
    assert_eq!(
        shot.parts.iter().map(|part| part.rect.width).sum::<u32>(),
        100
    );
    settings.max_side = Some(50);
    let shot = prepare(taken.clone(), &[], &settings, true).unwrap();
    let space = shot.proof.delivered.unwrap();
    assert_eq!((space.width, space.height, space.scale), (50, 15, 0.75));
    settings.limits.max_tiles = 1;
    let error = prepare(taken, &[], &settings, true).unwrap_err();
    assert!(matches!(error, BrowserError::PictureLimit(_)));
    let broken = Capture {
        png: b"GIF".to_vec(),
        ..capture(1, 1, 1.0, (0.0, 0.0), Vec::new())
    };
    assert!(matches!(
        prepare(broken, &[], &settings, true),
        Err(BrowserError::Picture(_))
    ));
}
