//! The images of a session: their bytes, what identifies them, and the evidence of them.

use std::{collections::BTreeMap, sync::Arc};

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    image::{ImageIdentity, ImageLimits, admit},
    redact::safe_message,
};
use eyes_usage::category::CallCategory;
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{
    Attachment, TurnError,
    history::{Place, Places, Standing},
    request::SeenImage,
    session::{KnownImage, Seen},
    work::Work,
};
use crate::{
    codes,
    limits::MAX_ATTEMPT_MESSAGE_CHARS,
    model::ImageInput,
    vision::{Ask, ReadRequest},
};

/// Starts what stands in place of a screenshot that no route could read.
const UNSEEN: &str = "[DeepSeekEyes desktop visual fallback]";

/// Who needs an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// An older turn: what cannot be had is left out.
    Historical,
    /// The running turn, in which the state of the desktop is known in words as well.
    Desktop,
    /// The running turn: without it there is no answer.
    Current,
}

/// What became of one image.
enum Gathered {
    Done,
    Read(Box<SeenImage>, crate::vision::Reading),
    Failed(TurnError),
}

impl Work<'_> {
    /// Sees to it that every image of the running turn has evidence, and older ones as far as it is stored.
    pub(super) async fn gather_evidence(&mut self, places: &Places) -> Result<(), TurnError> {
        let wanted = self.wanted(places, |known| {
            known.seen.is_none() && known.unseen.is_none()
        });
        let results = self.each(wanted, true).await;
        self.settle(results)
    }

    /// Sees to it that every image is identified.
    pub(super) async fn gather_identities(&mut self, places: &Places) -> Result<(), TurnError> {
        let wanted = self.wanted(places, |known| known.identity.is_none());
        let results = self.each(wanted, false).await;
        self.settle(results)
    }

    /// Lists the images that lack something, each once; of the older ones the newest, as many as are kept.
    fn wanted(
        &self,
        places: &Places,
        lacks: impl Fn(&KnownImage) -> bool,
    ) -> Vec<(Attachment, Need)> {
        let mut met: BTreeMap<&str, Need> = BTreeMap::new();
        let mut wanted: Vec<&Attachment> = Vec::new();
        let mut older = 0;
        for place in places.all.iter().rev() {
            let Standing::Image(attachment) = &place.standing else {
                continue;
            };
            let need = need_of(places, place);
            if let Some(before) = met.get_mut(attachment.id.as_str()) {
                *before = need.max(*before);
                continue;
            }
            met.insert(&attachment.id, need);
            let known = self.session.image(&attachment.id);
            let is_older = need == Need::Historical;
            older += usize::from(is_older);
            let is_kept = older <= self.engine.config.settings().history_image_limit;
            // An older image that was identified and has no evidence is not looked for again and again.
            let is_done = known
                .as_ref()
                .is_some_and(|known| !lacks(known) || is_older && known.identity.is_some());
            if !is_done && (is_kept || !is_older) {
                wanted.push(attachment);
            }
        }
        let needed = |attachment: &Attachment| {
            let need = met.get(attachment.id.as_str()).copied();
            (attachment.clone(), need.unwrap_or(Need::Historical))
        };
        let mut wanted: Vec<_> = wanted.into_iter().map(needed).collect();
        wanted.reverse();
        wanted
    }

    async fn each(
        &self,
        wanted: Vec<(Attachment, Need)>,
        evidence: bool,
    ) -> Vec<(Need, Attachment, Gathered)> {
        let at_once = self.engine.reader.concurrency();
        let work = wanted
            .into_iter()
            .enumerate()
            .map(|(at, (attachment, need))| async move {
                let gathered = self.gather(&attachment, need, evidence).await;
                (at, (need, attachment, gathered))
            });
        let mut results: Vec<_> = stream::iter(work).buffer_unordered(at_once).collect().await;
        results.sort_unstable_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }

    async fn gather(&self, attachment: &Attachment, need: Need, evidence: bool) -> Gathered {
        let image = match self.load(attachment).await {
            Ok(image) => image,
            Err(error) => return Gathered::Failed(error),
        };
        if !evidence {
            return Gathered::Done;
        }
        let mut request = ReadRequest::new(image, Ask::base(None));
        request.session = self.session.digest;
        if need == Need::Historical {
            if let Some((route, record)) = self.engine.reader.stored(&request).await {
                let seen = Seen { record, route };
                self.session
                    .update(&attachment.id, |known| known.seen = Some(seen));
            }
            return Gathered::Done;
        }
        match self.engine.reader.read(request).await {
            Ok(reading) => {
                let seen = Seen {
                    record: Arc::clone(&reading.record),
                    route: reading.route.clone(),
                };
                self.session
                    .update(&attachment.id, |known| known.seen = Some(seen));
                let seen = SeenImage {
                    attachment_id: attachment.id.clone(),
                    image_sha256: reading.record.source().identity.sha256,
                    record_sha256: reading.record.record_sha256(),
                    route: reading.route.clone(),
                    cached: reading.is_cached(),
                    attempts: reading.attempts.clone(),
                };
                Gathered::Read(Box::new(seen), reading)
            }
            Err(failure) => Gathered::Failed(failure.into()),
        }
    }

    /// Books everything, and gives back the first failure that leaves the turn without an answer.
    fn settle(&mut self, results: Vec<(Need, Attachment, Gathered)>) -> Result<(), TurnError> {
        let mut first = None;
        for (need, attachment, gathered) in results {
            match gathered {
                Gathered::Done => {}
                Gathered::Read(seen, reading) => {
                    self.book_reading(&reading, CallCategory::VisionBase);
                    self.warnings.extend(reading.warnings);
                    self.images.push(*seen);
                }
                Gathered::Failed(error) => {
                    if let TurnError::Vision(failure) = &error {
                        self.book_failure(failure, CallCategory::VisionBase);
                        self.warnings.extend(failure.warnings.iter().cloned());
                    }
                    match need {
                        Need::Historical => {}
                        Need::Desktop if may_go_on_without(error.code()) => {
                            self.go_on_without(&attachment, &error);
                        }
                        Need::Current | Need::Desktop => {
                            first.get_or_insert(error);
                        }
                    }
                }
            }
        }
        // Told at once: a process that is ended in the middle of its answer has paid for this.
        self.flush();
        first.map_or(Ok(()), Err)
    }

    /// Puts words in place of a screenshot that no route could read; for good, so that they stay what was sent.
    fn go_on_without(&mut self, attachment: &Attachment, error: &TurnError) {
        let Some(known) = self.session.image(&attachment.id) else {
            return;
        };
        let attempts: Vec<_> = match error {
            TurnError::Vision(failure) => failure
                .attempts
                .iter()
                .map(|attempt| {
                    json!({
                        "route": attempt.route.to_string(),
                        "code": attempt.failure().map(ErrorCode::as_str),
                    })
                })
                .collect(),
            _ => Vec::new(),
        };
        let line = json!({
            "imageSha256": known.sha256,
            "attachmentId": attachment.id,
            "mediaType": attachment.media_type,
            "bytes": attachment.bytes,
            "width": known.identity.as_ref().map(|identity| identity.size.width),
            "height": known.identity.as_ref().map(|identity| identity.size.height),
            "status": "unavailable-after-bounded-recovery",
            "code": error.code().as_str(),
            "message": safe_message(&error.to_string(), MAX_ATTEMPT_MESSAGE_CHARS),
            "attempts": attempts,
        });
        let line = line.to_string().replace('<', "\\u003c");
        let text = format!(
            "{UNSEEN}\n{line}\nThe screenshot was not decoded: nothing is known of its pixels. Go on from the \
             state in words, and check the effect of each action there."
        );
        self.session
            .update(&attachment.id, |known| known.unseen = Some(text.into()));
        self.warn(error);
    }

    /// Reads the bytes of an image and finds out what identifies it, or checks that it is still the same.
    pub(super) async fn load(&self, attachment: &Attachment) -> Result<ImageInput, TurnError> {
        let failed = |source| TurnError::Attachment {
            id: attachment.id.clone(),
            source,
        };
        let bytes = self.engine.attachments.read(attachment).await;
        let bytes = bytes.map_err(failed)?;
        let known = self.session.image(&attachment.id);
        let expected = known.as_ref().map(|known| known.sha256);
        let identity = known.and_then(|known| known.identity);
        let limits = self.engine.limits;
        let id = attachment.id.clone();
        let identified = spawn_blocking(move || identify(id, bytes, identity, expected, limits));
        let image = identified
            .await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
        if self.session.image(&attachment.id).is_none() {
            self.session.remember(KnownImage {
                attachment: attachment.clone(),
                sha256: image.identity.sha256,
                identity: None,
                seen: None,
                unseen: None,
            });
        }
        self.session.update(&attachment.id, |known| {
            known.identity = Some(image.identity.clone());
        });
        Ok(image)
    }
}

