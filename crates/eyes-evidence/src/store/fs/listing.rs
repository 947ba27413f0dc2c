//! What the store holds, from its index.

use super::{
    super::{EvidenceListing, Pruned, StoreBounds, StoreError},
    FsStore,
};
use crate::digest::Sha256Digest;

impl EvidenceListing for FsStore {
    fn newest(&self, limit: usize) -> Result<Vec<Sha256Digest>, StoreError> {
        let mut index = self.index();
        self.refresh(&mut index)?;
        Ok(index.newest_digests(limit))
    }

    fn beginning_with(&self, prefix: &str, limit: usize) -> Result<Vec<Sha256Digest>, StoreError> {
        let mut index = self.index();
        self.refresh(&mut index)?;
        Ok(index.digests_beginning_with(prefix, limit))
    }

    fn prunable(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        let mut index = self.index();
        self.refresh(&mut index)?;
        Ok(index.prunable(bounds))
    }
}
