//! Model text to evidence: find the object, repair its structure, read its boxes, keep what is sound.
//!
//! The stages are extraction ([`audit::ExtractionAudit`]), structural repair ([`audit::Repair`]), the
//! coordinate decision ([`audit::CoordinateAudit`]) and strict validation, which is the construction of the
//! types in [`crate::record`]. A bad entry is repaired or dropped, and named in the audit; the document fails
//! only when its summary or answer is missing, its `schemaVersion` is another one, or more than
//! [`MAX_LOST_SHARE`](crate::limits::MAX_LOST_SHARE) of its entries are lost. Nothing is ever invented. Time
//! is linear in the text, and nesting costs no stack.
//!
//! ```
//! use eyes_evidence::{geometry::PixelSize, parse::{parse_evidence, ParseContext}, record::EvidenceKind};
//!
//! let context = ParseContext {
//!     kind: EvidenceKind::Base,
//!     size: PixelSize { width: 1920, height: 1080 },
//!     route: Some("openai/gpt-4.1"),
//! };
//! let text = r#"Here it is: {"summary": "A login form.",
//!     "ocr": [{"text": "Sign in", "bbox": {"x1": 0.1, "y1": 0.1, "x2": 0.3, "y2": 0.2}, "confidence": "97%"}]}"#;
//! let parsed = parse_evidence(text, &context)?;
//! let json = serde_json::to_string(&parsed.evidence).unwrap_or_default();
//! assert!(json.contains(r#""bbox":[0.1,0.1,0.2,0.1],"confidence":0.97"#));
//! # Ok::<(), eyes_evidence::parse::ParseError>(())
//! ```

pub mod audit;
mod coordinates;
mod decode;
mod error;
mod extract;
mod json;

use audit::ParseAudit;
pub use error::{ParseError, Violation};

use crate::{
    geometry::PixelSize,
    record::{Evidence, EvidenceKind},
};

/// What is known about a model's text before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseContext<'a> {
    /// The document that was asked for.
    pub kind: EvidenceKind,
    /// The size of the image that was looked at, in pixels.
    pub size: PixelSize,
    /// `provider/model`; model families write boxes in different ways.
    pub route: Option<&'a str>,
}

/// Evidence and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The document.
    pub evidence: Evidence,
    /// What was found, repaired, converted and dropped.
    pub audit: ParseAudit,
}

/// Reads evidence out of a model's text.
///
/// Errors: `INVALID_MODEL_OUTPUT` when the text holds no object, `INVALID_VISION_EVIDENCE` when the object
/// cannot be made valid without inventing.
pub fn parse_evidence(text: &str, context: &ParseContext<'_>) -> Result<Parsed, ParseError> {
    let extracted = extract::extract(text, context.kind)?;
    decode::decode(&extracted, context)
}

#[cfg(test)]
mod tests;
