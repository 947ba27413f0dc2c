//! The grounding check as readings make it: the embedded eyes look at the same picture.

use std::sync::Arc;

use eyes_evidence::record::Evidence;

use super::{
    draft::Draft,
    grounding::{disagreements, grounding},
    reader::VisionReader,
};
use crate::{
    model::ImageInput,
    ports::{BoxFuture, EvidenceCheck},
};

/// Compares what another model claims to have read with what a reader on this machine reads.
///
/// The local reading is an overview of the whole picture; it is made once and kept in the reader's store.
#[derive(Debug)]
pub struct GroundingCheck {
    local: Arc<VisionReader>,
}

impl GroundingCheck {
    /// Takes a reader whose only routes are readers on this machine.
    pub const fn new(local: Arc<VisionReader>) -> Self {
        Self { local }
    }
}

impl EvidenceCheck for GroundingCheck {
    fn examine<'a>(&'a self, image: &'a ImageInput, draft: &'a mut Draft) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // A reading is no witness for itself, and without a text there is nothing to compare.
            let own = self.local.is_own(&draft.route);
            if own || draft.texts().is_empty() {
                return;
            }
            // Without a local reading nothing is checked; the reading itself stands.
            let Ok(reading) = self.local.base_read(image, None).await else {
                return;
            };
            let Evidence::Base(local) = reading.record.evidence() else {
                return;
            };
            let Some(by) = Draft::reader_of(&reading.route) else {
                return;
            };
            let size = image.identity.size;
            let check = grounding(draft.texts(), &local.ocr, size, by);
            for doubt in disagreements(draft.texts(), &check) {
                draft.add_uncertainty(doubt.as_str());
            }
            draft.checks.grounding = Some(check);
        })
    }
}
