//! Turns between processes.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use super::{FileError, open_private_with, write_error};

/// A lock of the operating system on a file that is there only to be locked; held until it is dropped.
///
/// Each holder has a handle of its own, so holders in one process exclude each other too. A process that dies
/// gives its locks back.
#[derive(Debug)]
pub struct FileLock {
    /// Closing it gives the lock back.
    _file: File,
}

impl FileLock {
    /// Waits until nobody else holds the lock; makes the file where there is none.
    ///
    /// Errors are `FILE_WRITE_FAILED` and `FILE_PLACE_BLOCKED`.
    pub fn exclusive(path: &Path) -> Result<Self, FileError> {
        let file = open(path)?;
        file.lock().map_err(write_error("lock", path))?;
        Ok(Self { _file: file })
    }

    /// Takes the lock if nobody holds it; errors are those of [`exclusive`](Self::exclusive).
    pub fn try_exclusive(path: &Path) -> Result<Option<Self>, FileError> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(write_error("lock", path)(error)),
        }
    }

    /// Waits until nobody holds the lock exclusively; errors are those of [`exclusive`](Self::exclusive).
    pub fn shared(path: &Path) -> Result<Self, FileError> {
        let file = open(path)?;
        file.lock_shared().map_err(write_error("lock", path))?;
        Ok(Self { _file: file })
    }
}

fn open(path: &Path) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_private_with(&options, path)
}
