//! A log of JSON lines in which each line states the digest of the one before.
//!
//! Whoever removes, edits or reorders a line breaks the chain at that place, and [`ChainedLog::verify`] says
//! where. There is no secret in it: someone who computes every later line anew, and the file of the chain's
//! head, leaves no trace. The log is bounded, so its oldest lines go; how many is stated by the number of the
//! first one that is left.

mod entry;
mod files;
mod head;
mod read;
mod report;

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

pub use entry::LogEntry;
use entry::{Line, Link};
use files::LogFiles;
use head::Head;
pub use report::{LogProblem, LogReason, LogReport, TornLine};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    atomic::{FileError, private_dir, write_error},
    limits::{
        DEFAULT_LOG_FILE_BYTES, DEFAULT_LOG_FILES, MAX_LOG_FILES, MAX_LOG_LINE_BYTES,
        MIN_LOG_FILE_BYTES,
    },
};

/// How much a log keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogBounds {
    /// Bytes of one file, unless a single batch is longer; at least [`MIN_LOG_FILE_BYTES`].
    pub file_bytes: u64,
    /// Files that are kept, the one that grows among them; 2 to [`MAX_LOG_FILES`].
    pub files: usize,
}

impl Default for LogBounds {
    fn default() -> Self {
        Self {
            file_bytes: DEFAULT_LOG_FILE_BYTES,
            files: DEFAULT_LOG_FILES,
        }
    }
}

/// An append-only log that several processes may share.
///
/// The newest lines stand in the named file, older ones in `<name>.1`, `<name>.2` and so on. A batch is
/// written at once under the lock `<name>.lock`, so lines of two processes never mix; `<name>.head` states
/// where the chain ends. Nothing is synchronised: a power failure may cost the last lines, and verifying
/// then says so.
#[derive(Debug)]
pub struct ChainedLog {
    files: LogFiles,
    bounds: LogBounds,
    /// Threads of one process wait here, where it costs least.
    turn: Mutex<()>,
}

