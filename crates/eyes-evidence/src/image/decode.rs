//! From encoded bytes to pixels, with every bound checked on the header.

use std::io::Cursor;

use image::{ColorType, ImageDecoder, ImageReader, Limits};

use super::{ImageError, ImageLimits, MediaType};
use crate::{
    digest::Sha256Digest,
    geometry::PixelSize,
    limits::MAX_DECODER_MESSAGE_CHARS,
    raster::{
        Rgb8,
        identity::{Samples, Stored},
    },
};

/// The decoded picture.
pub(super) struct Decoded {
    pub(super) raster: Rgb8,
    pub(super) pixel_sha256: Sha256Digest,
}

/// Decodes one still picture.
pub(super) fn decode(
    media_type: MediaType,
    bytes: &[u8],
    limits: &ImageLimits,
) -> Result<Decoded, ImageError> {
    let invalid = |error: &image::ImageError| ImageError::Invalid {
        media_type,
        reason: shorten(error),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format(media_type));
    // Bounds what decoders hold before the size is known: colour profiles, text chunks.
    reader.limits(decoder_limits(limits.max_memory()));
    let mut decoder = reader.into_decoder().map_err(|e| invalid(&e))?;

    let (width, height) = decoder.dimensions();
    let color = decoder.color_type();
    let size = PixelSize { width, height };
    let count = check_size(size, limits)?;
    let needed = check_memory(media_type, count, color, limits)?;
    decoder
        .set_limits(decoder_limits(needed))
        .map_err(|e| invalid(&e))?;
    let layout = stored(color).ok_or_else(|| ImageError::Invalid {
        media_type,
        reason: format!("its samples are {color:?}"),
    })?;

    let length = decoder.total_bytes();
    let mut pixels = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    decoder.read_image(&mut pixels).map_err(|e| invalid(&e))?;
    let samples = Samples::new(size, layout, pixels).ok_or_else(|| ImageError::Invalid {
        media_type,
        reason: "it has no pixels".to_owned(),
    })?;
    let (raster, pixel_sha256) = samples.into_raster();
    Ok(Decoded {
        raster,
        pixel_sha256,
    })
}

/// Checks a stated size against the limits and returns the number of pixels.
pub(super) fn check_size(size: PixelSize, limits: &ImageLimits) -> Result<u64, ImageError> {
    if size.width.max(size.height) > limits.max_side() {
        return Err(ImageError::Side {
            size,
            limit: limits.max_side(),
        });
    }
    let pixels = u64::from(size.width) * u64::from(size.height);
    if pixels > limits.max_pixels() {
        return Err(ImageError::Pixels {
            size,
            limit: limits.max_pixels(),
        });
    }
    Ok(pixels)
}

/// Returns the memory that decoding needs, in bytes.
fn check_memory(
    media_type: MediaType,
    pixels: u64,
    color: ColorType,
    limits: &ImageLimits,
) -> Result<u64, ImageError> {
    // Output samples, the flattened copy, and what the decoder itself holds for each pixel:
    // coefficients of four components (JPEG), planes or a second frame (WebP), one frame (GIF).
    let working = match media_type {
        MediaType::Jpeg | MediaType::Webp => 8,
        MediaType::Gif => 4,
        MediaType::Png | MediaType::Bmp => 0,
    };
    let per_pixel = u64::from(color.bytes_per_pixel()) + 3 + working;
    let bytes = pixels.saturating_mul(per_pixel);
    if bytes > limits.max_memory() {
        return Err(ImageError::Memory {
            bytes,
            limit: limits.max_memory(),
        });
    }
    Ok(bytes)
}

/// Small pictures leave decoders room for their tables.
fn decoder_limits(bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(bytes.max(crate::limits::MIN_IMAGE_MEMORY));
    limits
}

fn format(media_type: MediaType) -> image::ImageFormat {
    match media_type {
        MediaType::Png => image::ImageFormat::Png,
        MediaType::Jpeg => image::ImageFormat::Jpeg,
        MediaType::Webp => image::ImageFormat::WebP,
        MediaType::Gif => image::ImageFormat::Gif,
        MediaType::Bmp => image::ImageFormat::Bmp,
    }
}

fn stored(color: ColorType) -> Option<Stored> {
    let (channels, wide) = match color {
        ColorType::L8 => (1, false),
        ColorType::La8 => (2, false),
        ColorType::Rgb8 => (3, false),
        ColorType::Rgba8 => (4, false),
        ColorType::L16 => (1, true),
        ColorType::La16 => (2, true),
        ColorType::Rgb16 => (3, true),
        ColorType::Rgba16 => (4, true),
        _ => return None,
    };
    Some(Stored { channels, wide })
}

/// A decoder's message in one short line; it may quote bytes of the file.
fn shorten(error: &image::ImageError) -> String {
    error
        .to_string()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_DECODER_MESSAGE_CHARS)
        .collect()
}
