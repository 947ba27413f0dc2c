//! The files of a log.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::entry::{FRAME_BYTES, Link};
use crate::{
    atomic::{FileError, FileLock, open_private, open_private_with, read_error},
    digest::Sha256Digest,
    limits::{MAX_LOG_FILES, MAX_LOG_LINE_BYTES},
};

/// Bytes at the end of a file that are looked at first; most lines are far shorter.
const SHORT_TAIL: u64 = 4 << 10;
/// Bytes at the end of a file that hold its last whole line and a torn one.
const LONG_TAIL: u64 = 2 * (MAX_LOG_LINE_BYTES + FRAME_BYTES) as u64 + 2;

/// Where the parts of a log lie.
#[derive(Debug)]
pub(super) struct LogFiles(PathBuf);

impl LogFiles {
    pub(super) const fn new(newest: PathBuf) -> Self {
        Self(newest)
    }

    pub(super) fn newest(&self) -> &Path {
        &self.0
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.0.clone().into_os_string();
        name.push(suffix);
        name.into()
    }

    pub(super) fn head(&self) -> PathBuf {
        self.beside(".head")
    }

    pub(super) fn older_path(&self, number: usize) -> PathBuf {
        self.beside(&format!(".{number}"))
    }

    /// Returns the rotated files that exist with their numbers, the oldest first.
    pub(super) fn older(&self) -> Vec<(usize, PathBuf)> {
        (1..=MAX_LOG_FILES)
            .rev()
            .map(|number| (number, self.older_path(number)))
            .filter(|(_, path)| fs::symlink_metadata(path).is_ok())
            .collect()
    }

    /// Returns the files that exist, the oldest first.
    pub(super) fn existing(&self) -> Vec<PathBuf> {
        let older = self.older().into_iter().map(|(_, path)| path);
        let newest = fs::symlink_metadata(&self.0)
            .is_ok()
            .then(|| self.0.clone());
        older.chain(newest).collect()
    }

    /// Waits for the lock that appending, rotating and reading share; it is given back when dropped.
    pub(super) fn lock(&self) -> Result<FileLock, FileError> {
        FileLock::exclusive(&self.beside(".lock"))
    }

    pub(super) fn open_newest(&self) -> Result<File, FileError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        open_private_with(&options, &self.0)
    }

    /// Looks at the end of the newest file, or of the one before where a process died between rotating
    /// and writing.
    pub(super) fn end(&self, newest: &File) -> Result<End, FileError> {
        let end = end_of(newest, &self.0)?;
        let before = self.older_path(1);
        if end.length > 0 || fs::symlink_metadata(&before).is_err() {
            return Ok(end);
        }
        let before = end_of(&open_private(&before)?, &before)?;
        Ok(End {
            length: 0,
            open_line: false,
            ..before
        })
    }
}

/// The end of one file.
#[derive(Debug)]
pub(super) struct End {
    pub(super) length: u64,
    /// The last whole line, if it is one of a log.
    pub(super) last: Option<Link>,
    /// The file does not end with a line break.
    pub(super) open_line: bool,
    /// SHA-256 of what stands behind the last line break.
    pub(super) torn: Option<Sha256Digest>,
}

fn end_of(file: &File, path: &Path) -> Result<End, FileError> {
    let length = file.metadata().map_err(read_error(path))?.len();
    let mut end = tail(file, path, length, SHORT_TAIL)?;
    if end.last.is_none() && length > SHORT_TAIL {
        end = tail(file, path, length, LONG_TAIL)?;
    }
    Ok(end)
}

fn tail(mut file: &File, path: &Path, length: u64, bytes: u64) -> Result<End, FileError> {
    let bytes = bytes.min(length);
    let mut text = Vec::with_capacity(bytes as usize);
    file.seek(SeekFrom::Start(length - bytes))
        .and_then(|_| file.take(bytes).read_to_end(&mut text))
        .map_err(read_error(path))?;
    // Without a line break before it, the first piece may be the end of a longer line.
    let whole = bytes == length;
    let mut lines = text.split(|&byte| byte == b'\n').rev();
    let after = lines.next().unwrap_or_default();
    let is_whole = whole || after.len() < text.len();
    let mut pieces: Vec<&[u8]> = lines.collect();
    if !whole {
        pieces.pop();
    }
    Ok(End {
        length,
        last: pieces.into_iter().find_map(Link::of),
        open_line: !after.is_empty(),
        torn: (!after.is_empty() && is_whole).then(|| Sha256Digest::of(after)),
    })
}
