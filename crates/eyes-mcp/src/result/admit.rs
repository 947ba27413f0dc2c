//! Admission: a result is measured before anything of it is decoded, written or shown.
//!
//! One walk in the order of the document, without recursion. A `content` array counts blocks wherever it stands.
//! The bounds and their order are those of the published reference; its bound on arrays of bytes has no
//! counterpart, because JSON has none.

use eyes_evidence::codes::INVALID_IMAGE_BASE64;
use serde_json::Value;

use super::{base64::canonical_len, units::utf16_len};
use crate::{
    codes,
    error::McpError,
    limits::{
        MAX_RESULT_BLOCKS, MAX_RESULT_DEPTH, MAX_RESULT_IMAGE_BYTES,
        MAX_RESULT_IMAGE_ENCODED_BYTES, MAX_RESULT_IMAGES, MAX_RESULT_NODES,
        MAX_RESULT_STRING_UNITS,
    },
};

/// What was counted in a result that was admitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdmissionStats {
    /// Values, the result itself included.
    pub nodes: usize,
    /// Elements of arrays under a key `content`.
    pub blocks: usize,
    /// UTF-16 code units of texts and keys, without those of images.
    pub string_units: usize,
    /// Blocks of the type `image`.
    pub images: usize,
    /// Characters of their base64.
    pub encoded_image_bytes: usize,
    /// Bytes that it stands for.
    pub decoded_image_bytes: usize,
}

/// A container whose remaining entries are still to be looked at.
enum Open<'a> {
    Array {
        entries: std::slice::Iter<'a, Value>,
        /// Whether the array stands under a key `content`.
        blocks: bool,
    },
    Object {
        members: serde_json::map::Iter<'a>,
        /// Whether the object is a block of the type `image`.
        image: bool,
    },
}

/// How a value stands in its container.
#[derive(Clone, Copy, Default)]
struct Place {
    block: bool,
    under_content: bool,
    image_data: bool,
}

/// Measures a result; what passes a bound is refused.
///
/// Errors, the first in the order of the document: `MCP_RESULT_DEPTH_LIMIT`, `MCP_RESULT_NODE_LIMIT`,
/// `MCP_RESULT_BLOCK_LIMIT`, `MCP_RESULT_IMAGE_ENCODED_LIMIT`, `INVALID_IMAGE_BASE64`,
/// `MCP_RESULT_IMAGE_DECODED_LIMIT`, `MCP_RESULT_STRING_LIMIT`, `MCP_RESULT_IMAGE_COUNT_LIMIT`.
pub fn admit(value: &Value) -> Result<AdmissionStats, McpError> {
    let mut stats = AdmissionStats::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    enter(&mut stats, &mut open, value, Place::default())?;
    while let Some(top) = open.last_mut() {
        let next = match top {
            Open::Array { entries, blocks } => entries.next().map(|entry| {
                let place = Place {
                    block: *blocks,
                    ..Place::default()
                };
                (entry, place)
            }),
            Open::Object { members, image } => match members.next() {
                Some((key, member)) => {
                    count_string(&mut stats, key)?;
                    let place = Place {
                        under_content: key == "content",
                        image_data: *image && key == "data",
                        ..Place::default()
                    };
                    Some((member, place))
                }
                None => None,
            },
        };
        match next {
            Some((value, place)) => enter(&mut stats, &mut open, value, place)?,
            None => {
                open.pop();
            }
        }
    }
    Ok(stats)
}

/// Counts one value, and opens it where it is a container.
fn enter<'a>(
    stats: &mut AdmissionStats,
    open: &mut Vec<Open<'a>>,
    value: &'a Value,
    place: Place,
) -> Result<(), McpError> {
    if open.len() > MAX_RESULT_DEPTH {
        return Err(limit(
            codes::MCP_RESULT_DEPTH_LIMIT,
            format!("the result nests deeper than {MAX_RESULT_DEPTH} levels"),
        ));
    }
    stats.nodes += 1;
    if stats.nodes > MAX_RESULT_NODES {
        return Err(too_many_nodes());
    }
    if place.block {
        stats.blocks += 1;
        if stats.blocks > MAX_RESULT_BLOCKS {
            return Err(limit(
                codes::MCP_RESULT_BLOCK_LIMIT,
                format!("the result has more than {MAX_RESULT_BLOCKS} content blocks"),
            ));
        }
    }
    match value {
        Value::String(text) if place.image_data => count_image(stats, text)?,
        Value::String(text) => count_string(stats, text)?,
        Value::Array(entries) => {
            fits(stats, entries.len())?;
            open.push(Open::Array {
                entries: entries.iter(),
                blocks: place.under_content,
            });
        }
        Value::Object(members) => {
            let image = place.block && members.get("type").is_some_and(|kind| kind == "image");
            stats.images += usize::from(image);
            if stats.images > MAX_RESULT_IMAGES {
                return Err(limit(
                    codes::MCP_RESULT_IMAGE_COUNT_LIMIT,
                    format!("the result has more than {MAX_RESULT_IMAGES} images"),
                ));
            }
            fits(stats, members.len())?;
            open.push(Open::Object {
                members: members.iter(),
                image,
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

/// Refuses a container before it is walked when its entries alone are too many.
fn fits(stats: &AdmissionStats, entries: usize) -> Result<(), McpError> {
    if entries > MAX_RESULT_NODES - stats.nodes {
        return Err(too_many_nodes());
    }
    Ok(())
}

fn too_many_nodes() -> McpError {
    limit(
        codes::MCP_RESULT_NODE_LIMIT,
        format!("the result has more than {MAX_RESULT_NODES} values"),
    )
}

fn count_string(stats: &mut AdmissionStats, text: &str) -> Result<(), McpError> {
    stats.string_units += utf16_len(text);
    if stats.string_units > MAX_RESULT_STRING_UNITS {
        return Err(limit(
            codes::MCP_RESULT_STRING_LIMIT,
            format!("the texts of the result have more than {MAX_RESULT_STRING_UNITS} characters"),
        ));
    }
    Ok(())
}

fn count_image(stats: &mut AdmissionStats, data: &str) -> Result<(), McpError> {
    stats.encoded_image_bytes += data.len();
    if stats.encoded_image_bytes > MAX_RESULT_IMAGE_ENCODED_BYTES {
        return Err(limit(
            codes::MCP_RESULT_IMAGE_ENCODED_LIMIT,
            format!(
                "the images of the result have more than {MAX_RESULT_IMAGE_ENCODED_BYTES} characters of base64"
            ),
        ));
    }
    let decoded = canonical_len(data).ok_or_else(|| {
        limit(
            INVALID_IMAGE_BASE64,
            format!("the data of image {} is not canonical base64", stats.images),
        )
    })?;
    stats.decoded_image_bytes += decoded;
    if stats.decoded_image_bytes > MAX_RESULT_IMAGE_BYTES {
        return Err(limit(
            codes::MCP_RESULT_IMAGE_DECODED_LIMIT,
            format!("the images of the result have more than {MAX_RESULT_IMAGE_BYTES} bytes"),
        ));
    }
    Ok(())
}

fn limit(code: eyes_evidence::code::ErrorCode, message: String) -> McpError {
    McpError::new(code, message)
}
