//! What the container around the pixels says: animation, EXIF, whether the file is whole.
//!
//! Each format is walked once, in linear time and without allocation; pixels are not looked at.

mod gif;
mod jpeg;
mod png;
mod webp;

use super::MediaType;
use crate::geometry::PixelSize;

/// What one walk over a file found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ContainerFacts<'a> {
    /// The file holds more than one picture in time.
    pub(super) animated: bool,
    /// The EXIF block, where there is one.
    pub(super) exif: Option<&'a [u8]>,
    /// Width and height that a PNG header states: its decoder computes with them before it can be asked.
    pub(super) size: Option<PixelSize>,
    /// The file ends before the structure does.
    pub(super) truncated: bool,
}

/// Walks `bytes`, which begin with the signature of `media_type`.
pub(super) fn scan(media_type: MediaType, bytes: &[u8]) -> ContainerFacts<'_> {
    match media_type {
        MediaType::Png => png::scan(bytes),
        MediaType::Jpeg => jpeg::scan(bytes),
        MediaType::Webp => webp::scan(bytes),
        MediaType::Gif => gif::scan(bytes),
        // A bitmap is one picture without metadata; its decoder reports missing rows.
        MediaType::Bmp => ContainerFacts::default(),
    }
}
