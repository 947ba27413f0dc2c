//! Pictures: whether one is delivered, with secrets masked, and in parts that a host accepts.

#[cfg(test)]
mod tests;

use eyes_evidence::{
    code::Coded as _,
    digest::Sha256Digest,
    geometry::{PixelRect, PixelSize},
    image::{ImageLimits, admit},
    raster::{
        Rgb8,
        encode::PngEffort,
        identity::pixel_sha256,
        resize::area,
        tile::{TileLimits, encode_tiles},
    },
};
use serde::{Deserialize, Serialize};

use crate::{
    action::ActionName,
    driver::{Bounds, Capture},
    error::BrowserError,
    machine::Proof,
    state::{PictureSpace, Quality},
};

/// When pictures are delivered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VisualMode {
    /// Where the structure does not say what is shown.
    #[default]
    Auto,
    /// With every state.
    Always,
    /// When asked for.
    Manual,
}

/// How pictures are made.
#[derive(Debug, Clone, Default)]
pub struct PictureSettings {
    /// When they are delivered.
    pub mode: VisualMode,
    /// What the host accepts.
    pub limits: TileLimits,
    /// The longer side of the delivered picture at most, in pixels; its own size where absent.
    pub max_side: Option<u32>,
    /// Whether one is taken at every step for the report.
    pub every_step: bool,
}

/// Whether a picture is delivered, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The mode of the settings.
    pub mode: VisualMode,
    /// What the caller asked for, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested: Option<bool>,
    /// Whether it is delivered.
    pub delivered: bool,
    /// Why.
    pub reason: &'static str,
}

/// Decides whether a picture is delivered: the first row that fits.
pub const fn decide(
    mode: VisualMode,
    requested: Option<bool>,
    action: ActionName,
    quality: Quality,
) -> Delivery {
    let looks = matches!(
        action,
        ActionName::Observe | ActionName::Open | ActionName::Wait
    );
    let (delivered, reason) = match (requested, mode, quality) {
        (Some(true), _, _) => (true, "explicit-request"),
        (Some(false), _, _) => (false, "explicit-omit"),
        (None, VisualMode::Always, _) => (true, "configured-always"),
        (None, VisualMode::Manual, _) => (false, "configured-manual"),
        (None, VisualMode::Auto, Quality::Sparse) => (true, "semantic-sparse-fallback"),
        (None, VisualMode::Auto, Quality::Truncated) if looks => {
            (true, "semantic-truncated-fallback")
        }
        (None, VisualMode::Auto, _) if looks => (false, "semantic-state-sufficient"),
        (None, VisualMode::Auto, _) => (false, "action-result-fast-path"),
    };
    Delivery {
        mode,
        requested,
        delivered,
        reason,
    }
}

/// One part of a delivered picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file, PNG.
    pub png: Vec<u8>,
    /// SHA-256 of the file.
    pub sha256: Sha256Digest,
    /// SHA-256 of its pixels.
    pub pixel_sha256: Sha256Digest,
    /// Where it lies in the whole picture.
    pub rect: PixelRect,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} bytes, {:?})", self.png.len(), self.rect)
    }
}

/// A picture that was taken: what proves it, and what is delivered of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Digests of the original, and the size of what is delivered.
    pub proof: Proof,
    /// The original file; it shows what the page showed, secrets too, and stays private.
    pub original: Vec<u8>,
    /// The parts to deliver, secrets masked; empty where none is delivered.
    pub parts: Vec<Picture>,
    /// Whether anything was masked.
    pub masked: bool,
}

/// The colour of masks.
const MASK: [u8; 3] = [0x33, 0x33, 0x33];

