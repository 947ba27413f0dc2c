//! What this process knows of a session; everything here can be found again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eyes_evidence::{digest::Sha256Digest, image::ImageIdentity, provenance::EvidenceRecord};

use super::{
    Attachment, MarkerKey,
    history::{Places, Standing},
    look::LookKey,
    marker::SessionKey,
};
use crate::{
    limits::{MAX_SESSION_ANSWERS, MAX_SESSION_IMAGES, MAX_SESSIONS},
    recent::Recent,
    route::Route,
};

/// The sessions that were active last.
#[derive(Debug)]
pub(super) struct Sessions {
    key: MarkerKey,
    active: Mutex<Recent<String, Arc<Session>>>,
}

impl Sessions {
    pub(super) fn new(key: MarkerKey) -> Self {
        Self {
            key,
            active: Mutex::new(Recent::new(MAX_SESSIONS)),
        }
    }

    /// Returns the session of this id; without an id it is one that nobody else has.
    pub(super) fn open(&self, id: Option<&str>) -> Arc<Session> {
        let Some(id) = id else {
            return Arc::new(Session::new(self.key.session(""), None));
        };
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = active.get(id) {
            return Arc::clone(session);
        }
        let digest = Sha256Digest::of(id.as_bytes());
        let session = Arc::new(Session::new(self.key.session(id), Some(digest)));
        active.insert(id.to_owned(), Arc::clone(&session));
        session
    }

    pub(super) fn forget(&self, id: &str) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        active.remove(id);
    }
}

/// One session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) key: SessionKey,
    /// SHA-256 of its id, for logs.
    pub(super) digest: Option<Sha256Digest>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    images: Recent<String, KnownImage>,
    answers: Recent<LookKey, Arc<EvidenceRecord>>,
}

/// An image of the session.
#[derive(Debug, Clone)]
pub(super) struct KnownImage {
    pub(super) attachment: Attachment,
    pub(super) sha256: Sha256Digest,
    /// What identifies it, as soon as its bytes were read.
    pub(super) identity: Option<ImageIdentity>,
    pub(super) seen: Option<Seen>,
    /// What stands in place of a screenshot that no route could read.
    pub(super) unseen: Option<Arc<str>>,
}

/// An overview of an image.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) record: Arc<EvidenceRecord>,
    pub(super) route: Route,
}

impl Session {
    fn new(key: SessionKey, digest: Option<Sha256Digest>) -> Self {
        Self {
            key,
            digest,
            known: Mutex::new(Known {
                images: Recent::new(MAX_SESSION_IMAGES),
                answers: Recent::new(MAX_SESSION_ANSWERS),
            }),
        }
    }

    /// Learns the images that markers of the session name; what is known already stays.
    pub(super) fn learn(&self, places: &Places) -> usize {
        let mut known = self.known();
        let mut found = 0;
        for place in &places.all {
            let Standing::Marker { marker, .. } = &place.standing else {
                continue;
            };
            found += 1;
            let image = &marker.image;
            if known.images.get(&image.attachment_id).is_none() {
                let learned = KnownImage {
                    attachment: image.attachment(),
                    sha256: image.image_sha256,
                    identity: None,
                    seen: None,
                    unseen: None,
                };
                known.images.insert(image.attachment_id.clone(), learned);
            }
        }
        found
    }

    pub(super) fn image(&self, attachment_id: &str) -> Option<KnownImage> {
        self.known().images.get(attachment_id).cloned()
    }

    /// Finds an image by its digest.
    pub(super) fn by_digest(&self, sha256: Sha256Digest) -> Option<KnownImage> {
        let known = self.known();
        let mut images = known.images.values();
        images.find(|image| image.sha256 == sha256).cloned()
    }

    pub(super) fn remember(&self, image: KnownImage) {
        self.known()
            .images
            .insert(image.attachment.id.clone(), image);
    }

    /// Adds what was found out about an image that is known.
    pub(super) fn update(&self, attachment_id: &str, change: impl FnOnce(&mut KnownImage)) {
        if let Some(image) = self.known().images.get_mut(attachment_id) {
            change(image);
        }
    }

    pub(super) fn answer(&self, key: &LookKey) -> Option<Arc<EvidenceRecord>> {
        self.known().answers.get(key).cloned()
    }

    pub(super) fn remember_answer(&self, key: LookKey, record: Arc<EvidenceRecord>) {
        self.known().answers.insert(key, record);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
