//! Artifacts: raw bytes under their SHA-256, never changed.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Pruned, StoreBounds, StoreError, StoreUsage, bounded::BoundedMap};
use crate::digest::Sha256Digest;

/// Keeps bytes under their digest.
///
/// What a put returned is found again until it is pruned, and what is opened has the digest it was asked by.
pub trait ArtifactStore: Send + Sync + Debug {
    /// Stores the bytes, durable as far as the store is; bytes that are there already are left as they are.
    ///
    /// Errors: `EVIDENCE_PERSIST_FAILED`, and `EVIDENCE_STORE_LIMIT` for more bytes than the bounds.
    fn put(&self, bytes: &[u8]) -> Result<Sha256Digest, StoreError>;

    /// Returns the bytes with this digest.
    ///
    /// Bytes that changed are set aside and reported once as `EVIDENCE_STORE_MISMATCH`.
    fn open(&self, sha256: &Sha256Digest) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Tells whether an artifact with this digest is there, without reading it.
    fn exists(&self, sha256: &Sha256Digest) -> Result<bool, StoreError>;

    /// Removes the oldest artifacts until the bounds hold; they apply to this call only.
    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError>;

    /// Returns what the store holds.
    fn usage(&self) -> Result<StoreUsage, StoreError>;
}

/// Keeps artifacts in memory; the oldest goes first.
#[derive(Debug, Default)]
pub struct MemoryArtifacts {
    bounds: StoreBounds,
    held: Mutex<BoundedMap<Sha256Digest, Arc<[u8]>>>,
}

impl MemoryArtifacts {
    /// Makes an empty store.
    pub fn new(bounds: StoreBounds) -> Self {
        Self {
            bounds,
            held: Mutex::default(),
        }
    }

    fn held(&self) -> MutexGuard<'_, BoundedMap<Sha256Digest, Arc<[u8]>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses bytes that no pruning could make room for.
pub(super) fn check_size(bytes: &[u8], bounds: StoreBounds) -> Result<(), StoreError> {
    let limit = bounds.max_bytes.min(crate::limits::MAX_ARTIFACT_BYTES);
    let bytes = bytes.len() as u64;
    if bytes > limit {
        return Err(StoreError::TooLarge { bytes, limit });
    }
    Ok(())
}

impl ArtifactStore for MemoryArtifacts {
    fn put(&self, bytes: &[u8]) -> Result<Sha256Digest, StoreError> {
        check_size(bytes, self.bounds)?;
        let sha256 = Sha256Digest::of(bytes);
        let mut held = self.held();
        if held.peek(&sha256).is_none() {
            held.insert(sha256, Arc::from(bytes), bytes.len() as u64);
            held.prune(self.bounds, |_| {});
        }
        Ok(sha256)
    }

    fn open(&self, sha256: &Sha256Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        // Not counted as a use: the oldest goes first, as on disk.
        Ok(self.held().peek(sha256).cloned())
    }

    fn exists(&self, sha256: &Sha256Digest) -> Result<bool, StoreError> {
        Ok(self.held().peek(sha256).is_some())
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        Ok(self.held().prune(bounds, |_| {}))
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        Ok(self.held().usage())
    }
}
