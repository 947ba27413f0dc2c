//! Checked values of the contract from measured ones.

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelRect, PixelSize},
    limits::MAX_TEXT_CHARS,
    record::{Confidence, NonEmptyText},
};

use crate::limits::MAX_QUOTE_CHARS;

/// Returns a text of the contract; what is longer than its bound ends with an ellipsis.
pub(in super::super) fn text(value: &str) -> NonEmptyText {
    let shortened = |value: &str| -> String {
        let kept: String = value.chars().take(MAX_TEXT_CHARS - 1).collect();
        format!("{kept}\u{2026}")
    };
    NonEmptyText::new(value)
        .or_else(|_| NonEmptyText::new(shortened(value)))
        .expect("an ellipsis alone is a text within the bound")
}

/// Returns a text of the picture in quotes, on one line, of at most [`MAX_QUOTE_CHARS`] characters.
pub(in super::super) fn quote(value: &str) -> String {
    let one_line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("\"{}\u{2026}\"", &one_line[..end]),
        None => format!("\"{one_line}\""),
    }
}

/// Returns the box of a rectangle; what lies outside the image is moved to its edge.
pub(in super::super) fn bbox(rect: PixelRect, size: PixelSize) -> NormalizedBbox {
    let inside = PixelRect {
        x: rect.x.min(size.width - 1),
        y: rect.y.min(size.height - 1),
        width: rect.width.max(1),
        height: rect.height.max(1),
    };
    NormalizedBbox::from_pixels(inside, size).unwrap_or(NormalizedBbox::WHOLE)
}

/// Returns a probability rounded to three digits: the last bits depend on the processor.
pub(in super::super) fn confidence(value: f32) -> Confidence {
    let rounded = (f64::from(value).clamp(0.0, 1.0) * 1000.0).round() / 1000.0;
    // A number that is none carries no confidence.
    Confidence::new(rounded)
        .or_else(|_| Confidence::new(0.0))
        .expect("0 is a confidence")
}

/// Returns a share as percent: two digits, one more below 10 %.
pub(in super::super) fn share(value: f64) -> String {
    let percent = value * 100.0;
    if percent >= 10.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}
