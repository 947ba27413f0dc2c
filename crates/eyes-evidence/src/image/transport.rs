//! Images that arrive as text: base64 (RFC 4648, section 4) and data URLs (RFC 2397).

use base64::{DecodeError, Engine as _, engine::general_purpose::STANDARD};

use super::{AdmittedImage, ImageError, ImageLimits, admit};
use crate::limits::MAX_DATA_URL_PREFIX;

/// Admits an image from canonical base64: standard alphabet, padded, no white space, no stray bits.
///
/// One picture has one text, so that equal texts and equal bytes mean the same. The length is
/// checked against `limits` before anything is decoded. Errors: `INVALID_IMAGE_BASE64`,
/// `IMAGE_TOO_LARGE` and those of [`admit`].
pub fn from_base64(text: &str, limits: &ImageLimits) -> Result<AdmittedImage, ImageError> {
    let text = text.as_bytes();
    let padding = text.iter().rev().take(2).filter(|b| **b == b'=').count() as u64;
    let bytes = (text.len() as u64)
        .div_ceil(4)
        .saturating_mul(3)
        .saturating_sub(padding);
    if bytes > limits.max_bytes() {
        return Err(ImageError::TooLarge {
            bytes,
            limit: limits.max_bytes(),
        });
    }
    let decoded = STANDARD.decode(text).map_err(|error| ImageError::Base64 {
        reason: describe(&error, text.len()),
    })?;
    admit(decoded, limits)
}

/// Admits an image from `data:image/...;base64,...`.
///
/// The declared subtype is not believed: the bytes decide. Errors: `IMAGE_DATA_URL_INVALID` and
/// those of [`from_base64`].
pub fn from_data_url(url: &str, limits: &ImageLimits) -> Result<AdmittedImage, ImageError> {
    let invalid = |reason| ImageError::DataUrl { reason };
    let window = url.as_bytes();
    let window = window.get(..MAX_DATA_URL_PREFIX).unwrap_or(window);
    let comma = window
        .iter()
        .position(|b| *b == b',')
        .ok_or(invalid("no comma near its start"))?;
    // A comma is one byte, so both cuts are at character boundaries.
    let (prefix, payload) = (&url[..comma], &url[comma + 1..]);
    let prefix = prefix.to_ascii_lowercase();
    let media = prefix
        .strip_prefix("data:")
        .ok_or(invalid("no data: scheme"))?;
    if !media.starts_with("image/") {
        return Err(invalid("its media type is not image/..."));
    }
    if !media.ends_with(";base64") {
        return Err(invalid("its payload is not base64"));
    }
    from_base64(payload, limits)
}

/// Says what is wrong and where, without quoting the payload.
fn describe(error: &DecodeError, length: usize) -> String {
    match error {
        DecodeError::InvalidByte(at, byte) => {
            format!("byte {byte:#04x} at offset {at} is not allowed there")
        }
        DecodeError::InvalidLength(_) => {
            format!("{length} characters are no whole number of bytes")
        }
        DecodeError::InvalidLastSymbol { offset: at, .. } => {
            format!("the last symbol at offset {at} has bits that belong to no byte")
        }
        DecodeError::InvalidPadding => "its padding is missing or wrong".to_owned(),
    }
}
