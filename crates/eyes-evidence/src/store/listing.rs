//! Looking over a store: what is there, without reading the records.

use super::{EvidenceStore, Pruned, StoreBounds, StoreError};
use crate::digest::Sha256Digest;

/// A store of records that can say what it holds.
///
/// Apart from [`EvidenceStore`], because reading images needs none of it. Answers are bounded by the caller and
/// come from the index: a listed record may turn out damaged when it is read.
pub trait EvidenceListing: EvidenceStore {
    /// Returns the digests of the records that were stored last, the newest first, at most `limit`.
    fn newest(&self, limit: usize) -> Result<Vec<Sha256Digest>, StoreError>;

    /// Returns the digests whose text begins with `prefix` (lower-case hexadecimal digits), ascending, at most
    /// `limit`.
    fn beginning_with(&self, prefix: &str, limit: usize) -> Result<Vec<Sha256Digest>, StoreError>;

    /// Returns what [`prune`](EvidenceStore::prune) with these bounds would remove now; nothing is changed.
    fn prunable(&self, bounds: StoreBounds) -> Result<Pruned, StoreError>;
}
