//! Turns between processes, and the number of the newest pack.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use crate::atomic::{FileError, FileLock, open_private_with, read_error, write_error};

/// The lock of a store.
#[derive(Debug)]
pub(super) struct StoreLock {
    path: PathBuf,
    /// Apart from the lock, because some systems let nobody read a locked file.
    newest: PathBuf,
}

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    _lock: FileLock,
    newest: PathBuf,
}

impl StoreLock {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            path: root.join("lock"),
            newest: root.join("newest"),
        }
    }

    fn held(&self, lock: FileLock) -> Held {
        Held {
            _lock: lock,
            newest: self.newest.clone(),
        }
    }

    /// Waits until nobody else holds the lock.
    pub(super) fn exclusive(&self) -> Result<Held, FileError> {
        FileLock::exclusive(&self.path).map(|lock| self.held(lock))
    }

    /// Takes the lock if nobody holds it.
    pub(super) fn try_exclusive(&self) -> Result<Option<Held>, FileError> {
        let lock = FileLock::try_exclusive(&self.path)?;
        Ok(lock.map(|lock| self.held(lock)))
    }

    /// Waits until nobody holds the lock exclusively.
    pub(super) fn shared(&self) -> Result<Held, FileError> {
        FileLock::shared(&self.path).map(|lock| self.held(lock))
    }

    /// Returns the number of the newest pack, as far as it is written here.
    ///
    /// It spares readers a look through the whole directory; after a crash it may be too low or missing,
    /// and opening the store puts it right.
    pub(super) fn newest(&self) -> Option<u64> {
        newest_in(&self.newest).ok().flatten()
    }
}

fn newest_in(path: &Path) -> Result<Option<u64>, FileError> {
    let mut text = String::new();
    let file = File::open(path).map_err(read_error(path))?;
    file.take(17)
        .read_to_string(&mut text)
        .map_err(read_error(path))?;
    Ok(text
        .strip_suffix('\n')
        .and_then(|digits| u64::from_str_radix(digits, 16).ok()))
}

impl Held {
    /// Notes the number of the newest pack.
    pub(super) fn set_newest(&self, number: u64) -> Result<(), FileError> {
        // Always as many bytes: whoever reads meanwhile gets the old number or the new one.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        open_private_with(&options, &self.newest)?
            .write_all(format!("{number:016x}\n").as_bytes())
            .map_err(write_error("write", &self.newest))
    }
}
