//! What is where, in memory.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::{Pruned, StoreBounds, StoreUsage},
    pack::Pack,
};
use crate::{digest::Sha256Digest, provenance::CacheKey};

/// One record in one pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) pack: u64,
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) key: CacheKey,
    pub(super) digest: Sha256Digest,
}

/// The packs of a store and the records in them.
#[derive(Debug, Default)]
pub(super) struct Index {
    packs: BTreeMap<u64, Pack>,
    by_key: BTreeMap<CacheKey, Location>,
    by_digest: BTreeMap<Sha256Digest, Location>,
    newer: BTreeSet<u64>,
    damaged: BTreeSet<u64>,
    newest: u64,
    items: usize,
    bytes: u64,
}

impl Index {
    pub(super) fn by_key(&self, key: &CacheKey) -> Option<Location> {
        self.by_key.get(key).copied()
    }

    pub(super) fn by_digest(&self, digest: &Sha256Digest) -> Option<Location> {
        self.by_digest.get(digest).copied()
    }

    pub(super) fn locations(&self) -> Vec<Location> {
        self.packs
            .iter()
            .flat_map(|(&number, pack)| pack.locations(number))
            .collect()
    }

    pub(super) const fn newest(&self) -> u64 {
        self.newest
    }

    /// Notes that the number was given once, so that it is never given again.
    pub(super) fn saw(&mut self, number: u64) {
        self.newest = self.newest.max(number);
    }

    pub(super) fn insert(&mut self, number: u64, pack: Pack) {
        self.forget(number);
        self.saw(number);
        for location in pack.locations(number) {
            // The older of two records with one key stays the one that is found.
            let known = self
                .by_key
                .get(&location.key)
                .is_some_and(|at| at.pack < number);
            if !known {
                self.by_key.insert(location.key, location);
            }
            self.by_digest.insert(location.digest, location);
        }
        self.items += pack.items();
        self.bytes += pack.bytes();
        self.packs.insert(number, pack);
    }

    pub(super) fn forget(&mut self, number: u64) {
        self.newer.remove(&number);
        self.damaged.remove(&number);
        let Some(pack) = self.packs.remove(&number) else {
            return;
        };
        self.items -= pack.items();
        self.bytes -= pack.bytes();
        for location in pack.locations(number) {
            if self
                .by_key
                .get(&location.key)
                .is_some_and(|at| at.pack == number)
            {
                self.by_key.remove(&location.key);
            }
            if self
                .by_digest
                .get(&location.digest)
                .is_some_and(|at| at.pack == number)
            {
                self.by_digest.remove(&location.digest);
            }
        }
    }

    pub(super) fn leave_alone(&mut self, number: u64) {
        self.forget(number);
        self.saw(number);
        self.newer.insert(number);
    }

    pub(super) fn mark_damaged(&mut self, number: u64) {
        self.forget(number);
        self.saw(number);
        self.damaged.insert(number);
    }

    pub(super) fn next_damaged(&mut self) -> Option<u64> {
        self.damaged.pop_first()
    }

    /// Returns the oldest pack, its records and bytes, when the bounds are passed; never the last one.
    pub(super) fn oldest_over(&self, bounds: StoreBounds) -> Option<(u64, usize, u64)> {
        let over = self.items > bounds.max_items.max(1) || self.bytes > bounds.max_bytes;
        let (&number, pack) = self.packs.first_key_value()?;
        (over && self.packs.len() > 1).then(|| (number, pack.items(), pack.bytes()))
    }

    /// Returns what [`oldest_over`](Self::oldest_over) gives until it gives nothing.
    pub(super) fn prunable(&self, bounds: StoreBounds) -> Pruned {
        let mut pruned = Pruned::default();
        let mut packs = self.packs.len();
        for pack in self.packs.values() {
            let over = self.items - pruned.items > bounds.max_items.max(1)
                || self.bytes - pruned.bytes > bounds.max_bytes;
            if !over || packs <= 1 {
                break;
            }
            pruned.items += pack.items();
            pruned.bytes += pack.bytes();
            packs -= 1;
        }
        pruned
    }

    /// Returns digests from the newest record to the oldest; each once, where it is found.
    pub(super) fn newest_digests(&self, limit: usize) -> Vec<Sha256Digest> {
        let found_here =
            |location: &Location| self.by_digest.get(&location.digest) == Some(location);
        let newest_first = self.packs.iter().rev().flat_map(|(&number, pack)| {
            let locations: Vec<Location> = pack.locations(number).collect();
            locations.into_iter().rev()
        });
        newest_first
            .filter(found_here)
            .take(limit)
            .map(|location| location.digest)
            .collect()
    }

    pub(super) fn digests_beginning_with(&self, prefix: &str, limit: usize) -> Vec<Sha256Digest> {
        let digests = self.by_digest.keys();
        digests
            .filter(|digest| digest.to_string().starts_with(prefix))
            .take(limit)
            .copied()
            .collect()
    }

    pub(super) fn usage(&self) -> StoreUsage {
        StoreUsage {
            items: self.items,
            bytes: self.bytes,
            newer: self.newer.len(),
            set_aside: 0,
        }
    }
}