/// Decodes a picture, masks `secrets` and those that the capture names, and encodes parts where `deliver`.
///
/// Nothing is encoded again where nothing was changed and one part suffices. Errors:
/// `BROWSER_SCREENSHOT_INTEGRITY_FAILED`, `BROWSER_SCREENSHOT_LIMIT`.
pub fn prepare(
    capture: Capture,
    secrets: &[Bounds],
    settings: &PictureSettings,
    deliver: bool,
) -> Result<Shot, BrowserError> {
    let admitted = admit(capture.png.as_slice(), &ImageLimits::default())
        .map_err(|error| BrowserError::Picture(format!("{error} ({})", error.code())))?;
    let identity = admitted.identity().clone();
    let mut raster = admitted.into_raster();
    let masks: Vec<PixelRect> = capture
        .secrets
        .iter()
        .chain(secrets)
        .filter_map(|bounds| pixels(*bounds, &capture, raster.size()))
        .collect();
    for mask in &masks {
        raster = fill(raster, *mask);
    }
    let mut proof = Proof {
        sha256: identity.sha256,
        pixel_sha256: identity.pixel_sha256,
        delivered: None,
    };
    let mut parts = Vec::new();
    if deliver {
        let shrunk = settings.max_side.and_then(|side| shrink(&raster, side));
        let resized = shrunk.is_some();
        let whole = raster.size();
        let shown = shrunk.unwrap_or(raster);
        let size = shown.size();
        proof.delivered = Some(PictureSpace {
            width: size.width,
            height: size.height,
            scale: capture.scale * f64::from(size.width) / f64::from(whole.width),
        });
        let same = masks.is_empty() && !resized;
        parts = encode(&shown, same.then_some(&capture.png), &settings.limits)?;
    }
    Ok(Shot {
        proof,
        original: capture.png,
        parts,
        masked: !masks.is_empty(),
    })
}

fn encode(
    shown: &Rgb8,
    same: Option<&Vec<u8>>,
    limits: &TileLimits,
) -> Result<Vec<Picture>, BrowserError> {
    let size = shown.size();
    let fits = |png: &&Vec<u8>| {
        png.len() as u64 <= limits.max_bytes
            && size.width.max(size.height) <= limits.max_side
            && u64::from(size.width) * u64::from(size.height) <= limits.max_pixels
    };
    if let Some(png) = same.filter(fits) {
        let rect = PixelRect {
            x: 0,
            y: 0,
            width: size.width,
            height: size.height,
        };
        return Ok(vec![Picture {
            sha256: Sha256Digest::of(png),
            pixel_sha256: pixel_sha256(shown),
            png: png.clone(),
            rect,
        }]);
    }
    let tiles = encode_tiles(shown, PngEffort::Fast, limits)
        .map_err(|error| BrowserError::PictureLimit(error.to_string()))?;
    Ok(tiles
        .into_iter()
        .map(|tile| Picture {
            png: tile.png,
            sha256: tile.sha256,
            pixel_sha256: tile.pixel_sha256,
            rect: tile.rect,
        })
        .collect())
}

/// The pixels of a box of the viewport, rounded outwards; nothing where it is outside of the picture.
fn pixels(bounds: Bounds, capture: &Capture, size: PixelSize) -> Option<PixelRect> {
    let edge = |css: f64, origin: f64| (css - origin) * capture.scale;
    let (left, top) = (
        edge(bounds.x, capture.origin.x).floor().max(0.0) as u32,
        edge(bounds.y, capture.origin.y).floor().max(0.0) as u32,
    );
    let right = edge(bounds.x + bounds.width, capture.origin.x)
        .ceil()
        .max(0.0) as u32;
    let bottom = edge(bounds.y + bounds.height, capture.origin.y)
        .ceil()
        .max(0.0) as u32;
    let rect = PixelRect {
        x: left,
        y: top,
        width: right.checked_sub(left).filter(|width| *width > 0)?,
        height: bottom.checked_sub(top).filter(|height| *height > 0)?,
    };
    rect.clamp_to(size)
}

fn fill(raster: Rgb8, rect: PixelRect) -> Rgb8 {
    let size = raster.size();
    let stride = size.width as usize * 3;
    let mut pixels = raster.pixels().to_vec();
    let rows = pixels
        .chunks_exact_mut(stride)
        .skip(rect.y as usize)
        .take(rect.height as usize);
    for row in rows {
        let cells = row
            .chunks_exact_mut(3)
            .skip(rect.x as usize)
            .take(rect.width as usize);
        for cell in cells {
            cell.copy_from_slice(&MASK);
        }
    }
    Rgb8::new(size, pixels).unwrap_or(raster)
}

/// Shrinks a picture whose longer side is above `side`.
fn shrink(raster: &Rgb8, side: u32) -> Option<Rgb8> {
    let size = raster.size();
    let longer = size.width.max(size.height);
    if side == 0 || longer <= side {
        return None;
    }
    let scaled = |length: u32| {
        let scaled = u64::from(length) * u64::from(side) / u64::from(longer);
        (scaled as u32).max(1)
    };
    area(
        raster,
        PixelSize {
            width: scaled(size.width),
            height: scaled(size.height),
        },
    )
}
