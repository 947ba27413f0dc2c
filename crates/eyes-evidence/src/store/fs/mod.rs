//! Evidence on disk, shared by processes.
//!
//! ```text
//! <root>/store.json               {"storeVersion":1}
//! <root>/lock                     held exclusively by whoever writes
//! <root>/newest                   the newest pack number, so that readers need not list the packs
//! <root>/packs/<number>.pack      immutable: one line of index, then records as lines of canonical JSON
//! <root>/quarantine/              what did not verify, kept for a person to look at
//! ```
//!
//! One put is one pack, however many records it holds: written under a temporary name, synchronised,
//! renamed, and the directory synchronised, so it is durable when it is reported and never half there.
//! That costs two synchronisations for a batch instead of four for each record. Writers take turns by an
//! operating-system lock, which ends with its process; readers take none, because a pack never changes and
//! every record is verified when it is read. Numbers only grow: the order of packs is their age.

mod artifacts;
mod index;
mod listing;
mod lock;
mod pack;
mod repair;

use std::{
    fs::{self},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

pub use artifacts::FsArtifacts;
use index::{Index, Location};
use lock::{Held, StoreLock};
use pack::{Draft, Found, Pack};

use super::{EvidenceStore, Pruned, Put, StoreBounds, StoreError, StoreUsage};
use crate::{
    atomic::{private_dir, read_private, sweep_temps, sync_dir, write_private},
    canonical::parse_strict,
    digest::Sha256Digest,
    limits::{MAX_PACK_BYTES, MAX_PACK_RECORDS, MAX_STORE_MARK_BYTES},
    provenance::{CacheKey, EvidenceRecord, RecordError},
};

/// The version of the layout that this crate writes and reads.
const STORE_VERSION: u64 = 1;
const STORE_MARK: &str = "{\"storeVersion\":1}\n";

/// Keeps records in a private directory; see the module for the layout.
#[derive(Debug)]
pub struct FsStore {
    root: PathBuf,
    bounds: StoreBounds,
    lock: StoreLock,
    index: Mutex<Index>,
}

/// What reading one record gave.
enum Reading {
    Verified(Arc<EvidenceRecord>),
    /// The pack is not there, or no longer the one that was indexed.
    Moved,
    /// The bytes are not what was written.
    Damaged,
}

impl FsStore {
    /// Opens or makes the store in `root`, removes what dead processes left half-written, and reads the index.
    ///
    /// A symbolic link or a place that cannot be made private is `EVIDENCE_STORE_BLOCKED`, a newer layout
    /// `EVIDENCE_STORE_UNSUPPORTED` (nothing is touched), a failing disk `EVIDENCE_PERSIST_FAILED` or
    /// `EVIDENCE_STORE_UNAVAILABLE`.
    pub fn open(root: impl Into<PathBuf>, bounds: StoreBounds) -> Result<Self, StoreError> {
        let root = root.into();
        private_dir(&root)?;
        check_version(&root)?;
        for dir in ["packs", "quarantine"] {
            private_dir(&root.join(dir))?;
        }
        let store = Self {
            lock: StoreLock::new(&root),
            root,
            bounds,
            index: Mutex::default(),
        };
        let mut index = store.index();
        let held = store.lock.exclusive()?;
        let mark = store.root.join("store.json");
        if fs::symlink_metadata(&mark).is_err() {
            write_private(&mark, STORE_MARK.as_bytes())?;
        }
        for dir in [
            store.packs(),
            store.root.join("quarantine"),
            store.root.clone(),
        ] {
            sweep_temps(&dir)?;
        }
        store.scan(&mut index)?;
        held.set_newest(index.newest())?;
        drop(held);
        drop(index);
        Ok(store)
    }

    /// Checks that this version may touch what is in `root`; a directory without a store is as good as one.
    ///
    /// A newer layout, or a mark that is none, is `EVIDENCE_STORE_UNSUPPORTED`; reading writes nothing.
    pub fn check(root: &Path) -> Result<(), StoreError> {
        check_version(root)
    }

    /// Returns the directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads every record and verifies it; what does not verify is set aside.
    ///
    /// Returns the number of verified records and where the damaged packs are now.
    pub fn verify_all(&self) -> Result<(usize, Vec<PathBuf>), StoreError> {
        let mut index = self.index();
        self.refresh(&mut index)?;
        let mut set_aside = Vec::new();
        while let Some(number) = index.next_damaged() {
            set_aside.extend(self.set_aside(&mut index, number, None)?);
        }
        let mut verified = 0;
        for location in index.locations() {
            match self.read(&location) {
                Ok(Reading::Verified(_)) => verified += 1,
                Ok(Reading::Moved) => {}
                Ok(Reading::Damaged) => {
                    set_aside.extend(self.set_aside(&mut index, location.pack, None)?);
                }
                Err(error) => return Err(error),
            }
        }
        Ok((verified, set_aside))
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn packs(&self) -> PathBuf {
        self.root.join("packs")
    }

    fn pack_path(&self, number: u64) -> PathBuf {
        self.packs().join(pack::file_name(number))
    }

    /// Reads the index of every pack anew.
    fn scan(&self, index: &mut Index) -> Result<(), StoreError> {
        *index = Index::default();
        for dir in [self.packs(), self.root.join("quarantine")] {
            for number in pack::numbers_in(&dir)? {
                index.saw(number);
            }
        }
        for number in pack::numbers_in(&self.packs())? {
            self.load(index, number)?;
        }
        Ok(())
    }

    /// Takes up the packs that others wrote since the last look.
    fn refresh(&self, index: &mut Index) -> Result<(), StoreError> {
        match self.lock.newest() {
            Some(newest) => {
                for number in index.newest() + 1..=newest {
                    self.load(index, number)?;
                    index.saw(number);
                }
                // A writer may have died after the rename and before it noted the number.
                while fs::symlink_metadata(self.pack_path(index.newest() + 1)).is_ok() {
                    let number = index.newest() + 1;
                    self.load(index, number)?;
                    index.saw(number);
                }
                Ok(())
            }
            None => self.scan(index),
        }
    }

    /// Reads the index line of one pack; a pack that is gone is forgotten.
    fn load(&self, index: &mut Index, number: u64) -> Result<(), StoreError> {
        match Pack::read(&self.pack_path(number))? {
            Found::Pack(pack) => index.insert(number, pack),
            Found::Missing => index.forget(number),
            Found::Newer => index.leave_alone(number),
            Found::Damaged => index.mark_damaged(number),
        }
        Ok(())
    }

    fn read(&self, location: &Location) -> Result<Reading, StoreError> {
        let path = self.pack_path(location.pack);
        let Some(bytes) = pack::read_line(&path, location.offset, location.length)? else {
            return Ok(Reading::Moved);
        };
        match EvidenceRecord::from_json(&bytes) {
            Ok(record)
                if record.record_sha256() == location.digest
                    && record.cache_key() == location.key =>
            {
                Ok(Reading::Verified(Arc::new(record)))
            }
            // A version that this software cannot verify, under a digest that it cannot deny.
            Err(RecordError::Newer { .. }) => Err(StoreError::Newer { path }),
            _ => Ok(Reading::Damaged),
        }
    }

    fn lookup(
        &self,
        index: &mut Index,
        find: &dyn Fn(&Index) -> Option<Location>,
        held: Option<&Held>,
    ) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        if find(index).is_none() {
            self.refresh(index)?;
        }
        let Some(location) = find(index) else {
            return self.report_damaged(index, held).map(|()| None);
        };
        let mut reading = self.read(&location)?;
        if !matches!(reading, Reading::Verified(_)) {
            // Another process may have pruned or repaired the pack: look again before judging.
            self.load(index, location.pack)?;
            self.refresh(index)?;
            let Some(now) = find(index) else {
                return self.report_damaged(index, held).map(|()| None);
            };
            reading = self.read(&now)?;
            if matches!(reading, Reading::Damaged) {
                return match self.set_aside(index, now.pack, held)? {
                    Some(set_aside) => Err(StoreError::Tampered { set_aside }),
                    None => Ok(None),
                };
            }
        }
        Ok(match reading {
            Reading::Verified(record) => Some(record),
            Reading::Moved | Reading::Damaged => None,
        })
    }

    /// Sets packs aside whose index line does not read, and reports the first of them.
    fn report_damaged(&self, index: &mut Index, held: Option<&Held>) -> Result<(), StoreError> {
        while let Some(number) = index.next_damaged() {
            if let Some(set_aside) = self.set_aside(index, number, held)? {
                return Err(StoreError::Tampered { set_aside });
            }
        }
        Ok(())
    }

    /// Returns the record that holds a key while writing; a damaged one is set aside and its key is free.
    fn existing(
        &self,
        index: &mut Index,
        key: &CacheKey,
        held: &Held,
    ) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        match self.lookup(index, &|index| index.by_key(key), Some(held)) {
            Err(StoreError::Tampered { .. }) => {
                self.lookup(index, &|index| index.by_key(key), Some(held))
            }
            other => other,
        }
    }

    /// Splits records into packs that are small enough to write, read and prune at once.
    fn write_packs(
        &self,
        index: &mut Index,
        held: &Held,
        drafts: Vec<Draft>,
    ) -> Result<(), StoreError> {
        let mut pending: Vec<Draft> = Vec::new();
        let mut bytes = 0;
        let mut drafts = drafts.into_iter().peekable();
        while let Some(draft) = drafts.next() {
            bytes += draft.text.len();
            pending.push(draft);
            let full = pending.len() >= MAX_PACK_RECORDS
                || drafts
                    .peek()
                    .is_none_or(|next| bytes + next.text.len() > MAX_PACK_BYTES);
            if full {
                let number = index.newest() + 1;
                let pack = pack::write(&self.packs(), number, &pending)?;
                index.insert(number, pack);
                held.set_newest(number)?;
                pending.clear();
                bytes = 0;
            }
        }
        Ok(())
    }

    fn prune_held(&self, index: &mut Index, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        let mut pruned = Pruned::default();
        while let Some((number, items, bytes)) = index.oldest_over(bounds) {
            let path = self.pack_path(number);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(crate::atomic::write_error("remove", &path)(error).into());
                }
                _ => index.forget(number),
            }
            pruned.items += items;
            pruned.bytes += bytes;
        }
        if pruned.items > 0 {
            sync_dir(&self.packs())?;
        }
        Ok(pruned)
    }
}

