//! What raster work can refuse.

use crate::{
    code::{Coded, ErrorCode},
    codes,
    geometry::PixelSize,
};

/// Why tiles or a file were not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// A limit is zero or contradicts another: `IMAGE_TILE_LIMITS_INVALID`.
    #[error("tile limit {name} is {value}")]
    Limits {
        /// Which limit.
        name: &'static str,
        /// Its value.
        value: u64,
    },
    /// A tile that cannot be divided further is too long: `IMAGE_TILE_BYTES_LIMIT`.
    #[error("a tile of {0}x{1} pixels has {bytes} bytes, more than the limit of {limit}", size.width, size.height)]
    TileBytes {
        /// The tile.
        size: PixelSize,
        /// Its encoded length.
        bytes: u64,
        /// The bound.
        limit: u64,
    },
    /// There are too many tiles: `IMAGE_TILE_COUNT_LIMIT`.
    #[error("the picture needs at least {tiles} tiles, more than the limit of {limit}")]
    TileCount {
        /// Tiles counted so far.
        tiles: u64,
        /// The bound.
        limit: u32,
    },
    /// All tiles together are too long: `IMAGE_TILE_TOTAL_LIMIT`.
    #[error("the tiles have at least {bytes} bytes, more than the limit of {limit}")]
    TotalBytes {
        /// Bytes counted so far.
        bytes: u64,
        /// The bound.
        limit: u64,
    },
    /// The encoder refused: `IMAGE_ENCODE_FAILED`.
    #[error("a picture of {0}x{1} pixels could not be encoded: {reason}", size.width, size.height)]
    Encode {
        /// The picture.
        size: PixelSize,
        /// What the encoder says.
        reason: String,
    },
}

impl Coded for RasterError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Limits { .. } => codes::IMAGE_TILE_LIMITS_INVALID,
            Self::TileBytes { .. } => codes::IMAGE_TILE_BYTES_LIMIT,
            Self::TileCount { .. } => codes::IMAGE_TILE_COUNT_LIMIT,
            Self::TotalBytes { .. } => codes::IMAGE_TILE_TOTAL_LIMIT,
            Self::Encode { .. } => codes::IMAGE_ENCODE_FAILED,
        }
    }
}
