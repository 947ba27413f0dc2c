//! A store in memory: bounded, the least recently used record goes first.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    EvidenceListing, EvidenceStore, Pruned, Put, StoreBounds, StoreError, StoreUsage,
    bounded::BoundedMap,
};
use crate::{
    digest::Sha256Digest,
    provenance::{CacheKey, EvidenceRecord},
};

/// Keeps records in memory, for tests and for settings without a directory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    bounds: StoreBounds,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    records: BoundedMap<CacheKey, Arc<EvidenceRecord>>,
    by_digest: BTreeMap<Sha256Digest, CacheKey>,
}

impl MemoryStore {
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

impl Held {
    fn touch(&mut self, key: &CacheKey) -> Option<Arc<EvidenceRecord>> {
        self.records.touch(key).map(Arc::clone)
    }

    fn insert(&mut self, key: CacheKey, record: &Arc<EvidenceRecord>, bytes: u64) {
        self.by_digest.insert(record.record_sha256(), key);
        self.records.insert(key, Arc::clone(record), bytes);
    }

    fn prune(&mut self, bounds: StoreBounds) -> Pruned {
        let by_digest = &mut self.by_digest;
        self.records.prune(bounds, |record| {
            by_digest.remove(&record.record_sha256());
        })
    }
}

impl EvidenceStore for MemoryStore {
    fn get(&self, key: &CacheKey) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        Ok(self.held().touch(key))
    }

    fn find(
        &self,
        record_sha256: &Sha256Digest,
    ) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        let mut held = self.held();
        let key = held.by_digest.get(record_sha256).copied();
        Ok(key.and_then(|key| held.touch(&key)))
    }

    fn put_all(&self, records: &[Arc<EvidenceRecord>]) -> Result<Vec<Put>, StoreError> {
        let mut sizes = Vec::with_capacity(records.len());
        for record in records {
            let bytes = record.to_json()?.len() as u64;
            if bytes > self.bounds.max_bytes {
                return Err(StoreError::TooLarge {
                    bytes,
                    limit: self.bounds.max_bytes,
                });
            }
            sizes.push(bytes);
        }
        let mut held = self.held();
        let outcomes = records
            .iter()
            .zip(sizes)
            .map(|(record, bytes)| {
                let key = record.cache_key();
                if let Some(existing) = held.touch(&key) {
                    return Put::Existing(existing);
                }
                held.insert(key, record, bytes);
                Put::Stored
            })
            .collect();
        held.prune(self.bounds);
        Ok(outcomes)
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        Ok(self.held().prune(bounds))
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        Ok(self.held().records.usage())
    }
}

impl EvidenceListing for MemoryStore {
    fn newest(&self, limit: usize) -> Result<Vec<Sha256Digest>, StoreError> {
        let held = self.held();
        let newest = held.records.newest().take(limit);
        Ok(newest.map(|record| record.record_sha256()).collect())
    }

    fn beginning_with(&self, prefix: &str, limit: usize) -> Result<Vec<Sha256Digest>, StoreError> {
        let held = self.held();
        let digests = held.by_digest.keys();
        Ok(digests
            .filter(|digest| digest.to_string().starts_with(prefix))
            .take(limit)
            .copied()
            .collect())
    }

    fn prunable(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        Ok(self.held().records.prunable(bounds))
    }
}
