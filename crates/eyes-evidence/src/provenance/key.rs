//! The key under which a record is found again.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::VisionRoute;
use crate::{
    canonical::Canonical,
    digest::{ParseDigestError, Sha256Digest},
    geometry::NormalizedBbox,
    record::{EvidenceKind, NonEmptyText},
};

/// The key of a record in a cache; prints as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CacheKey(Sha256Digest);

impl CacheKey {
    /// Takes a key that was computed before.
    pub const fn from_digest(digest: Sha256Digest) -> Self {
        Self(digest)
    }

    /// Returns the digest.
    pub const fn as_digest(&self) -> &Sha256Digest {
        &self.0
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for CacheKey {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        text.parse().map(Self)
    }
}

/// What makes two reads the same read.
#[derive(Debug, Clone, Copy)]
pub struct CacheSubject<'a> {
    /// Overview or answer.
    pub kind: EvidenceKind,
    /// SHA-256 of the encoded image.
    pub source_sha256: Sha256Digest,
    /// The route; its `validation` does not count.
    pub vision: &'a VisionRoute,
    /// The question of a targeted read.
    pub question: Option<&'a NonEmptyText>,
    /// The region of a targeted read of a part.
    pub region: Option<NormalizedBbox>,
}

impl CacheSubject<'_> {
    /// Computes the key: SHA-256 over the RFC 8785 text of the array
    /// `["deepseekeyes.cache-key.v1", kind, sourceSha256, provider, model, promptVersion, question, region]`,
    /// where an absent question or region is `null` and a region is its four numbers.
    ///
    /// # Panics
    /// Never: texts and finite numbers have a canonical form.
    pub fn key(&self) -> CacheKey {
        let subject = (
            "deepseekeyes.cache-key.v1",
            self.kind.name(),
            self.source_sha256,
            &self.vision.provider,
            &self.vision.model,
            &self.vision.prompt_version,
            self.question,
            self.region,
        );
        let text = Canonical::of(&subject).expect("texts and finite numbers have a canonical form");
        CacheKey(text.digest())
    }
}
