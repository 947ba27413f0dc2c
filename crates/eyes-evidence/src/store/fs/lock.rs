//! Turns between processes, and the number of the newest pack.

use std::{
    fs::{File, OpenOptions, TryLockError, symlink_metadata},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use crate::atomic::{FileError, read_error, write_error};

/// A file that is locked, by the operating system, through a handle of its own for each holder.
///
/// A process that dies gives its locks back, and holders in one process exclude each other too.
#[derive(Debug)]
pub(super) struct StoreLock {
    path: PathBuf,
    /// Apart from the lock, because some systems let nobody read a locked file.
    newest: PathBuf,
}

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    file: File,
    newest: PathBuf,
}

impl StoreLock {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            path: root.join("lock"),
            newest: root.join("newest"),
        }
    }

    fn handle(&self) -> Result<Held, FileError> {
        Ok(Held {
            file: open_for_writing(&self.path)?,
            newest: self.newest.clone(),
        })
    }

    /// Waits until nobody else holds the lock.
    pub(super) fn exclusive(&self) -> Result<Held, FileError> {
        let held = self.handle()?;
        held.file.lock().map_err(write_error("lock", &self.path))?;
        Ok(held)
    }

    /// Takes the lock if nobody holds it.
    pub(super) fn try_exclusive(&self) -> Result<Option<Held>, FileError> {
        let held = self.handle()?;
        match held.file.try_lock() {
            Ok(()) => Ok(Some(held)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(write_error("lock", &self.path)(error)),
        }
    }

    /// Waits until nobody holds the lock exclusively.
    pub(super) fn shared(&self) -> Result<Held, FileError> {
        let held = self.handle()?;
        held.file
            .lock_shared()
            .map_err(write_error("lock", &self.path))?;
        Ok(held)
    }

    /// Returns the number of the newest pack, as far as it is written here.
    ///
    /// It spares readers a look through the whole directory; after a crash it may be too low or missing,
    /// and opening the store puts it right.
    pub(super) fn newest(&self) -> Option<u64> {
        newest_in(&self.newest).ok().flatten()
    }
}

/// Opens or makes a private file without changing what is in it.
fn open_for_writing(path: &Path) -> Result<File, FileError> {
    if symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(FileError::Place {
            path: path.to_owned(),
            what: "not a regular file",
        });
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(write_error("open", path))
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
        open_for_writing(&self.newest)?
            .write_all(format!("{number:016x}\n").as_bytes())
            .map_err(write_error("write", &self.newest))
    }
}
