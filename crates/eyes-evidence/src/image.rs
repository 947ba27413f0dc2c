//! Image identity: which bytes were looked at.

use serde::{Deserialize, Serialize};

use crate::{digest::Sha256Digest, geometry::PixelSize};

/// An image format that is accepted, found from the bytes and never from a file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MediaType {
    /// PNG (W3C PNG, third edition).
    #[serde(rename = "image/png")]
    Png,
    /// JPEG (ITU-T T.81).
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// WebP (RFC 9649).
    #[serde(rename = "image/webp")]
    Webp,
    /// GIF (`GIF89a`), still images only.
    #[serde(rename = "image/gif")]
    Gif,
    /// BMP.
    #[serde(rename = "image/bmp")]
    Bmp,
}

/// What identifies one image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImageIdentity {
    /// SHA-256 of the encoded bytes as they were received.
    pub sha256: Sha256Digest,
    /// SHA-256 of the decoded pixels; equal for two encodings of the same picture.
    pub pixel_sha256: Sha256Digest,
    /// The format, found from the bytes.
    pub media_type: MediaType,
    /// Length of the encoded bytes.
    pub bytes: u64,
    /// Width and height as stored; orientation is never applied.
    #[serde(flatten)]
    pub size: PixelSize,
    /// EXIF orientation 2..=8 where the file states one; noted, never applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<u8>,
}
