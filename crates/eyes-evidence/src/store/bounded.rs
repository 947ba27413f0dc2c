//! A map that keeps bounds: what was used longest ago goes first.

use std::collections::BTreeMap;

use super::{Pruned, StoreBounds, StoreUsage};

/// Values with their length in bytes, in the order of their use.
#[derive(Debug)]
pub(super) struct BoundedMap<K, V> {
    entries: BTreeMap<K, Entry<V>>,
    by_use: BTreeMap<u64, K>,
    clock: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: u64,
    /// The clock when it was taken, and when it was last used.
    taken: u64,
    used: u64,
}

impl<K, V> Default for BoundedMap<K, V> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            by_use: BTreeMap::new(),
            clock: 0,
            bytes: 0,
        }
    }
}

impl<K: Ord + Copy, V> BoundedMap<K, V> {
    /// Returns a value without counting it as used.
    pub(super) fn peek(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Returns a value and makes it the one that was used last.
    pub(super) fn touch(&mut self, key: &K) -> Option<&V> {
        let entry = self.entries.get_mut(key)?;
        self.by_use.remove(&entry.used);
        self.clock += 1;
        entry.used = self.clock;
        self.by_use.insert(entry.used, *key);
        Some(&entry.value)
    }

    /// Takes a value under a key that is free.
    pub(super) fn insert(&mut self, key: K, value: V, bytes: u64) {
        self.clock += 1;
        let used = self.clock;
        self.by_use.insert(used, key);
        self.bytes += bytes;
        let entry = Entry {
            value,
            bytes,
            taken: used,
            used,
        };
        self.entries.insert(key, entry);
    }

    /// Removes values until the bounds hold, and tells each one.
    pub(super) fn prune(&mut self, bounds: StoreBounds, mut removed: impl FnMut(&V)) -> Pruned {
        let mut pruned = Pruned::default();
        while self.entries.len() > bounds.max_items.max(1) || self.bytes > bounds.max_bytes {
            let Some((_, key)) = self.by_use.pop_first() else {
                break;
            };
            if let Some(entry) = self.entries.remove(&key) {
                self.bytes -= entry.bytes;
                pruned.items += 1;
                pruned.bytes += entry.bytes;
                removed(&entry.value);
            }
        }
        pruned
    }

    /// Returns what pruning to `bounds` would remove.
    pub(super) fn prunable(&self, bounds: StoreBounds) -> Pruned {
        let mut pruned = Pruned::default();
        for entry in self.by_use.values().filter_map(|key| self.entries.get(key)) {
            let items = self.entries.len() - pruned.items;
            if items <= bounds.max_items.max(1) && self.bytes - pruned.bytes <= bounds.max_bytes {
                break;
            }
            pruned.items += 1;
            pruned.bytes += entry.bytes;
        }
        pruned
    }

    /// Returns the values, the one that was taken last first.
    pub(super) fn newest(&self) -> impl Iterator<Item = &V> {
        let mut entries: Vec<&Entry<V>> = self.entries.values().collect();
        entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.taken));
        entries.into_iter().map(|entry| &entry.value)
    }

    /// Returns what is held.
    pub(super) fn usage(&self) -> StoreUsage {
        StoreUsage {
            items: self.entries.len(),
            bytes: self.bytes,
            ..StoreUsage::default()
        }
    }
}
