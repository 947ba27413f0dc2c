//! The closer look of a record: which crop was shown beside the original.

use serde::{Deserialize, Serialize};

use crate::{
    digest::Sha256Digest,
    geometry::{PixelRect, PixelSize},
};

/// A crop that the model was shown beside the untouched original.
///
/// The boxes of the record are those of the original: what the model measured in the crop was mapped back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordZoom {
    /// The part of the original that the crop shows, in its pixels, margin included.
    pub rect: PixelRect,
    /// The size of the crop as it was sent, in pixels; over `rect` it is the scale.
    pub sent: PixelSize,
    /// SHA-256 of the encoded crop as it was sent.
    pub sha256: Sha256Digest,
    /// SHA-256 of the crop's pixels; cutting and enlarging the original again gives the same.
    pub pixel_sha256: Sha256Digest,
}
