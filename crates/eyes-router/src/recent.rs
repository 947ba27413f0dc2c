//! A map of bounded length.

use std::{borrow::Borrow, collections::BTreeMap};

/// A map that forgets what was used longest ago.
#[derive(Debug, Clone)]
pub(crate) struct Recent<K, V> {
    entries: BTreeMap<K, (u64, V)>,
    used: u64,
    limit: usize,
}

impl<K: Ord + Clone, V> Recent<K, V> {
    pub(crate) const fn new(limit: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            used: 0,
            limit,
        }
    }

    /// Returns a value and makes it the one that was used last.
    pub(crate) fn get<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_mut(key).map(|value| &*value)
    }

    /// Does the same without counting it as used.
    pub(crate) fn peek<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|(_, value)| value)
    }

    /// Returns a value to change and makes it the one that was used last.
    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.used += 1;
        let (used, value) = self.entries.get_mut(key)?;
        *used = self.used;
        Some(value)
    }

    /// Takes a value; beyond the limit the one that was used longest ago goes.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.used += 1;
        self.entries.insert(key, (self.used, value));
        while self.entries.len() > self.limit {
            let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            self.entries.remove(&oldest);
        }
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.entries.remove(key);
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|(_, value)| value)
    }
}
