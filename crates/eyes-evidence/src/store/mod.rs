//! Stores: where sealed records and raw artifacts are kept, by the digest of their content.
//!
//! The ports are [`EvidenceStore`], [`EvidenceListing`] and [`ArtifactStore`](artifact::ArtifactStore). What they
//! promise is written down in `testing` as suites that every adapter passes.

pub mod artifact;
mod bounded;
mod error;
#[cfg(feature = "fs")]
pub mod fs;
mod listing;
mod memory;

use std::{fmt::Debug, ops::AddAssign, sync::Arc};

pub use error::StoreError;
pub use listing::EvidenceListing;
pub use memory::MemoryStore;
use serde::{Deserialize, Serialize};

use crate::{
    digest::Sha256Digest,
    limits::{DEFAULT_STORE_BYTES, DEFAULT_STORE_ITEMS},
    provenance::{CacheKey, EvidenceRecord},
};

/// How much a store keeps; the oldest goes first when either bound is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoreBounds {
    /// Records or artifacts; at least 1.
    pub max_items: usize,
    /// Bytes of their content.
    pub max_bytes: u64,
}

impl Default for StoreBounds {
    fn default() -> Self {
        Self {
            max_items: DEFAULT_STORE_ITEMS,
            max_bytes: DEFAULT_STORE_BYTES,
        }
    }
}

/// What a store holds now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoreUsage {
    /// Records or artifacts.
    pub items: usize,
    /// Bytes of their content.
    pub bytes: u64,
    /// Files in quarantine: damaged, kept for a person to look at.
    pub set_aside: usize,
    /// Files of a newer version, left alone and not counted above.
    pub newer: usize,
}

/// What was removed to keep the bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pruned {
    /// Records or artifacts.
    pub items: usize,
    /// Bytes of their content.
    pub bytes: u64,
}

impl AddAssign for Pruned {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.bytes += other.bytes;
    }
}

/// The outcome of a put.
#[derive(Debug, Clone, PartialEq)]
pub enum Put {
    /// The record is stored now, and durable as far as the store is.
    Stored,
    /// A record with this key was there before; it stays.
    Existing(Arc<EvidenceRecord>),
}

/// Keeps sealed records under their cache key.
///
/// What a put reports as stored is found again, by any user of the store, until it is pruned. What is
/// returned has been verified against its digest. Records are never changed.
pub trait EvidenceStore: Send + Sync + Debug {
    /// Returns the record with this key.
    ///
    /// A stored record whose bytes changed is set aside and reported once as `EVIDENCE_STORE_MISMATCH`;
    /// afterwards the key is free.
    fn get(&self, key: &CacheKey) -> Result<Option<Arc<EvidenceRecord>>, StoreError>;

    /// Returns the record with this digest; errors as [`get`](Self::get).
    fn find(&self, record_sha256: &Sha256Digest)
    -> Result<Option<Arc<EvidenceRecord>>, StoreError>;

    /// Stores records whose keys are free, with one commit for all of them, and keeps the bounds.
    ///
    /// Of two records with one key the first is stored. The outcomes stand in the order of the records. On
    /// an error (`EVIDENCE_PERSIST_FAILED`, a full disk among them) some may be stored and none is half
    /// stored; the caller still has them all, and putting them again is safe. A record over the bounds is
    /// `EVIDENCE_STORE_LIMIT`, and nothing is stored.
    fn put_all(&self, records: &[Arc<EvidenceRecord>]) -> Result<Vec<Put>, StoreError>;

    /// Removes the oldest records until the bounds hold; they apply to this call only.
    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError>;

    /// Returns what the store holds.
    fn usage(&self) -> Result<StoreUsage, StoreError>;

    /// Stores one record if its key is free; see [`put_all`](Self::put_all).
    fn put_if_absent(&self, record: &Arc<EvidenceRecord>) -> Result<Put, StoreError> {
        let outcomes = self.put_all(std::slice::from_ref(record))?;
        Ok(outcomes.into_iter().next().unwrap_or(Put::Stored))
    }
}
