//! Artifacts on disk, shared by processes.
//!
//! ```text
//! <root>/lock                  shared while an artifact is written, exclusive while others are removed
//! <root>/objects/<aa>/<sha256> the bytes; the name is their digest and aa its first two digits
//! <root>/quarantine/<sha256>   bytes that no longer had their digest
//! ```
//!
//! A file appears under its name whole and synchronised, so writers need no turns: two of them would write
//! the same bytes.

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use super::{
    super::{
        Pruned, StoreBounds, StoreError, StoreUsage,
        artifact::{ArtifactStore, check_size},
    },
    lock::{Held, StoreLock},
};
use crate::{
    atomic::{
        FileError, Staged, open_private_with, private_dir, read_error, read_private, sweep_temps,
        sync_dir, write_error,
    },
    digest::Sha256Digest,
    limits::{ARTIFACT_COUNT_INTERVAL, MAX_ARTIFACT_BYTES, MAX_QUARANTINE_NAMES},
};

/// Keeps artifacts in a private directory; see the module for the layout.
#[derive(Debug)]
pub struct FsArtifacts {
    root: PathBuf,
    bounds: StoreBounds,
    lock: StoreLock,
    since_count: Mutex<Estimate>,
}

/// What the store holds as far as this process knows without counting again.
#[derive(Debug, Default)]
struct Estimate {
    counted: bool,
    puts: usize,
    items: usize,
    bytes: u64,
}

/// One stored file.
struct Stored {
    modified: SystemTime,
    path: PathBuf,
    bytes: u64,
}

impl FsArtifacts {
    /// Opens or makes the store in `root`, and removes what dead processes left half-written.
    ///
    /// Errors as [`FsStore::open`](super::FsStore::open).
    pub fn open(root: impl Into<PathBuf>, bounds: StoreBounds) -> Result<Self, StoreError> {
        let root = root.into();
        for dir in [&root, &root.join("objects"), &root.join("quarantine")] {
            private_dir(dir)?;
        }
        let store = Self {
            lock: StoreLock::new(&root),
            since_count: Mutex::default(),
            root,
            bounds,
        };
        // Whoever writes now will sweep some other time.
        if let Some(_held) = store.lock.try_exclusive()? {
            for dir in store.shards()? {
                sweep_temps(&dir)?;
            }
        }
        Ok(store)
    }

    /// Returns the directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns where the artifact with this digest is, or will be.
    pub fn path(&self, sha256: &Sha256Digest) -> PathBuf {
        let name = sha256.to_string();
        self.root.join("objects").join(&name[..2]).join(name)
    }

    /// Makes the artifact with this digest as old as `at` says; one that is not there is left alone.
    ///
    /// Errors: `EVIDENCE_PERSIST_FAILED`, and `EVIDENCE_STORE_BLOCKED` where a symbolic link stands in its place.
    pub fn date(&self, sha256: &Sha256Digest, at: SystemTime) -> Result<(), StoreError> {
        let path = self.path(sha256);
        if !self.exists(sha256)? {
            return Ok(());
        }
        let file = open_private_with(OpenOptions::new().write(true), &path)?;
        file.set_modified(at).map_err(write_error("date", &path))?;
        Ok(())
    }

    /// Removes the artifacts from before `oldest`.
    ///
    /// Errors: `EVIDENCE_PERSIST_FAILED`, `EVIDENCE_STORE_UNAVAILABLE`.
    pub fn remove_older(&self, oldest: SystemTime) -> Result<Pruned, StoreError> {
        let held = self.lock.exclusive()?;
        let mut pruned = Pruned::default();
        for file in self.stored()? {
            if file.modified < oldest {
                pruned += remove(&file)?;
            }
        }
        drop(held);
        Ok(pruned)
    }

