//! Why bytes were not admitted as an image.

use super::MediaType;
use crate::{
    code::{Coded, ErrorCode},
    codes,
    geometry::PixelSize,
};

/// Why bytes were not admitted as an image, or limits not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The bytes are of a kind that is known and not accepted: `UNSUPPORTED_IMAGE_TYPE`.
    #[error("the file is {found}, which is not read")]
    Unsupported {
        /// What the bytes are, as a noun phrase.
        found: &'static str,
    },
    /// The bytes match no known signature: `UNSUPPORTED_IMAGE_TYPE`.
    #[error("the first bytes match no image format (length {bytes} bytes)")]
    Unrecognised {
        /// Length of the input.
        bytes: u64,
    },
    /// The encoded file is too long: `IMAGE_TOO_LARGE`.
    #[error("the encoded image has {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Length of the input.
        bytes: u64,
        /// The bound.
        limit: u64,
    },
    /// One side is too long: `IMAGE_PIXEL_LIMIT`.
    #[error("the image is {0}x{1} pixels, with a side over the limit of {limit}", size.width, size.height)]
    Side {
        /// What the header states.
        size: PixelSize,
        /// The bound, pixels.
        limit: u32,
    },
    /// There are too many pixels: `IMAGE_PIXEL_LIMIT`.
    #[error("the image is {0}x{1} pixels, more than the limit of {limit} pixels", size.width, size.height)]
    Pixels {
        /// What the header states.
        size: PixelSize,
        /// The bound, pixels.
        limit: u64,
    },
    /// Decoding would need too much memory: `IMAGE_MEMORY_LIMIT`.
    #[error("decoding needs {bytes} bytes of memory, more than the limit of {limit}")]
    Memory {
        /// The estimate.
        bytes: u64,
        /// The bound.
        limit: u64,
    },
    /// The file is an animation: `IMAGE_ANIMATION_UNSUPPORTED`.
    #[error("the file is an animated {media_type}")]
    Animated {
        /// The format.
        media_type: MediaType,
    },
    /// The file is damaged, cut off or uses an unknown feature: `IMAGE_INVALID`.
    #[error("the {media_type} file cannot be decoded: {reason}")]
    Invalid {
        /// The format.
        media_type: MediaType,
        /// What the decoder says, shortened.
        reason: String,
    },
    /// The text is not canonical base64: `INVALID_IMAGE_BASE64`.
    #[error("the text is not canonical base64: {reason}")]
    Base64 {
        /// What is wrong, and where.
        reason: String,
    },
    /// The text is not a base64 data URL of an image: `IMAGE_DATA_URL_INVALID`.
    #[error("the text is no image data URL: {reason}")]
    DataUrl {
        /// What is wrong.
        reason: &'static str,
    },
    /// A limit is out of its range: `IMAGE_LIMITS_INVALID`.
    #[error("image limit {name} is {value}, outside {min}..={max}")]
    Limits {
        /// Which limit.
        name: &'static str,
        /// What was asked for.
        value: u64,
        /// The least accepted value.
        min: u64,
        /// The greatest accepted value.
        max: u64,
    },
}

impl Coded for ImageError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Unsupported { .. } | Self::Unrecognised { .. } => codes::UNSUPPORTED_IMAGE_TYPE,
            Self::TooLarge { .. } => codes::IMAGE_TOO_LARGE,
            Self::Side { .. } | Self::Pixels { .. } => codes::IMAGE_PIXEL_LIMIT,
            Self::Memory { .. } => codes::IMAGE_MEMORY_LIMIT,
            Self::Animated { .. } => codes::IMAGE_ANIMATION_UNSUPPORTED,
            Self::Invalid { .. } => codes::IMAGE_INVALID,
            Self::Base64 { .. } => codes::INVALID_IMAGE_BASE64,
            Self::DataUrl { .. } => codes::IMAGE_DATA_URL_INVALID,
            Self::Limits { .. } => codes::IMAGE_LIMITS_INVALID,
        }
    }
}
