//! Image identity and admission: which bytes were looked at, and what their pixels are.
//!
//! [`admit`] is the only way in. It takes the type from the bytes, checks every bound before it
//! allocates, refuses what is not one still picture, and leaves the encoded bytes as they are.

mod container;
mod decode;
mod error;
mod exif;
mod limits;
mod sniff;
#[cfg(test)]
mod tests;
mod transport;

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

pub use self::{
    error::ImageError,
    limits::ImageLimits,
    transport::{from_base64, from_data_url},
};
use crate::{digest::Sha256Digest, geometry::PixelSize, raster::Rgb8};

/// An image format that is accepted, found from the bytes and never from a file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl MediaType {
    /// Every accepted format.
    pub const ALL: &[Self] = &[Self::Png, Self::Jpeg, Self::Webp, Self::Gif, Self::Bmp];

    /// Tells the format from the first bytes alone; nothing where it is none of these. The rest is not looked at.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match sniff::sniff(bytes) {
            sniff::Sniffed::Accepted(media_type) => Some(media_type),
            sniff::Sniffed::Known(_) | sniff::Sniffed::Unknown => None,
        }
    }

    /// Returns the media type as it stands in a record, such as `image/png`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What identifies one image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImageIdentity {
    /// SHA-256 of the encoded bytes as they were received.
    pub sha256: Sha256Digest,
    /// SHA-256 of the decoded pixels; equal for two lossless encodings of the same picture.
    ///
    /// See [`raster::identity`](crate::raster::identity) for the exact form that is hashed.
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
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 8)))]
    pub orientation: Option<u8>,
}

/// An image that passed every bound: its identity, its untouched bytes and its pixels.
#[derive(Clone)]
pub struct AdmittedImage {
    identity: ImageIdentity,
    bytes: Arc<[u8]>,
    raster: Rgb8,
}

impl AdmittedImage {
    /// Returns what identifies the image.
    pub const fn identity(&self) -> &ImageIdentity {
        &self.identity
    }

    /// Returns the encoded bytes as they were received.
    pub const fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Returns the pixels, transparent parts over white.
    pub const fn raster(&self) -> &Rgb8 {
        &self.raster
    }

    /// Returns the pixels and drops the encoded bytes.
    pub fn into_raster(self) -> Rgb8 {
        self.raster
    }
}

impl fmt::Debug for AdmittedImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AdmittedImage")
            .field(&self.identity)
            .finish()
    }
}

/// Admits encoded bytes as one still picture.
///
/// Errors: `UNSUPPORTED_IMAGE_TYPE`, `IMAGE_TOO_LARGE`, `IMAGE_PIXEL_LIMIT`, `IMAGE_MEMORY_LIMIT`,
/// `IMAGE_ANIMATION_UNSUPPORTED`, `IMAGE_INVALID`. Bytes behind the end of the picture belong to
/// the encoded digest only.
pub fn admit(
    bytes: impl Into<Arc<[u8]>>,
    limits: &ImageLimits,
) -> Result<AdmittedImage, ImageError> {
    let bytes = bytes.into();
    let length = bytes.len() as u64;
    if length > limits.max_bytes() {
        return Err(ImageError::TooLarge {
            bytes: length,
            limit: limits.max_bytes(),
        });
    }
    let media_type = match sniff::sniff(&bytes) {
        sniff::Sniffed::Accepted(media_type) => media_type,
        sniff::Sniffed::Known(found) => return Err(ImageError::Unsupported { found }),
        sniff::Sniffed::Unknown => return Err(ImageError::Unrecognised { bytes: length }),
    };
    let facts = container::scan(media_type, &bytes);
    if facts.animated {
        return Err(ImageError::Animated { media_type });
    }
    if facts.truncated {
        return Err(ImageError::Invalid {
            media_type,
            reason: "it is cut off before its end".to_owned(),
        });
    }
    if let Some(size) = facts.size {
        decode::check_size(size, limits)?;
    }
    let orientation = facts.exif.and_then(exif::orientation);
    let decoded = decode::decode(media_type, &bytes, limits)?;
    let identity = ImageIdentity {
        sha256: Sha256Digest::of(&bytes),
        pixel_sha256: decoded.pixel_sha256,
        media_type,
        bytes: length,
        size: decoded.raster.size(),
        orientation,
    };
    Ok(AdmittedImage {
        identity,
        bytes,
        raster: decoded.raster,
    })
}