fn identify(
    id: String,
    bytes: Arc<[u8]>,
    identity: Option<ImageIdentity>,
    expected: Option<Sha256Digest>,
    limits: ImageLimits,
) -> Result<ImageInput, TurnError> {
    let sha256 = Sha256Digest::of(&bytes);
    if let Some(expected) = expected.filter(|expected| *expected != sha256) {
        return Err(TurnError::Changed { id, expected });
    }
    if let Some(identity) = identity {
        return Ok(ImageInput { bytes, identity });
    }
    let image = admit(bytes, &limits).map_err(|source| TurnError::Image { id, source })?;
    Ok(ImageInput {
        bytes: Arc::clone(image.bytes()),
        identity: image.identity().clone(),
    })
}

fn need_of(places: &Places, place: &Place) -> Need {
    if !places.is_current(place) {
        Need::Historical
    } else if place.has_desktop_state {
        Need::Desktop
    } else {
        Need::Current
    }
}

/// Tells whether a screenshot may be missing after this failure: what the caller did or what was tampered with
/// is no reason to go on.
fn may_go_on_without(code: ErrorCode) -> bool {
    ![
        codes::ABORTED,
        codes::ATTACHMENT_READ_FAILED,
        codes::UNKNOWN_PRESERVED_IMAGE,
        codes::VISION_STATE_MISMATCH,
    ]
    .contains(&code)
        && code.as_str() != "EVIDENCE_PERSIST_FAILED"
}
