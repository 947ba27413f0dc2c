//! Results: what is admitted, what is shown, what is kept.

mod admission;
mod kept;
mod properties;
mod said;
mod shown;

use eyes_evidence::redact::Redactor;
use serde_json::{Value, json};

use super::*;

/// The smallest PNG: one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

fn bounded_within(value: &Value, max_chars: usize) -> BoundedResult {
    bounded_with(value, max_chars, &Redactor::default())
}

fn bounded_with(value: &Value, max_chars: usize, redactor: &Redactor) -> BoundedResult {
    let context = BoundContext {
        server: "srv",
        tool: "a tool",
        max_chars,
        artifacts: None,
        redactor,
    };
    bound(value, &context).unwrap()
}

fn preview_of(value: &Value) -> String {
    let result = bounded_within(value, 20_000);
    assert!(!result.truncated);
    result.preview
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}