/// Reads the mark of the layout, where there is one.
fn check_version(root: &Path) -> Result<(), StoreError> {
    let path = root.join("store.json");
    let text = match read_private(&path, MAX_STORE_MARK_BYTES) {
        Ok(text) => text,
        Err(error) if error.is_missing() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let version = parse_strict(&text).ok().and_then(|read| {
        read.value
            .get("storeVersion")
            .and_then(serde_json::Value::as_u64)
    });
    match version {
        Some(version) if version <= STORE_VERSION => Ok(()),
        // Whatever else stands there is not ours to write over.
        _ => Err(StoreError::Newer { path }),
    }
}

impl EvidenceStore for FsStore {
    fn get(&self, key: &CacheKey) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        self.lookup(&mut self.index(), &|index| index.by_key(key), None)
    }

    fn find(
        &self,
        record_sha256: &Sha256Digest,
    ) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        self.lookup(
            &mut self.index(),
            &|index| index.by_digest(record_sha256),
            None,
        )
    }

    fn put_all(&self, records: &[Arc<EvidenceRecord>]) -> Result<Vec<Put>, StoreError> {
        let mut drafts = Vec::with_capacity(records.len());
        for record in records {
            let draft = Draft::of(record)?;
            let bytes = draft.text.len() as u64;
            if bytes > self.bounds.max_bytes {
                let limit = self.bounds.max_bytes;
                return Err(StoreError::TooLarge { bytes, limit });
            }
            drafts.push(draft);
        }
        let mut index = self.index();
        let held = self.lock.exclusive()?;
        self.refresh(&mut index)?;
        let mut outcomes = Vec::with_capacity(records.len());
        let mut new: Vec<Draft> = Vec::new();
        let mut batch = std::collections::BTreeMap::new();
        for (record, draft) in records.iter().zip(drafts) {
            let key = draft.key;
            let existing = match batch.get(&key) {
                Some(earlier) => Some(Arc::clone(earlier)),
                None => self.existing(&mut index, &key, &held)?,
            };
            if let Some(existing) = existing {
                outcomes.push(Put::Existing(existing));
            } else {
                batch.insert(key, Arc::clone(record));
                new.push(draft);
                outcomes.push(Put::Stored);
            }
        }
        if !new.is_empty() {
            self.write_packs(&mut index, &held, new)?;
            self.prune_held(&mut index, self.bounds)?;
        }
        Ok(outcomes)
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        let mut index = self.index();
        let _held = self.lock.exclusive()?;
        self.refresh(&mut index)?;
        self.prune_held(&mut index, bounds)
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        let mut index = self.index();
        self.refresh(&mut index)?;
        let quarantine = self.root.join("quarantine");
        let set_aside = fs::read_dir(&quarantine)
            .map_err(crate::atomic::read_error(&quarantine))?
            .count();
        Ok(StoreUsage {
            set_aside,
            ..index.usage()
        })
    }
}

#[cfg(test)]
mod tests;
