//! What the model reads of a result: one part a block, and the structured content once.

use std::borrow::Cow;

use eyes_evidence::{canonical::Canonical, redact::safe_message};
use serde_json::Value;

use super::{BoundContext, ResultImage, Whole, base64::about_bytes, image};
use crate::limits::{MAX_DESCRIBED_CHARS, MAX_DUPLICATE_FACTOR};

/// The parts, in the order of the result.
pub(super) struct Projection<'a> {
    /// What is shown, to be set on lines of their own.
    pub(super) pieces: Vec<Cow<'a, str>>,
    /// The pictures that go along.
    pub(super) images: Vec<ResultImage>,
    /// Whether a block is no text, so that the whole result is kept.
    pub(super) not_text: bool,
    /// Whether something is neither shown nor goes along.
    pub(super) hides: bool,
}

impl Projection<'_> {
    fn say(&mut self, text: String) {
        self.pieces.push(Cow::Owned(text));
    }

    fn describe(&mut self, parts: &[String]) {
        self.not_text = true;
        self.hides = true;
        self.say(format!("[{}; not shown]", parts.join("; ")));
    }
}

/// Projects an admitted result.
pub(super) fn project<'a>(
    value: &'a Value,
    whole: &'a Whole<'_>,
    context: &BoundContext<'_>,
) -> Projection<'a> {
    let mut projection = Projection {
        pieces: Vec::new(),
        images: Vec::new(),
        not_text: false,
        hides: false,
    };
    if let Some(blocks) = value.get("content").and_then(Value::as_array) {
        let structured = value.get("structuredContent");
        let mut for_others = 0;
        for block in blocks {
            if !is_for_model(block) {
                for_others += 1;
            } else if !structured.is_some_and(|structured| repeats(block, structured, whole)) {
                project_block(&mut projection, block, context);
            }
        }
        if for_others > 0 {
            projection.hides = true;
            projection.say(format!(
                "[{for_others} blocks for the user only, not shown]"
            ));
        }
        if let Some(structured) = structured {
            projection.say(format!(
                "structuredContent: {}",
                structured_text(structured, whole)
            ));
        }
    }
    if projection.pieces.iter().all(|piece| piece.is_empty()) {
        projection.pieces = vec![whole_text(value, whole)];
    }
    for piece in &mut projection.pieces {
        if let Cow::Owned(redacted) = context.redactor.redact_values(piece) {
            *piece = Cow::Owned(redacted);
        }
    }
    projection
}

/// Returns the whole result as JSON, without what is for programs only (`_meta`).
fn whole_text<'a>(value: &Value, whole: &'a Whole<'_>) -> Cow<'a, str> {
    let Some(members) = value.as_object().filter(|it| it.contains_key("_meta")) else {
        return Cow::Borrowed(whole.text());
    };
    let mut shown = members.clone();
    shown.shift_remove("_meta");
    let shown = Value::Object(shown);
    let canonical = Canonical::of_value(&shown).ok();
    let canonical = canonical.filter(|canonical| canonical.inexact_integers() == 0);
    Cow::Owned(canonical.map_or_else(|| shown.to_string(), Canonical::into_string))
}

fn structured_text<'a>(structured: &Value, whole: &'a Whole<'_>) -> Cow<'a, str> {
    match whole.member("structuredContent") {
        Some(text) if whole.exact.is_none() => Cow::Borrowed(text),
        _ => Cow::Owned(structured.to_string()),
    }
}

/// Tells whether a block is meant for the model: for everybody, or for `assistant` among others.
fn is_for_model(block: &Value) -> bool {
    let audience = block
        .pointer("/annotations/audience")
        .and_then(Value::as_array);
    audience.is_none_or(|audience| {
        audience.is_empty() || audience.iter().any(|role| role == "assistant")
    })
}

/// Tells whether a block of text says the structured content again, as servers do for older clients.
fn repeats(block: &Value, structured: &Value, whole: &Whole<'_>) -> bool {
    let Some(text) = text_of(block, "text") else {
        return false;
    };
    let canonical = whole.member("structuredContent").map_or(0, str::len);
    text.trim_start().starts_with(['{', '['])
        && text.len() <= canonical.saturating_mul(MAX_DUPLICATE_FACTOR)
        && serde_json::from_str::<Value>(text).is_ok_and(|said| said == *structured)
}

fn project_block<'a>(
    projection: &mut Projection<'a>,
    block: &'a Value,
    context: &BoundContext<'_>,
) {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or("none");
    match kind {
        "text" if block.get("text").is_some_and(Value::is_string) => {
            let text = block["text"].as_str().unwrap_or_default();
            projection.pieces.push(Cow::Borrowed(text));
        }
        "image" => project_image(projection, block, context),
        "audio" => {
            let mut parts = vec![format!("audio: {}", described(block, "mimeType"))];
            parts.extend(size_of_base64(block, "data"));
            projection.describe(&parts);
        }
        "resource" => project_resource(projection, block),
        "resource_link" => {
            let mut parts = vec![format!("resource link: {}", described(block, "name"))];
            parts.push(described(block, "uri"));
            parts.extend(optional(block, "mimeType"));
            parts.extend(block.get("size").and_then(Value::as_u64).map(bytes_text));
            parts.extend(optional(block, "description"));
            projection.not_text = true;
            projection.say(format!("[{}]", parts.join("; ")));
        }
        other => {
            let other = safe_message(other, MAX_DESCRIBED_CHARS);
            projection.describe(&[format!("unsupported MCP content: {other}")]);
        }
    }
}

fn project_image(projection: &mut Projection<'_>, block: &Value, context: &BoundContext<'_>) {
    let number = projection.images.len() + 1;
    match image::decode(block, context, number) {
        Ok(image) => {
            projection.not_text = true;
            let bytes = bytes_text(image.bytes.len() as u64);
            projection.say(format!(
                "[image {number}: {}; {bytes}; attached]",
                image.media_type
            ));
            projection.images.push(image);
        }
        Err(reason) => {
            let mut parts = vec![format!("image: {}", described(block, "mimeType"))];
            parts.extend(size_of_base64(block, "data"));
            parts.push(format!("not attached: {reason}"));
            projection.describe(&parts);
        }
    }
}

fn project_resource(projection: &mut Projection<'_>, block: &Value) {
    let none = Value::Null;
    let resource = block.get("resource").unwrap_or(&none);
    let mut parts = vec![format!("resource: {}", described(resource, "uri"))];
    parts.extend(optional(resource, "mimeType"));
    if let Some(text) = text_of(resource, "text") {
        projection.not_text = true;
        projection.say(format!("[{}]\n{text}", parts.join("; ")));
    } else {
        parts.extend(size_of_base64(resource, "blob"));
        projection.describe(&parts);
    }
}

fn text_of<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// Returns a text of the server on one line, or that there is none.
fn described(value: &Value, name: &str) -> String {
    optional(value, name).unwrap_or_else(|| format!("no {name}"))
}

fn optional(value: &Value, name: &str) -> Option<String> {
    text_of(value, name).map(|text| safe_message(text, MAX_DESCRIBED_CHARS))
}

fn size_of_base64(value: &Value, name: &str) -> Option<String> {
    text_of(value, name).map(|data| format!("about {}", bytes_text(about_bytes(data) as u64)))
}

fn bytes_text(bytes: u64) -> String {
    format!("{bytes} bytes")
}
