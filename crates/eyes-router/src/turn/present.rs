//! What is sent in place of each picture: pure, from what is known of the session.

use std::{collections::BTreeMap, sync::Arc};

use eyes_evidence::image::ImageIdentity;

use super::{
    Attachment, TurnMessage,
    history::{Place, Places, Standing, put},
    marker::{LookOffer, MarkedImage, MarkerKind, evidence_text, pointer_text, summary},
    placement::{Level, PlacementBudget, Slot, place},
    request::TurnKind,
    session::{KnownImage, Session},
};
use crate::{
    context::estimate::{image_tokens, text_tokens},
    model::ContentBlock,
};

/// What stands for a picture that was dropped from the session.
const GONE: &str = "[an earlier picture; this conversation no longer keeps it]";
/// What stands for a picture whose bytes are no longer to be had.
const LOST: &str = "[a picture that can no longer be read]";

/// How pictures are presented.
#[derive(Debug, Clone, Copy)]
pub(super) struct Presentation {
    pub(super) kind: TurnKind,
    pub(super) offer: LookOffer,
    pub(super) summary_chars: usize,
    pub(super) budget: PlacementBudget,
}

/// A session as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Presented {
    pub(super) messages: Vec<TurnMessage>,
    /// The messages that differ from what the host holds.
    pub(super) changed: Vec<usize>,
    /// Whether a picture stands as a pointer or as evidence, so that another look is of use.
    pub(super) can_look: bool,
    /// Estimated tokens of what stands for pictures.
    pub(super) weight: u64,
}

/// What may stand at one place.
enum Shown {
    /// It stays as it is whatever happens.
    Fixed(Arc<str>),
    /// Pixels while they fit, then a pointer.
    Pixels(u64, Arc<str>),
    /// Evidence while it fits, then a pointer.
    Evidence(Arc<str>, Arc<str>),
    /// A pointer.
    Pointer(Arc<str>),
}

impl Presentation {
    /// Presents `messages`, whose pictures stand at `places`.
    pub(super) fn present(
        self,
        session: &Session,
        messages: &[TurnMessage],
        places: &Places,
    ) -> Presented {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut slots = Vec::with_capacity(places.all.len());
        let mut shown = Vec::with_capacity(places.all.len());
        for place in &places.all {
            let stands = self.shown(session, place);
            let next = numbers.len();
            let image = *numbers.entry(place.attachment_id()).or_insert(next);
            slots.push(slot(image, place, &stands));
            shown.push(stands);
        }
        let levels = place(&slots, self.budget);
        let mut presented = Presented {
            messages: messages.to_vec(),
            changed: Vec::new(),
            can_look: false,
            weight: 0,
        };
        for (at, (stands, level)) in shown.into_iter().zip(levels).enumerate() {
            presented.stand(&places.all[at], &slots[at], stands, level);
        }
        presented
    }

    fn shown(self, session: &Session, place: &Place) -> Shown {
        match &place.standing {
            Standing::Marker { marker, text } => {
                let text: Arc<str> = text.as_str().into();
                if marker.kind == MarkerKind::Pointer {
                    return Shown::Pointer(text);
                }
                let pointer = pointer_text(
                    &session.key,
                    &marker.image,
                    marker.summary.as_deref(),
                    self.summary_chars,
                    self.offer,
                );
                Shown::Evidence(text, pointer.into())
            }
            Standing::Image(attachment) => {
                let known = session.image(&attachment.id);
                self.image(session, attachment, known.as_ref())
            }
        }
    }

    fn image(
        self,
        session: &Session,
        attachment: &Attachment,
        known: Option<&KnownImage>,
    ) -> Shown {
        if let Some(text) = known.and_then(|known| known.unseen.as_ref())
            && self.kind == TurnKind::Bridged
        {
            return Shown::Fixed(Arc::clone(text));
        }
        let Some((known, identity)) = known.zip(known.and_then(|known| known.identity.as_ref()))
        else {
            return Shown::Fixed(LOST.into());
        };
        let image = marked(attachment, identity);
        let record = known.seen.as_ref().map(|seen| &seen.record);
        let said = record.and_then(|record| summary(record));
        let (key, chars) = (&session.key, self.summary_chars);
        let pointer: Arc<str> = pointer_text(key, &image, said, chars, self.offer).into();
        match record {
            _ if self.kind == TurnKind::Native => {
                Shown::Pixels(image_tokens(Some(identity.size)), pointer)
            }
            Some(record) => {
                let full = evidence_text(key, &image, record, self.offer);
                Shown::Evidence(full.into(), pointer)
            }
            None => Shown::Pointer(pointer),
        }
    }
}

impl Presented {
    fn stand(&mut self, place: &Place, slot: &Slot, stands: Shown, level: Level) {
        let text = match (stands, level) {
            (Shown::Fixed(text), _) => {
                self.weight += slot.pointer;
                text
            }
            (Shown::Pixels(..), Level::Full) => return,
            (Shown::Evidence(full, _), Level::Full) => {
                self.weight += slot.full.unwrap_or_default();
                self.can_look = true;
                full
            }
            (_, Level::Gone) => GONE.into(),
            (Shown::Pixels(_, text) | Shown::Evidence(_, text) | Shown::Pointer(text), _) => {
                self.weight += slot.pointer;
                self.can_look = true;
                text
            }
        };
        if matches!(&place.standing, Standing::Marker { text: before, .. } if **before == *text) {
            return;
        }
        if self.changed.last() != Some(&place.message) {
            self.changed.push(place.message);
        }
        let block = ContentBlock::Text(text.as_ref().to_owned());
        put(&mut self.messages, place, block);
    }
}

fn slot(image: usize, place: &Place, stands: &Shown) -> Slot {
    let (full, pointer) = match stands {
        Shown::Fixed(text) | Shown::Pointer(text) => (None, text_tokens(text)),
        Shown::Pixels(weight, pointer) => (Some(*weight), text_tokens(pointer)),
        Shown::Evidence(full, pointer) => (Some(text_tokens(full)), text_tokens(pointer)),
    };
    Slot {
        image,
        turn: place.turn,
        message: place.message,
        in_result: place.in_result,
        full,
        pointer,
    }
}

fn marked(attachment: &Attachment, identity: &ImageIdentity) -> MarkedImage {
    MarkedImage {
        image_sha256: identity.sha256,
        attachment_id: attachment.id.clone(),
        media_type: identity.media_type,
        bytes: identity.bytes,
        size: identity.size,
        name: attachment.name.clone(),
    }
}
