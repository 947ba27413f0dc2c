//! A large picture as lossless tiles that fit a host's limits.

use super::{
    RasterError, Rgb8,
    encode::{PngEffort, encode_png},
    identity::pixel_sha256,
};
use crate::{
    digest::Sha256Digest,
    geometry::{PixelRect, PixelSize},
    limits::{
        DEFAULT_TILE_BYTES, DEFAULT_TILE_COUNT, DEFAULT_TILE_SIDE, DEFAULT_TILE_TOTAL_BYTES,
        MAX_IMAGE_PIXELS,
    },
};

/// What a host accepts, and how tiles overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileLimits {
    /// Longest side of one tile, pixels.
    pub max_side: u32,
    /// Pixels of one tile.
    pub max_pixels: u64,
    /// Encoded bytes of one tile.
    pub max_bytes: u64,
    /// Number of tiles.
    pub max_tiles: u32,
    /// Encoded bytes of all tiles together.
    pub max_total_bytes: u64,
    /// Pixels that neighbours share, so that text on a seam is whole in one of them.
    pub overlap: u32,
}

impl Default for TileLimits {
    fn default() -> Self {
        Self {
            max_side: DEFAULT_TILE_SIDE,
            max_pixels: MAX_IMAGE_PIXELS,
            max_bytes: DEFAULT_TILE_BYTES,
            max_tiles: DEFAULT_TILE_COUNT,
            max_total_bytes: DEFAULT_TILE_TOTAL_BYTES,
            overlap: 0,
        }
    }
}

impl TileLimits {
    /// Checks that tiles can be made at all.
    ///
    /// Error: `IMAGE_TILE_LIMITS_INVALID` for a limit of 0, an overlap of half a tile or more, or
    /// a pixel limit that a strip of overlap width alone would pass.
    pub fn check(&self) -> Result<(), RasterError> {
        let positive = [
            ("max_side", u64::from(self.max_side)),
            ("max_pixels", self.max_pixels),
            ("max_bytes", self.max_bytes),
            ("max_tiles", u64::from(self.max_tiles)),
            ("max_total_bytes", self.max_total_bytes),
        ];
        for (name, value) in positive {
            if value == 0 {
                return Err(RasterError::Limits { name, value });
            }
        }
        let overlap = u64::from(self.overlap);
        let square = (self.max_pixels as f64).sqrt() as u64;
        if overlap > 0 && overlap * 2 >= u64::from(self.max_side).min(square) {
            return Err(RasterError::Limits {
                name: "overlap",
                value: overlap,
            });
        }
        Ok(())
    }
}

/// One lossless part of a picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Tile {
    /// Where it lies in the picture.
    pub rect: PixelRect,
    /// The PNG file.
    pub png: Vec<u8>,
    /// SHA-256 of the file.
    pub sha256: Sha256Digest,
    /// SHA-256 of its pixels.
    pub pixel_sha256: Sha256Digest,
}

impl std::fmt::Debug for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tile")
            .field("rect", &self.rect)
            .field("bytes", &self.png.len())
            .field("sha256", &self.sha256)
            .finish_non_exhaustive()
    }
}

/// Divides a picture of `size` by side and pixel limits alone, before anything is encoded.
///
/// Rows from top to bottom, tiles from left to right, sizes as even as whole pixels allow. The
/// tiles cover the picture exactly; without overlap each pixel is in one tile.
/// Errors: `IMAGE_TILE_LIMITS_INVALID`, `IMAGE_TILE_COUNT_LIMIT`.
pub fn plan(size: PixelSize, limits: &TileLimits) -> Result<Vec<PixelRect>, RasterError> {
    limits.check()?;
    let mut columns = parts(size.width, limits.max_side, limits.overlap);
    let mut rows = parts(size.height, limits.max_side, limits.overlap);
    loop {
        let tiles = u64::from(columns) * u64::from(rows);
        if tiles > u64::from(limits.max_tiles) {
            return Err(RasterError::TileCount {
                tiles,
                limit: limits.max_tiles,
            });
        }
        let width = extent(size.width, columns, limits.overlap);
        let height = extent(size.height, rows, limits.overlap);
        if width * height <= limits.max_pixels {
            break;
        }
        // The longer side of a tile is divided next, as long as that makes it shorter.
        if width >= height {
            columns += 1;
        } else {
            rows += 1;
        }
    }
    let across = cuts(size.width, columns, limits.overlap);
    let down = cuts(size.height, rows, limits.overlap);
    let rects = down.iter().flat_map(|&(y, height)| {
        across.iter().map(move |&(x, width)| PixelRect {
            x,
            y,
            width,
            height,
        })
    });
    Ok(rects.collect())
}

