use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageLimits, admit},
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
    },
    record::Evidence,
};

use super::*;
use crate::{config::ZoomMode, model::ContentBlock};

const SIZE: PixelSize = PixelSize {
    width: 1600,
    height: 900,
};

/// A picture that can be decoded.
fn screen() -> ImageInput {
    let pixels = vec![200; (SIZE.width * SIZE.height * 3) as usize];
    let raster = Rgb8::new(SIZE, pixels).expect("three bytes a pixel");
    let png = encode_png(&raster, PngEffort::Fast).expect("a PNG");
    let admitted = admit(png, &ImageLimits::default()).expect("an image");
    ImageInput {
        bytes: Arc::clone(admitted.bytes()),
        identity: admitted.identity().clone(),
    }
}

fn region() -> NormalizedBbox {
    NormalizedBbox::new(0.5, 0.5, 0.05, 0.05).expect("a box")
}

fn shown(world: &World) -> Vec<ImageInput> {
    let requests = world.providers[0].requests();
    let [request] = &requests[..] else {
        panic!("one call");
    };
    let images = request.messages[0].content.iter();
    images
        .filter_map(|block| match block {
            ContentBlock::Image(image) => Some(image.clone()),
            _ => None,
        })
        .collect()
}

/// The observed fault: a region was only a sentence in the prompt.
#[tokio::test]
async fn a_question_about_a_part_shows_the_part_and_boxes_come_back_to_the_whole() {
    let world = world([eye("a", [good(EvidenceKind::Target)])]).build();
    let image = screen();
    let reading = world
        .reader
        .target_read(&image, "Which port?", Some(region()), None)
        .await
        .expect("an answer");
    let [original, crop] = &shown(&world)[..] else {
        panic!("two pictures");
    };
    assert_eq!(original.bytes, image.bytes);
    let zoom = reading.record.zoom().expect("the crop is on record");
    assert_eq!(zoom.sha256, crop.identity.sha256);
    assert_eq!(zoom.sent, crop.identity.size);
    assert!(zoom.sent.width > zoom.rect.width, "it was enlarged");
    // The example's box is the whole of what was measured, which is the crop.
    let Evidence::Target(target) = reading.record.evidence() else {
        panic!("an answer");
    };
    let whole_crop = NormalizedBbox::from_pixels(zoom.rect, SIZE).expect("a box");
    assert!(target.ocr[0].bbox.iou(&whole_crop) > 0.999);
    assert_eq!(reading.record.region(), Some(region()));
    assert!(
        reading
            .record
            .vision()
            .prompt_version
            .as_str()
            .ends_with("+zoom")
    );
}

#[tokio::test]
async fn without_zoom_the_original_is_shown_alone() {
    let world = world([eye("a", [good(EvidenceKind::Target)])])
        .settings(|settings| settings.vision_zoom = ZoomMode::Off)
        .build();
    let reading = world
        .reader
        .target_read(&screen(), "Which port?", Some(region()), None)
        .await
        .expect("an answer");
    assert_eq!(shown(&world).len(), 1);
    assert_eq!(reading.record.zoom(), None);
    assert!(
        !reading
            .record
            .vision()
            .prompt_version
            .as_str()
            .contains("zoom")
    );
}

#[tokio::test]
async fn a_question_about_the_whole_needs_no_crop() {
    let world = world([eye("a", [good(EvidenceKind::Target)])]).build();
    let reading = world
        .reader
        .target_read(&screen(), "Which port?", None, None)
        .await
        .expect("an answer");
    assert_eq!(shown(&world).len(), 1);
    assert_eq!(reading.record.zoom(), None);
}
