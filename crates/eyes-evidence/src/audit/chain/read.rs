//! Reading lines within bounds.

use std::{
    collections::VecDeque,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;

use super::entry::{FRAME_BYTES, LogEntry, Placed};
use crate::{
    atomic::{FileError, open_private, read_error},
    digest::Sha256Digest,
    limits::MAX_LOG_LINE_BYTES,
};

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a line break.
    Break,
    /// With the file.
    Open,
}

/// The lines of one file; of a line that is too long only the beginning is returned.
pub(super) struct Lines<'a> {
    reader: BufReader<File>,
    path: &'a Path,
}

impl<'a> Lines<'a> {
    pub(super) fn of(path: &'a Path) -> Result<Self, FileError> {
        let reader = BufReader::new(open_private(path)?);
        Ok(Self { reader, path })
    }

    /// Reads the next line into `line`, without its break; nothing at the end of the file.
    pub(super) fn next_into(&mut self, line: &mut Vec<u8>) -> Result<Option<Ending>, FileError> {
        const MAX: u64 = (MAX_LOG_LINE_BYTES + FRAME_BYTES) as u64;
        line.clear();
        let read = (&mut self.reader)
            .take(MAX)
            .read_until(b'\n', line)
            .map_err(read_error(self.path))?;
        if read == 0 {
            return Ok(None);
        }
        if line.pop_if(|last| *last == b'\n').is_some() {
            return Ok(Some(Ending::Break));
        }
        if read as u64 == MAX {
            self.skip_line()?;
            return Ok(Some(Ending::Break));
        }
        Ok(Some(Ending::Open))
    }

    fn skip_line(&mut self) -> Result<(), FileError> {
        loop {
            let buffer = self.reader.fill_buf().map_err(read_error(self.path))?;
            let (used, done) = match memchr::memchr(b'\n', buffer) {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.reader.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

/// Returns the number of the first line.
pub(super) fn first_number(files: &[PathBuf]) -> Result<Option<u64>, FileError> {
    let mut line = Vec::new();
    for path in files {
        let mut lines = Lines::of(path)?;
        while lines.next_into(&mut line)?.is_some() {
            if let Ok(entry) = serde_json::from_slice::<Placed>(&line) {
                return Ok(Some(entry.number));
            }
        }
    }
    Ok(None)
}

/// Returns the newest `count` entries, the oldest of them first.
pub(super) fn newest<T: DeserializeOwned>(
    files: &[PathBuf],
    count: usize,
) -> Result<Vec<LogEntry<T>>, FileError> {
    let mut all = VecDeque::new();
    for path in files.iter().rev() {
        let wanted = count - all.len();
        if wanted == 0 {
            break;
        }
        for entry in newest_of(path, wanted)?.into_iter().rev() {
            all.push_front(entry);
        }
    }
    Ok(all.into())
}

fn newest_of<T: DeserializeOwned>(
    path: &Path,
    count: usize,
) -> Result<VecDeque<LogEntry<T>>, FileError> {
    let mut kept: VecDeque<LogEntry<T>> = VecDeque::new();
    let (mut line, mut before) = (Vec::new(), Vec::new());
    let mut was_entry = false;
    let mut lines = Lines::of(path)?;
    while lines.next_into(&mut line)?.is_some() {
        let entry = serde_json::from_slice::<LogEntry<T>>(&line).ok();
        if let Some(torn) = entry.as_ref().and_then(|entry| entry.torn)
            && was_entry
            && torn == Sha256Digest::of(&before)
        {
            // Whole but for its line break: its writer never knew it as written.
            kept.pop_back();
        }
        was_entry = entry.is_some();
        if let Some(entry) = entry {
            kept.push_back(entry);
            if kept.len() > count {
                kept.pop_front();
            }
        }
        std::mem::swap(&mut line, &mut before);
    }
    Ok(kept)
}
