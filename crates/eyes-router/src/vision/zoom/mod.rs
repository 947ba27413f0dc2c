//! A closer look at a region: a crop of it goes along with the untouched original.
//!
//! Providers shrink what they are sent, so that small print in a large picture is lost before a model looks.
//! The crop shows the region's own pixels, whole ones repeated where it is small, and nothing that was not
//! captured. Boxes are measured in the crop and mapped back.

use std::{fmt::Write as _, sync::Arc};

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageLimits, admit},
    provenance::RecordZoom,
    raster::{
        crop::{CropMap, CropPolicy, crop_for_reading},
        encode::{PngEffort, encode_png},
    },
    record::{NonEmptyText, TargetEvidence},
};

use crate::{limits::MAX_ZOOM_SHARE, model::ImageInput};

/// A crop of one region, ready to be sent, and the way back.
#[derive(Debug, Clone)]
pub struct Zoom {
    map: CropMap,
    image: ImageInput,
}

/// Cuts `region` out of `image`; nothing where a crop would show no more than the original does.
///
/// That is so when the region with its margin covers more than [`MAX_ZOOM_SHARE`] of the picture, or when the
/// bytes are not one still picture (which the caller's own admission reports).
pub fn zoom(image: &ImageInput, region: NormalizedBbox) -> Option<Zoom> {
    let admitted = admit(Arc::clone(&image.bytes), &ImageLimits::default()).ok()?;
    let (crop, map) = crop_for_reading(admitted.raster(), region, &CropPolicy::default())?;
    let share = area(map.rect().size()) / area(admitted.raster().size());
    if share > MAX_ZOOM_SHARE {
        return None;
    }
    let png = encode_png(&crop, PngEffort::Balanced).ok()?;
    let crop = admit(png, &ImageLimits::default()).ok()?;
    Some(Zoom {
        map,
        image: ImageInput {
            bytes: Arc::clone(crop.bytes()),
            identity: crop.identity().clone(),
        },
    })
}

fn area(size: PixelSize) -> f64 {
    f64::from(size.width) * f64::from(size.height)
}

impl Zoom {
    /// Returns the crop as it is sent.
    pub const fn image(&self) -> &ImageInput {
        &self.image
    }

    /// Returns the size in which the model measures.
    pub const fn size(&self) -> PixelSize {
        self.map.output()
    }

    /// Returns what the record keeps.
    pub fn record(&self) -> RecordZoom {
        RecordZoom {
            rect: self.map.rect(),
            sent: self.map.output(),
            sha256: self.image.identity.sha256,
            pixel_sha256: self.image.identity.pixel_sha256,
        }
    }

    /// Maps the boxes of an answer about the crop into the original; a box that lies outside costs its entry
    /// and becomes an uncertainty.
    #[must_use]
    pub fn map_back(&self, evidence: TargetEvidence) -> TargetEvidence {
        let (mut mapped, lost) = evidence.map_boxes(|bbox| self.map.to_image(bbox));
        if lost > 0 {
            let note = format!("{lost} entries had no place in the picture and were left out");
            // A full list of uncertainties says enough.
            let _full = NonEmptyText::new(note).map(|note| mapped.uncertainties.push(note));
        }
        mapped
    }

    /// Appends what the prompt says of the two pictures.
    ///
    /// # Panics
    /// Never: writing to a `String` does not fail.
    pub fn describe(&self, prompt: &mut String, region: NormalizedBbox) {
        let [x, y, w, h] = <[f64; 4]>::from(region);
        let PixelSize { width, height } = self.size();
        writeln!(
            prompt,
            "Two pictures are attached. The first is the whole, for orientation. The second, {width}x{height} pixels, is a \
             cut-out around its region [{x}, {y}, {w}, {h}], enlarged where it is small. Read the second, and check it \
             against the first. Every bbox is relative to the second picture."
        )
        .expect("writing to a String does not fail");
    }
}

#[cfg(test)]
mod tests;