/// Encodes one planned tile, in several parts when its file would pass the byte limit.
///
/// A file that is too long is tried once more with more effort, then its longer side is halved.
/// Planned tiles are independent of each other, so that a caller may encode them in parallel;
/// [`check_total`] then looks at all of them. Error: `IMAGE_TILE_BYTES_LIMIT` for a tile that
/// cannot be divided, `IMAGE_TILE_COUNT_LIMIT`, `IMAGE_ENCODE_FAILED`.
pub fn encode_tile(
    raster: &Rgb8,
    rect: PixelRect,
    effort: PngEffort,
    limits: &TileLimits,
) -> Result<Vec<Tile>, RasterError> {
    let mut done = Vec::new();
    let mut pending = vec![rect];
    while let Some(rect) = pending.pop() {
        let Some(cut) = cut(raster, rect) else {
            continue;
        };
        let tile = encode_within(&cut, rect, effort, limits)?;
        if tile.png.len() as u64 <= limits.max_bytes {
            done.push(tile);
        } else {
            let [first, second] = halves(rect, limits.overlap).ok_or(RasterError::TileBytes {
                size: cut.size(),
                bytes: tile.png.len() as u64,
                limit: limits.max_bytes,
            })?;
            // Last in, first out: the left or upper half comes first.
            pending.extend([second, first]);
        }
        let tiles = (done.len() + pending.len()) as u64;
        if tiles > u64::from(limits.max_tiles) {
            return Err(RasterError::TileCount {
                tiles,
                limit: limits.max_tiles,
            });
        }
    }
    Ok(done)
}

/// Checks the number of tiles and their bytes together.
///
/// Errors: `IMAGE_TILE_COUNT_LIMIT`, `IMAGE_TILE_TOTAL_LIMIT`.
pub fn check_total(tiles: &[Tile], limits: &TileLimits) -> Result<(), RasterError> {
    if tiles.len() as u64 > u64::from(limits.max_tiles) {
        return Err(RasterError::TileCount {
            tiles: tiles.len() as u64,
            limit: limits.max_tiles,
        });
    }
    let bytes = tiles.iter().map(|t| t.png.len() as u64).sum();
    if bytes > limits.max_total_bytes {
        return Err(RasterError::TotalBytes {
            bytes,
            limit: limits.max_total_bytes,
        });
    }
    Ok(())
}

/// Plans, encodes and checks all tiles of a picture, one after the other.
///
/// Errors: those of [`plan`], [`encode_tile`] and [`check_total`].
pub fn encode_tiles(
    raster: &Rgb8,
    effort: PngEffort,
    limits: &TileLimits,
) -> Result<Vec<Tile>, RasterError> {
    let mut tiles = Vec::new();
    for rect in plan(raster.size(), limits)? {
        tiles.extend(encode_tile(raster, rect, effort, limits)?);
        check_total(&tiles, limits)?;
    }
    Ok(tiles)
}

fn cut(raster: &Rgb8, rect: PixelRect) -> Option<std::borrow::Cow<'_, Rgb8>> {
    let size = raster.size();
    if rect.x == 0 && rect.y == 0 && rect.width == size.width && rect.height == size.height {
        return Some(std::borrow::Cow::Borrowed(raster));
    }
    raster.crop(rect).map(std::borrow::Cow::Owned)
}

/// Encodes with `effort`, and once more with the greatest effort when the file is too long.
fn encode_within(
    cut: &Rgb8,
    rect: PixelRect,
    effort: PngEffort,
    limits: &TileLimits,
) -> Result<Tile, RasterError> {
    let mut png = encode_png(cut, effort)?;
    let long = png.len() as u64;
    // More effort saves about half at best: far above the limit it would be wasted.
    if long > limits.max_bytes && long / 4 <= limits.max_bytes && effort < PngEffort::Balanced {
        png = encode_png(cut, PngEffort::Balanced)?;
    }
    Ok(Tile {
        rect,
        sha256: Sha256Digest::of(&png),
        pixel_sha256: pixel_sha256(cut),
        png,
    })
}

/// The two halves of the longer side, sharing `overlap`; nothing when they would not be smaller.
fn halves(rect: PixelRect, overlap: u32) -> Option<[PixelRect; 2]> {
    let wide = rect.width >= rect.height;
    let length = rect.width.max(rect.height);
    if length <= overlap.saturating_mul(2).max(1) {
        return None;
    }
    let [(a, first), (b, second)] = cuts(length, 2, overlap).try_into().ok()?;
    let part = |offset: u32, extent: u32| {
        if wide {
            PixelRect {
                x: rect.x + offset,
                width: extent,
                ..rect
            }
        } else {
            PixelRect {
                y: rect.y + offset,
                height: extent,
                ..rect
            }
        }
    };
    Some([part(a, first), part(b, second)])
}

/// How many parts a side needs when each may be `max` long and neighbours share `overlap`.
fn parts(length: u32, max: u32, overlap: u32) -> u32 {
    if length <= max {
        return 1;
    }
    (length - overlap).div_ceil(max - overlap)
}

/// The longest part when `length` is divided into `parts`.
fn extent(length: u32, parts: u32, overlap: u32) -> u64 {
    let shared = u64::from(overlap) * u64::from(parts - 1);
    (u64::from(length) + shared).div_ceil(u64::from(parts))
}

/// Offset and length of each part: even steps, each reaching `overlap` into the next.
fn cuts(length: u32, parts: u32, overlap: u32) -> Vec<(u32, u32)> {
    let (whole, parts) = (u64::from(length), u64::from(parts));
    let stepped = whole - u64::from(overlap).min(whole);
    let at = |i: u64| stepped * i / parts;
    (0..parts)
        .map(|i| {
            let start = at(i);
            let end = if i + 1 == parts {
                whole
            } else {
                at(i + 1) + u64::from(overlap)
            };
            (start as u32, (end - start) as u32)
        })
        .collect()
}