impl ChainedLog {
    /// Prepares the private directory; bounds outside their range are moved to its nearer end.
    ///
    /// Errors are those of [`private_dir`].
    pub fn open(path: impl Into<PathBuf>, bounds: LogBounds) -> Result<Self, FileError> {
        let path = path.into();
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            private_dir(dir)?;
        }
        Ok(Self {
            files: LogFiles::new(path),
            bounds: LogBounds {
                file_bytes: bounds.file_bytes.max(MIN_LOG_FILE_BYTES),
                files: bounds.files.clamp(2, MAX_LOG_FILES),
            },
            turn: Mutex::new(()),
        })
    }

    /// Returns the path of the file that grows.
    pub fn path(&self) -> &Path {
        self.files.newest()
    }

    /// Returns the files that exist, the oldest first.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.existing()
    }

    /// Appends events, all of them or none.
    ///
    /// An event of more than [`MAX_LOG_LINE_BYTES`] as JSON is `FILE_SIZE_LIMIT`; other errors are
    /// `FILE_WRITE_FAILED` and `FILE_PLACE_BLOCKED`.
    pub fn append<T: Serialize>(&self, events: &[T]) -> Result<(), FileError> {
        let events = self.written(events)?;
        if events.is_empty() {
            return Ok(());
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.files.lock()?;
        let mut head = Head::read(&self.files.head());
        let mut file = self.files.open_newest()?;
        let mut end = self.files.end(&file)?;
        let last = latest(head.map(|head| head.last), end.last);
        if end.length > 0 && end.length + batch_bytes(&events) > self.bounds.file_bytes {
            drop(file);
            head = self.rotate(head)?;
            file = self.files.open_newest()?;
            (end.length, end.open_line) = (0, false);
        }
        let mut text = Vec::new();
        if end.open_line {
            text.push(b'\n');
        }
        let mut link = last;
        for event in &events {
            link = Line::next(link, end.torn.take(), event).write_to(&mut text);
        }
        self.write(&file, end.length, &text)?;
        let first = head.map_or(last.number + 1, |head| head.first);
        Head { last: link, first }
            .write(&self.files.head())
            .inspect_err(|_| drop(file.set_len(end.length)))
    }

    /// Reads the newest `count` events, the oldest of them first.
    ///
    /// Lines that cannot be read as an event are left out; [`verify`](Self::verify) names them.
    pub fn newest<T: DeserializeOwned>(&self, count: usize) -> Result<Vec<LogEntry<T>>, FileError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.files.lock()?;
        read::newest(&self.files.existing(), count)
    }

    /// Follows the chain through all files.
    pub fn verify(&self) -> Result<LogReport, FileError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.files.lock()?;
        let head = Head::read(&self.files.head());
        report::verify(&self.files.existing(), head.as_ref())
    }

    fn written<T: Serialize>(&self, events: &[T]) -> Result<Vec<Vec<u8>>, FileError> {
        let write = |event| {
            let text = serde_json::to_vec(event)
                .map_err(|error| write_error("write", self.path())(error.into()))?;
            if text.len() > MAX_LOG_LINE_BYTES {
                return Err(FileError::Size {
                    path: self.path().to_owned(),
                    bytes: text.len() as u64,
                    limit: MAX_LOG_LINE_BYTES as u64,
                });
            }
            Ok(text)
        };
        events.iter().map(write).collect()
    }

    /// Writes at the end; when that fails the file is as long as before.
    fn write(&self, mut file: &File, length: u64, text: &[u8]) -> Result<(), FileError> {
        file.write_all(text).map_err(|error| {
            // Under the lock nobody else wrote meanwhile. Where even this fails a torn line stays, and
            // the next append sets it apart.
            drop(file.set_len(length));
            write_error("write", self.path())(error)
        })
    }

    /// Moves each file one place up; the oldest goes.
    fn rotate(&self, head: Option<Head>) -> Result<Option<Head>, FileError> {
        let kept = self.bounds.files - 1;
        let head = match (head, self.first_after_rotation(kept)?) {
            (Some(head), Some(first)) => {
                // Before the lines go: whoever looks in between finds more lines than it says, never fewer.
                let head = Head { first, ..head };
                head.write(&self.files.head())?;
                Some(head)
            }
            (head, _) => head,
        };
        for (number, path) in self.files.older() {
            if number >= kept {
                fs::remove_file(&path).map_err(write_error("remove", &path))?;
            } else {
                let next = self.files.older_path(number + 1);
                fs::rename(&path, next).map_err(write_error("rotate", &path))?;
            }
        }
        let newest = self.files.newest();
        fs::rename(newest, self.files.older_path(1)).map_err(write_error("rotate", newest))?;
        Ok(head)
    }

    /// Returns the number of the first line that is left after the next rotation, if any goes.
    fn first_after_rotation(&self, kept: usize) -> Result<Option<u64>, FileError> {
        let all = self.files.existing();
        if all.len() <= kept {
            return Ok(None);
        }
        let mut left = all.into_iter().rev().take(kept).collect::<Vec<_>>();
        left.reverse();
        read::first_number(&left)
    }
}

/// The end of the chain: what the head states, unless a process died before it wrote the head.
fn latest(head: Option<Link>, file: Option<Link>) -> Link {
    match (head, file) {
        (Some(head), Some(file)) if file.number > head.number => file,
        (Some(head), _) => head,
        (None, Some(file)) => file,
        (None, None) => Link::START,
    }
}

/// Bytes that a batch takes at most.
fn batch_bytes(events: &[Vec<u8>]) -> u64 {
    let bytes: usize = events
        .iter()
        .map(|event| event.len() + entry::FRAME_BYTES)
        .sum();
    bytes as u64
}

#[cfg(test)]
mod tests;
