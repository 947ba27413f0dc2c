//! Whole writes or none: what an interruption waits for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eyes_evidence::{
    digest::Sha256Digest,
    provenance::{CacheKey, EvidenceRecord},
    store::{EvidenceStore, Pruned, Put, StoreBounds, StoreError, StoreUsage},
};

/// Held while a file is written, so that an interruption never leaves half of one.
///
/// Clones share one gate.
#[derive(Debug, Clone, Default)]
pub struct WriteGate(Arc<Mutex<()>>);

impl WriteGate {
    /// Waits for a write in progress and keeps every later one out while the guard lives.
    pub fn enter(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A store whose writes pass the gate.
#[derive(Debug)]
pub(crate) struct GatedStore {
    inner: Arc<dyn EvidenceStore>,
    gate: WriteGate,
}

impl GatedStore {
    pub(crate) fn new(inner: Arc<dyn EvidenceStore>, gate: WriteGate) -> Self {
        Self { inner, gate }
    }
}

impl EvidenceStore for GatedStore {
    fn get(&self, key: &CacheKey) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        self.inner.get(key)
    }

    fn find(
        &self,
        record_sha256: &Sha256Digest,
    ) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        self.inner.find(record_sha256)
    }

    fn put_all(&self, records: &[Arc<EvidenceRecord>]) -> Result<Vec<Put>, StoreError> {
        let _writing = self.gate.enter();
        self.inner.put_all(records)
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        let _writing = self.gate.enter();
        self.inner.prune(bounds)
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        self.inner.usage()
    }
}
