//! Removing what the table claims.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use eyes_evidence::atomic::{FileError, FileLock, sync_dir};

use super::{
    DataKind, Places, Survey,
    survey::{is_download, survey},
};
use crate::data::{MODELS, small_models};

/// What was removed, what stays and what could not be removed.
#[derive(Debug, Default)]
pub struct Erasure {
    /// Files that are gone, by kind.
    pub removed: Vec<Removed>,
    /// Files that stay on purpose.
    pub kept: Vec<Kept>,
    /// Files that should have gone and did not.
    pub failed: Vec<Unerased>,
}

/// How much of a kind is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Which.
    pub kind: DataKind,
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A file that stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Where.
    pub path: PathBuf,
    /// Why.
    pub reason: KeptReason,
}

/// Why a file stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptReason {
    /// It is empty, and another process may wait for it.
    Lock,
    /// No row of the table claims it.
    Unknown,
}

/// A file that could not be removed, or not be made sure to be gone.
#[derive(Debug)]
pub struct Unerased {
    /// Where.
    pub path: PathBuf,
    /// Why not: `FILE_WRITE_FAILED`, or `FILE_PLACE_BLOCKED` where its lock is none.
    pub error: FileError,
}

impl Erasure {
    /// Says what [`erase`] would do with what `survey` found.
    pub fn planned(survey: &Survey, kinds: &BTreeSet<DataKind>) -> Self {
        let mut erasure = Self::default();
        for file in &survey.files {
            if goes(file.kind, kinds) && !file.is_lock() {
                erasure.count(file.kind, file.bytes);
            }
        }
        erasure.keep(survey, kinds);
        erasure
    }

    fn count(&mut self, kind: DataKind, bytes: u64) {
        match self.removed.iter_mut().find(|removed| removed.kind == kind) {
            Some(removed) => {
                removed.files += 1;
                removed.bytes += bytes;
            }
            None => self.removed.push(Removed {
                kind,
                files: 1,
                bytes,
            }),
        }
    }

    /// Names what stays: locks, and what is not ours in the places of `kinds`.
    fn keep(&mut self, survey: &Survey, kinds: &BTreeSet<DataKind>) {
        let locks = survey.files.iter();
        let locks = locks.filter(|file| file.is_lock() && goes(file.kind, kinds));
        let unknown = survey.unknown.iter();
        // In the directory for data itself a stranger is in the place of the kinds that are single files there.
        let unknown =
            unknown.filter(|unknown| unknown.among.is_none_or(|kind| kinds.contains(&kind)));
        self.kept.extend(locks.map(|file| Kept {
            path: file.path.clone(),
            reason: KeptReason::Lock,
        }));
        self.kept.extend(unknown.map(|unknown| Kept {
            path: unknown.path.clone(),
            reason: KeptReason::Unknown,
        }));
    }
}

fn goes(kind: DataKind, kinds: &BTreeSet<DataKind>) -> bool {
    kind.is_erasable() && kinds.contains(&kind)
}

/// Removes every file of `kinds` that the table claims, each under the lock that its writers take.
///
/// Symbolic links are not followed, and what no row claims stays. Processes that run meanwhile go on with new files.
pub fn erase(places: &Places, kinds: &BTreeSet<DataKind>) -> Erasure {
    let mut erasure = Erasure::default();
    let mut changed = BTreeSet::new();
    let found = survey(places);
    let guards: BTreeSet<(DataKind, Option<PathBuf>)> = found
        .files
        .into_iter()
        .filter(|file| goes(file.kind, kinds) && !file.is_lock())
        .map(|file| (file.kind, file.guard))
        .collect();
    for (kind, guard) in guards {
        let _held = match guard.as_deref().map(FileLock::exclusive).transpose() {
            Ok(held) => held,
            Err(error) => {
                let path = guard.unwrap_or_default();
                erasure.failed.push(Unerased { path, error });
                continue;
            }
        };
        // What was there before the lock was taken may have changed.
        for file in survey(places).files {
            if file.kind != kind || file.guard != guard || file.is_lock() {
                continue;
            }
            match fs::remove_file(&file.path) {
                Ok(()) => {
                    erasure.count(kind, file.bytes);
                    changed.extend(file.path.parent().map(Path::to_path_buf));
                }
                Err(source) => erasure.failed.push(Unerased {
                    error: FileError::Write {
                        action: "remove",
                        path: file.path.clone(),
                        source,
                    },
                    path: file.path,
                }),
            }
        }
    }
    for directory in &changed {
        if let Err(error) = sync_dir(directory) {
            let path = directory.clone();
            erasure.failed.push(Unerased { path, error });
        }
    }
    remove_emptied(places, &changed);
    erasure.keep(&survey(places), kinds);
    erasure
}

/// Removes directories that held nothing but what went; those of a store stay with its lock.
fn remove_emptied(places: &Places, changed: &BTreeSet<PathBuf>) {
    let Some(data_dir) = &places.data_dir else {
        return;
    };
    let small = small_models(data_dir);
    if changed.contains(&small) {
        // One that is not empty holds something that is not ours, and stays.
        drop(fs::remove_dir(&small));
        drop(fs::remove_dir(data_dir.join(MODELS)));
    }
    for directory in changed {
        let name = directory.file_name().unwrap_or_default();
        if directory.parent() == Some(data_dir) && is_download(&name.to_string_lossy()) {
            drop(fs::remove_dir(directory));
        }
    }
}
