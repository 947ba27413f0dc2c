//! Pixel identity: one digest for one picture, whatever file it came from.
//!
//! What is hashed with SHA-256, in this order:
//!
//! 1. the 24 bytes `deepseekeyes.pixels.v1` followed by two zero bytes, so that no other digest
//!    of this software can be taken for a pixel digest;
//! 2. width and height, each as 4 bytes, big-endian;
//! 3. one byte channels: 3 when every pixel is opaque, else 4;
//! 4. one byte bits for each sample: 8 when every sample of the picture is an 8-bit value
//!    (a 16-bit sample `v * 257` shows the same as the 8-bit sample `v`), else 16;
//! 5. the samples, rows from top to bottom, red, green, blue and, with 4 channels, alpha
//!    (not premultiplied); 16-bit samples big-endian.
//!
//! Grey, palette, interlacing, filters and chunk order thus make no difference. Colour profiles,
//! gamma and orientation are not applied. Colours of invisible pixels count: they are stored.

use sha2::{Digest, Sha256};

use super::Rgb8;
use crate::{digest::Sha256Digest, geometry::PixelSize};

/// Domain separation of pixel digests.
const DOMAIN: &[u8; 24] = b"deepseekeyes.pixels.v1\0\0";

/// Returns the pixel digest of an opaque 8-bit picture.
///
/// Equals `pixelSha256` of every image file that stores exactly these pixels without loss.
pub fn pixel_sha256(raster: &Rgb8) -> Sha256Digest {
    let mut hasher = begin(raster.size(), 3, false);
    hasher.update(raster.pixels());
    Sha256Digest::from_bytes(hasher.finalize().into())
}

fn begin(size: PixelSize, channels: u8, wide: bool) -> Sha256 {
    let mut hasher = Sha256::new();
    hasher.update(DOMAIN);
    hasher.update(size.width.to_be_bytes());
    hasher.update(size.height.to_be_bytes());
    hasher.update([channels, if wide { 16 } else { 8 }]);
    hasher
}

/// How a decoder stores samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    /// 1 grey, 2 grey and alpha, 3 colours, 4 colours and alpha.
    pub(crate) channels: usize,
    /// 16-bit samples in native byte order instead of 8-bit ones.
    pub(crate) wide: bool,
}

/// Decoded samples before they are flattened.
pub(crate) struct Samples {
    size: PixelSize,
    stored: Stored,
    bytes: Vec<u8>,
}

impl Samples {
    /// Takes samples; nothing when their number does not fit the size or the size is empty.
    pub(crate) fn new(size: PixelSize, stored: Stored, bytes: Vec<u8>) -> Option<Self> {
        let sample = if stored.wide { 2 } else { 1 };
        let expected = u64::from(size.width)
            .checked_mul(u64::from(size.height))?
            .checked_mul((stored.channels * sample) as u64)?;
        (expected > 0 && expected == bytes.len() as u64).then_some(Self {
            size,
            stored,
            bytes,
        })
    }

    /// Returns the picture over white and its pixel digest.
    pub(crate) fn into_raster(self) -> (Rgb8, Sha256Digest) {
        // Screen captures are opaque and 8-bit: they skip the general conversion.
        match (self.stored.channels, self.stored.wide) {
            (3, false) => opaque_raster(self.size, self.bytes),
            (1, false) => {
                opaque_raster(self.size, self.bytes.iter().flat_map(|v| [*v; 3]).collect())
            }
            (4, false) if self.bytes.chunks_exact(4).all(|p| p[3] == u8::MAX) => {
                let mut flat = Vec::with_capacity(self.bytes.len() / 4 * 3);
                for pixel in self.bytes.chunks_exact(4) {
                    flat.extend_from_slice(&pixel[..3]);
                }
                opaque_raster(self.size, flat)
            }
            (_, true) => self.convert(wide_pixel),
            (_, false) => self.convert(narrow_pixel),
        }
    }

    fn pixel_bytes(&self) -> usize {
        self.stored.channels * if self.stored.wide { 2 } else { 1 }
    }

    /// Reads every pixel as 16-bit RGBA: once to find the canonical form, once to hash and flatten.
    fn convert(self, read: impl Fn(&[u8]) -> [u16; 4]) -> (Rgb8, Sha256Digest) {
        let step = self.pixel_bytes();
        let (mut opaque, mut narrow) = (self.stored.channels % 2 == 1, !self.stored.wide);
        if !opaque || !narrow {
            (opaque, narrow) = (true, true);
            for pixel in self.bytes.chunks_exact(step) {
                let samples = read(pixel);
                opaque &= samples[3] == u16::MAX;
                narrow &= samples.iter().all(|v| v % 257 == 0);
            }
        }
        let channels = if opaque { 3 } else { 4 };
        let mut hasher = begin(self.size, channels, !narrow);
        let width = self.size.width as usize;
        let mut flat = Vec::with_capacity(width * self.size.height as usize * 3);
        let mut row = Vec::with_capacity(width * 8);
        for line in self.bytes.chunks_exact(width * step) {
            row.clear();
            for pixel in line.chunks_exact(step) {
                let rgba = read(pixel);
                let kept = &rgba[..usize::from(channels)];
                if narrow {
                    row.extend(kept.iter().map(|v| (v >> 8) as u8));
                } else {
                    row.extend(kept.iter().flat_map(|v| v.to_be_bytes()));
                }
                flat.extend_from_slice(&over_white(rgba));
            }
            hasher.update(&row);
        }
        let digest = Sha256Digest::from_bytes(hasher.finalize().into());
        (Rgb8::trusted(self.size, flat), digest)
    }
}

fn opaque_raster(size: PixelSize, pixels: Vec<u8>) -> (Rgb8, Sha256Digest) {
    let raster = Rgb8::trusted(size, pixels);
    let digest = pixel_sha256(&raster);
    (raster, digest)
}

/// Widens one 8-bit pixel.
fn narrow_pixel(pixel: &[u8]) -> [u16; 4] {
    expand(pixel.len(), |at| u16::from(pixel[at]) * 257)
}

/// Reads one 16-bit pixel.
fn wide_pixel(pixel: &[u8]) -> [u16; 4] {
    expand(pixel.len() / 2, |at| {
        u16::from_ne_bytes([pixel[at * 2], pixel[at * 2 + 1]])
    })
}

fn expand(channels: usize, sample: impl Fn(usize) -> u16) -> [u16; 4] {
    match channels {
        1 => [sample(0), sample(0), sample(0), u16::MAX],
        2 => [sample(0), sample(0), sample(0), sample(1)],
        3 => [sample(0), sample(1), sample(2), u16::MAX],
        _ => [sample(0), sample(1), sample(2), sample(3)],
    }
}

/// Composes one pixel over white and rounds to 8 bits.
fn over_white([r, g, b, a]: [u16; 4]) -> [u8; 3] {
    const FULL: u64 = u16::MAX as u64;
    let alpha = u64::from(a);
    let flat = |v: u16| {
        let white = (FULL - alpha) * FULL;
        let sum = u64::from(v) * alpha + white;
        // 65535 * 257 is one 8-bit step in units of the product.
        ((sum + FULL * 257 / 2) / (FULL * 257)) as u8
    };
    [flat(r), flat(g), flat(b)]
}
