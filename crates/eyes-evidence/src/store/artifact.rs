//! Artifacts: raw bytes under their SHA-256, never changed.

use std::{
    collections::{BTreeMap, VecDeque, btree_map::Entry},
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Pruned, StoreBounds, StoreError, StoreUsage};
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
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    artifacts: BTreeMap<Sha256Digest, Arc<[u8]>>,
    order: VecDeque<Sha256Digest>,
    bytes: u64,
}

impl Held {
    fn prune(&mut self, bounds: StoreBounds) -> Pruned {
        let mut pruned = Pruned::default();
        while self.order.len() > bounds.max_items.max(1) || self.bytes > bounds.max_bytes {
            let Some(artifact) = self
                .order
                .pop_front()
                .and_then(|oldest| self.artifacts.remove(&oldest))
            else {
                break;
            };
            self.bytes -= artifact.len() as u64;
            pruned.items += 1;
            pruned.bytes += artifact.len() as u64;
        }
        pruned
    }
}

impl MemoryArtifacts {
    /// Makes an empty store.
    pub fn new(bounds: StoreBounds) -> Self {
        Self {
            bounds,
            held: Mutex::default(),
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
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
        if let Entry::Vacant(place) = held.artifacts.entry(sha256) {
            place.insert(Arc::from(bytes));
            held.order.push_back(sha256);
            held.bytes += bytes.len() as u64;
            held.prune(self.bounds);
        }
        Ok(sha256)
    }

    fn open(&self, sha256: &Sha256Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.held().artifacts.get(sha256).cloned())
    }

    fn exists(&self, sha256: &Sha256Digest) -> Result<bool, StoreError> {
        Ok(self.held().artifacts.contains_key(sha256))
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        Ok(self.held().prune(bounds))
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        let held = self.held();
        Ok(StoreUsage {
            items: held.order.len(),
            bytes: held.bytes,
            ..StoreUsage::default()
        })
    }
}