    fn shards(&self) -> Result<Vec<PathBuf>, FileError> {
        let objects = self.root.join("objects");
        let mut shards = Vec::new();
        for entry in fs::read_dir(&objects).map_err(read_error(&objects))? {
            let entry = entry.map_err(read_error(&objects))?;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                shards.push(entry.path());
            }
        }
        Ok(shards)
    }

    /// Lists the artifacts, the oldest first.
    fn stored(&self) -> Result<Vec<Stored>, FileError> {
        let mut stored = Vec::new();
        for shard in self.shards()? {
            for entry in fs::read_dir(&shard).map_err(read_error(&shard))? {
                let entry = entry.map_err(read_error(&shard))?;
                let named = entry
                    .file_name()
                    .to_str()
                    .is_some_and(|name| name.parse::<Sha256Digest>().is_ok());
                // A file may be pruned by another process between the two looks.
                if let (true, Ok(found)) = (named, entry.metadata()) {
                    stored.push(Stored {
                        modified: found.modified().map_err(read_error(&entry.path()))?,
                        path: entry.path(),
                        bytes: found.len(),
                    });
                }
            }
        }
        stored.sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
        Ok(stored)
    }

    /// Reads and verifies; damaged bytes are set aside and reported.
    fn verified(&self, sha256: &Sha256Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(sha256);
        match read_private(&path, MAX_ARTIFACT_BYTES) {
            Ok(bytes) if Sha256Digest::of(&bytes) == *sha256 => return Ok(Some(bytes)),
            Err(error) if error.is_missing() => return Ok(None),
            Ok(_) | Err(FileError::Size { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let quarantine = self.root.join("quarantine");
        let place = (0..MAX_QUARANTINE_NAMES)
            .map(|copy| quarantine.join(format!("{sha256}.{copy}")))
            .find(|place| fs::symlink_metadata(place).is_err())
            .unwrap_or_else(|| quarantine.join(format!("{sha256}.last")));
        fs::rename(&path, &place).map_err(write_error("set aside", &place))?;
        sync_dir(&quarantine)?;
        Err(StoreError::Tampered { set_aside: place })
    }

    /// Counts a put, and prunes when the bounds may be passed.
    ///
    /// Counting all files at every put would be slow; what other processes put since the last count is
    /// found at every [`ARTIFACT_COUNT_INTERVAL`]th.
    fn keep_bounds(&self, path: &Path, bytes: u64) -> Result<(), StoreError> {
        let mut estimate = self
            .since_count
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        estimate.puts += 1;
        estimate.items += 1;
        estimate.bytes += bytes;
        let over = estimate.items > self.bounds.max_items || estimate.bytes > self.bounds.max_bytes;
        if over || !estimate.counted || estimate.puts >= ARTIFACT_COUNT_INTERVAL {
            let held = self.lock.exclusive()?;
            self.prune_held(self.bounds, Some(path), &held)?;
            drop(held);
            let usage = self.usage()?;
            *estimate = Estimate {
                counted: true,
                puts: 0,
                items: usage.items,
                bytes: usage.bytes,
            };
        }
        Ok(())
    }

    fn prune_held(
        &self,
        bounds: StoreBounds,
        newest: Option<&Path>,
        _held: &Held,
    ) -> Result<Pruned, StoreError> {
        let mut stored = self.stored()?;
        // Times of files may be equal: the one just written is the newest all the same.
        stored.sort_by_key(|file| Some(file.path.as_path()) == newest);
        let mut items = stored.len();
        let mut bytes: u64 = stored.iter().map(|file| file.bytes).sum();
        let mut pruned = Pruned::default();
        for file in stored {
            if items <= bounds.max_items.max(1) && bytes <= bounds.max_bytes {
                break;
            }
            pruned += remove(&file)?;
            items -= 1;
            bytes -= file.bytes;
        }
        Ok(pruned)
    }
}

/// Removes one file; another process may have been faster.
fn remove(file: &Stored) -> Result<Pruned, FileError> {
    match fs::remove_file(&file.path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(write_error("remove", &file.path)(error))
        }
        _ => Ok(Pruned {
            items: 1,
            bytes: file.bytes,
        }),
    }
}

impl ArtifactStore for FsArtifacts {
    fn put(&self, bytes: &[u8]) -> Result<Sha256Digest, StoreError> {
        check_size(bytes, self.bounds)?;
        let sha256 = Sha256Digest::of(bytes);
        let path = self.path(&sha256);
        match self.verified(&sha256) {
            Ok(Some(_)) => return Ok(sha256),
            // A damaged file of this name is out of the way now.
            Ok(None) | Err(StoreError::Tampered { .. }) => {}
            Err(error) => return Err(error),
        }
        let held = self.lock.shared()?;
        let shard = path.parent().unwrap_or(&self.root);
        let fresh = fs::symlink_metadata(shard).is_err();
        private_dir(shard)?;
        if fresh {
            sync_dir(&self.root.join("objects"))?;
        }
        Staged::write(shard, [bytes])?.commit(&path)?;
        drop(held);
        self.keep_bounds(&path, bytes.len() as u64)?;
        Ok(sha256)
    }

    fn open(&self, sha256: &Sha256Digest) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.verified(sha256)?.map(Arc::from))
    }

    fn exists(&self, sha256: &Sha256Digest) -> Result<bool, StoreError> {
        let path = self.path(sha256);
        match fs::symlink_metadata(&path) {
            Ok(found) => Ok(found.is_file()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(read_error(&path)(error).into()),
        }
    }

    fn prune(&self, bounds: StoreBounds) -> Result<Pruned, StoreError> {
        let held = self.lock.exclusive()?;
        self.prune_held(bounds, None, &held)
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        let stored = self.stored()?;
        let quarantine = self.root.join("quarantine");
        Ok(StoreUsage {
            items: stored.len(),
            bytes: stored.iter().map(|file| file.bytes).sum(),
            set_aside: fs::read_dir(&quarantine)
                .map_err(read_error(&quarantine))?
                .count(),
            newer: 0,
        })
    }
}
