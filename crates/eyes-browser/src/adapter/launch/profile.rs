//! Folders of ours, and profiles of others.
//!
//! A folder of ours holds a file that this process has locked. The lock ends with the process, however it ends; a
//! folder whose lock can be had belongs to nobody and is swept away.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use eyes_evidence::atomic::{FileLock, private_dir};

use crate::driver::DriverErrorKind;

/// What the names of our folders begin with.
const PREFIX: &str = "eyes-browser-";
/// The locked file in them.
const OWNER: &str = "eyes-owner";
/// How often a folder is removed anew while a process that was just killed still writes to it.
const REMOVALS: u32 = 50;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A folder of ours; removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Nothing once it was removed.
    lock: Option<FileLock>,
}

impl Folder {
    /// Makes a fresh private folder below `base`.
    pub(crate) fn make(base: &Path) -> Result<Self, DriverErrorKind> {
        private_dir(base).map_err(|error| DriverErrorKind::Launch(error.to_string()))?;
        for _ in 0..100 {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{PREFIX}{}-{count}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(cannot_make(&path, &error)),
            }
            private_dir(&path).map_err(|error| DriverErrorKind::Launch(error.to_string()))?;
            // A sweep may be between us and the lock; then it takes the folder, and we take another one.
            if let Ok(Some(lock)) = FileLock::try_exclusive(&path.join(OWNER))
                && path.join(OWNER).exists()
            {
                return Ok(Self {
                    path,
                    lock: Some(lock),
                });
            }
        }
        Err(DriverErrorKind::Launch(format!(
            "no folder could be made in {}",
            base.display()
        )))
    }

    /// Returns where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it; whatever wrote to it may have ended just now.
    pub(crate) async fn remove(mut self) {
        for _ in 0..REMOVALS {
            let path = self.path.clone();
            let removed = tokio::task::spawn_blocking(move || remove_folder(&path)).await;
            if matches!(removed, Ok(true)) {
                self.lock = None;
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            remove_folder(&self.path);
        }
    }
}

fn cannot_make(path: &Path, error: &io::Error) -> DriverErrorKind {
    DriverErrorKind::Launch(format!("{} cannot be made: {error}", path.display()))
}

/// Removes a folder with the locked file last, so that what is left of it is found by the next sweep.
fn remove_folder(path: &Path) -> bool {
    let Ok(entries) = fs::read_dir(path) else {
        return !path.exists();
    };
    for entry in entries.flatten().filter(|entry| entry.file_name() != OWNER) {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let removed = if is_dir {
            fs::remove_dir_all(entry.path())
        } else {
            fs::remove_file(entry.path())
        };
        if removed.is_err() {
            return false;
        }
    }
    let owner = path.join(OWNER);
    drop(fs::remove_file(&owner));
    if fs::remove_dir(path).is_ok() || !path.exists() {
        return true;
    }
    // Somebody wrote to it meanwhile: with the file in it again the next sweep finds it.
    drop(FileLock::try_exclusive(&owner));
    false
}

/// Removes the folders below `base` that a process of ours made which is no more, and nothing else; returns how many.
pub fn sweep(base: &Path) -> usize {
    let Ok(entries) = fs::read_dir(base) else {
        return 0;
    };
    entries
        .flatten()
        .filter(|entry| {
            entry.file_name().to_string_lossy().starts_with(PREFIX)
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
                && is_abandoned(&entry.path())
        })
        .filter(|entry| remove_folder(&entry.path()))
        .count()
}

fn is_abandoned(folder: &Path) -> bool {
    let owner = folder.join(OWNER);
    // Its maker ended before it was locked, or its remover before it was gone: only an empty one is taken.
    if !owner.exists() {
        return fs::remove_dir(folder).is_ok();
    }
    owner.is_file() && matches!(FileLock::try_exclusive(&owner), Ok(Some(_)))
}

/// Holds a named profile against other browsers of ours, and refuses one that a browser holds.
pub(crate) fn hold(profile: &Path) -> Result<FileLock, DriverErrorKind> {
    let held = || DriverErrorKind::ProfileHeld(profile.display().to_string());
    private_dir(profile).map_err(|error| DriverErrorKind::Launch(error.to_string()))?;
    let lock = FileLock::try_exclusive(&profile.join(OWNER))
        .map_err(|error| DriverErrorKind::Launch(error.to_string()))?
        .ok_or_else(held)?;
    if is_held_by_browser(profile) {
        return Err(held());
    }
    Ok(lock)
}

/// Chromium's own mark on Unix: a link named `SingletonLock` to `HOST-PROCESS`.
#[cfg(unix)]
fn is_held_by_browser(profile: &Path) -> bool {
    let Ok(target) = fs::read_link(profile.join("SingletonLock")) else {
        return false;
    };
    let target = target.to_string_lossy().into_owned();
    let Some((_, process)) = target.rsplit_once('-') else {
        return true;
    };
    // Where processes cannot be looked up the browser itself says that the profile is in use, by ending at once.
    Path::new("/proc").join(process).exists()
}

/// Chromium's own mark on Windows: a file that nobody else can open while it runs.
#[cfg(not(unix))]
fn is_held_by_browser(profile: &Path) -> bool {
    let mark = profile.join("lockfile");
    mark.exists() && fs::File::open(mark).is_err()
}
