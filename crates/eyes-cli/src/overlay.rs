//! The image with the boxes of its evidence.

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    raster::{
        RasterError, Rgb8,
        draw::{OverlayBox, OverlayKind, overlay},
        encode::{PngEffort, encode_png},
    },
    record::Evidence,
};

/// Draws every box of `evidence` on a copy of `raster` and encodes it.
pub(crate) fn overlay_png(raster: &Rgb8, evidence: &Evidence) -> Result<Vec<u8>, RasterError> {
    let boxes = boxes(evidence, raster.size());
    encode_png(&overlay(raster, &boxes), PngEffort::Fast)
}

/// Lists the boxes, large parts first, so that small ones stay visible.
fn boxes(evidence: &Evidence, size: PixelSize) -> Vec<OverlayBox> {
    let mark = |kind, bbox: NormalizedBbox, label: String| OverlayBox {
        rect: bbox.to_pixels(size),
        label,
        kind,
    };
    let number = |at: usize| (at + 1).to_string();
    match evidence {
        Evidence::Base(base) => {
            let regions = base
                .regions
                .iter()
                .map(|r| mark(OverlayKind::Region, r.bbox, r.id.as_str().to_owned()));
            let objects = base.objects.iter().map(|o| {
                mark(
                    OverlayKind::Object,
                    o.bbox,
                    kind(o.name.as_str()).to_owned(),
                )
            });
            let texts = base
                .ocr
                .iter()
                .enumerate()
                .map(|(at, o)| mark(OverlayKind::Text, o.bbox, number(at)));
            regions.chain(objects).chain(texts).collect()
        }
        Evidence::Target(target) => {
            let texts = target
                .ocr
                .iter()
                .enumerate()
                .map(|(at, o)| mark(OverlayKind::Text, o.bbox, number(at)));
            let observations = target
                .observations
                .iter()
                .enumerate()
                .map(|(at, o)| mark(OverlayKind::Observation, o.bbox, number(at)));
            texts.chain(observations).collect()
        }
    }
}

/// Takes the kind out of a name such as `button "Save"`; a label has no room for the rest.
fn kind(name: &str) -> &str {
    name.split('"').next().unwrap_or(name).trim_end()
}
