//! Audit events as JSON lines in a private file.

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{AuditEvent, AuditSink};
use crate::atomic::{FileError, private_dir, write_error};

/// Appends events to a file that several processes may share; the file before it is kept as `<name>.1`.
///
/// A line is written at once under the lock of the file, so lines of two processes never mix. Nothing is
/// synchronised: an audit line is not worth a disk access, a power failure may cost the last ones.
#[derive(Debug)]
pub struct JsonLinesAudit {
    path: PathBuf,
    max_bytes: u64,
    turn: Mutex<()>,
    lost: AtomicU64,
}

impl JsonLinesAudit {
    /// Prepares the directory; the file is rotated before it would pass `max_bytes`.
    ///
    /// Errors are those of [`private_dir`].
    pub fn open(path: impl Into<PathBuf>, max_bytes: u64) -> Result<Self, FileError> {
        let path = path.into();
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            private_dir(dir)?;
        }
        Ok(Self {
            path,
            max_bytes,
            turn: Mutex::new(()),
            lost: AtomicU64::new(0),
        })
    }

    /// Returns where the file before the current one is kept.
    pub fn rotated_path(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".1");
        name.into()
    }

    fn append(&self, event: &AuditEvent) -> Result<(), FileError> {
        let mut line = serde_json::to_vec(event)
            .map_err(|error| write_error("write", &self.path)(error.into()))?;
        line.push(b'\n');
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.with_room_for(line.len() as u64)?;
        (&file)
            .write_all(&line)
            .map_err(write_error("write", &self.path))
    }

    /// Opens and locks a file that `bytes` more fit into; a full one is rotated.
    ///
    /// The lock goes with the rotated file, and others may fill the next one meanwhile: look again.
    fn with_room_for(&self, bytes: u64) -> Result<File, FileError> {
        loop {
            let file = self.locked()?;
            let length = file
                .metadata()
                .map_err(write_error("look at", &self.path))?
                .len();
            if length == 0 || length + bytes <= self.max_bytes {
                return Ok(file);
            }
            fs::rename(&self.path, self.rotated_path())
                .map_err(write_error("rotate", &self.path))?;
        }
    }

    /// Opens the file and locks it; one that was rotated meanwhile is opened anew.
    fn locked(&self) -> Result<File, FileError> {
        loop {
            if fs::symlink_metadata(&self.path).is_ok_and(|found| !found.is_file()) {
                return Err(FileError::Place {
                    path: self.path.clone(),
                    what: "not a regular file",
                });
            }
            let mut options = OpenOptions::new();
            options.append(true).create(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options
                .open(&self.path)
                .map_err(write_error("open", &self.path))?;
            file.lock().map_err(write_error("lock", &self.path))?;
            if is_at(&file, &self.path) {
                return Ok(file);
            }
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    // An open file cannot be renamed there, so nobody rotates while we hold it.
    true
}

impl AuditSink for JsonLinesAudit {
    fn record(&self, event: &AuditEvent) {
        if self.append(event).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
