//! The file of a ledger: appending, compacting, setting aside.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use eyes_evidence::atomic::{
    FileError, FileLock, Staged, free_name, open_private, open_private_with, read_private,
    sync_dir, write_error,
};

use super::{
    LedgerBounds, SetAsideReason,
    line::{CANCEL, Form, Header, NewLine, Scan, VERSION},
};
use crate::{
    event::UsageEvent,
    limits::{MAX_LEDGER_BYTES, MAX_LEDGER_HEADER_BYTES, MAX_SET_ASIDE},
    state::Checkpoint,
};

/// How the name of the lock ends.
pub(super) const LOCK: &str = ".lock";
/// How the name of a file ends that compaction writes.
pub(super) const NEXT: &str = ".next";

/// Returns the path with something after its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

fn read_failed(path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Read {
        path: path.to_owned(),
        source,
    }
}

/// The file that grows, as one process uses it.
#[derive(Debug)]
pub(super) struct LedgerFile {
    path: PathBuf,
    compact_bytes: u64,
    /// Length from which compaction is tried again after it failed.
    retry_at: u64,
}

/// What came of an append that wrote its events.
#[derive(Debug, Default)]
pub(super) struct Appended {
    /// Files that were set aside.
    pub(super) set_aside: Vec<PathBuf>,
    /// Why the events are written and yet may not survive a power failure.
    pub(super) unsynced: Option<FileError>,
    /// Why the file could not be compacted; the events are safe.
    pub(super) uncompacted: Option<FileError>,
}

/// The file, open at its end.
struct Open {
    file: File,
    header: Header,
    length: u64,
    /// Whether a dying process left a line unfinished.
    torn: bool,
}

impl LedgerFile {
    pub(super) const fn new(path: PathBuf, bounds: LedgerBounds) -> Self {
        Self {
            path,
            compact_bytes: bounds.compact_bytes,
            retry_at: 0,
        }
    }

    /// Writes events, all of them or none, and the number of those that were lost before.
    pub(super) fn append(
        &mut self,
        events: &[UsageEvent],
        lost: u64,
    ) -> Result<Appended, FileError> {
        let lost = (lost > 0).then_some(NewLine::Lost(lost));
        let text = self.written(events.iter().map(NewLine::Event).chain(lost))?;
        let mut appended = Appended::default();
        let lock = FileLock::exclusive(&beside(&self.path, LOCK))?;
        let open = self.open(&mut appended.set_aside)?;
        let length = self.write(&open, &text)?;
        let grown = length.saturating_sub(open.header.compacted_bytes);
        if grown > self.compact_bytes.max(open.header.compacted_bytes) && length >= self.retry_at {
            match self.compact(&mut appended.set_aside) {
                // What was compacted is synchronised.
                Ok(()) => return Ok(appended),
                Err(error) => {
                    self.retry_at = length.saturating_add(self.compact_bytes);
                    appended.uncompacted = Some(error);
                }
            }
        }
        // Others may go on: if one of them compacts the file meanwhile, it synchronises these lines too.
        drop(lock);
        appended.unsynced = open
            .file
            .sync_data()
            .map_err(write_error("synchronise", &self.path))
            .err();
        Ok(appended)
    }

    fn written<'a>(&self, lines: impl Iterator<Item = NewLine<'a>>) -> Result<Vec<u8>, FileError> {
        let mut text = Vec::new();
        for line in lines {
            let written = line.write_to(&mut text);
            written.map_err(|error| write_error("write", &self.path)(error.into()))?;
        }
        Ok(text)
    }

    /// Opens the ledger; what stands in its place and is none is set aside first.
    fn open(&self, set_aside: &mut Vec<PathBuf>) -> Result<Open, FileError> {
        let header = match found(&self.path)? {
            Some(Form::Ours(header)) => header,
            None => self.begin()?,
            Some(Form::Newer(_)) => {
                set_aside.push(self.set_aside(SetAsideReason::Newer)?);
                self.begin()?
            }
            Some(Form::Other) => {
                set_aside.push(self.set_aside(SetAsideReason::Unreadable)?);
                self.begin()?
            }
        };
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let mut file = open_private_with(&options, &self.path)?;
        let length = file.metadata().map_err(read_failed(&self.path))?.len();
        let mut last = [0];
        file.seek(SeekFrom::End(-1))
            .and_then(|_| file.read_exact(&mut last))
            .map_err(read_failed(&self.path))?;
        Ok(Open {
            file,
            header,
            length,
            torn: last != *b"\n",
        })
    }

    /// Makes an empty ledger.
    fn begin(&self) -> Result<Header, FileError> {
        let header = Header {
            usage_ledger: VERSION,
            compacted_bytes: 0,
        };
        self.replace(header, &[])?;
        Ok(header)
    }

    fn replace(&self, header: Header, lines: &[u8]) -> Result<(), FileError> {
        let header = serde_json::to_vec(&header)
            .map_err(|error| write_error("write", &self.path)(error.into()))?;
        let parts = [header.as_slice(), b"\n", lines];
        Staged::write_to(&beside(&self.path, NEXT), parts)?.commit(&self.path)
    }

    /// Moves the file to a name that tells why, and returns it.
    fn set_aside(&self, reason: SetAsideReason) -> Result<PathBuf, FileError> {
        let place = self.free_place(reason)?;
        fs::rename(&self.path, &place).map_err(write_error("set aside", &place))?;
        self.path.parent().map_or(Ok(()), sync_dir)?;
        Ok(place)
    }

    fn free_place(&self, reason: SetAsideReason) -> Result<PathBuf, FileError> {
        free_name(&beside(&self.path, reason.suffix()), MAX_SET_ASIDE)
    }

    /// Writes at the end and returns the new length; when that fails the file is as long as before.
    fn write(&self, open: &Open, text: &[u8]) -> Result<u64, FileError> {
        let cancel: &[u8] = if open.torn { &[CANCEL, b'\n'] } else { &[] };
        let text = [cancel, text].concat();
        (&open.file).write_all(&text).map_err(|error| {
            // Under the lock nobody else wrote meanwhile. Where even this fails a torn line stays, and the
            // next append cancels it.
            drop(open.file.set_len(open.length));
            write_error("write", &self.path)(error)
        })?;
        Ok(open.length + text.len() as u64)
    }

    /// Puts what all lines add up to in their place.
    fn compact(&self, set_aside: &mut Vec<PathBuf>) -> Result<(), FileError> {
        let content = read_private(&self.path, MAX_LEDGER_BYTES)?;
        let scan = Scan::of(after_first_line(&content));
        if scan.damaged_here > 0 {
            let place = self.free_place(SetAsideReason::Damaged)?;
            let parts = [content.as_slice()];
            Staged::write_to(&beside(&self.path, NEXT), parts)?.commit(&place)?;
            set_aside.push(place);
        }
        drop(content);
        let checkpoint = Checkpoint::from(&scan.state);
        let lines = self.written([NewLine::Checkpoint(&checkpoint)].into_iter())?;
        let header = Header {
            usage_ledger: VERSION,
            compacted_bytes: lines.len() as u64,
        };
        self.replace(header, &lines)
    }
}

/// Looks at the first line of a file; nothing where there is no file, or an empty one.
fn found(path: &Path) -> Result<Option<Form>, FileError> {
    let file = match open_private(path) {
        Err(error) if error.is_missing() => return Ok(None),
        opened => opened?,
    };
    let length = file.metadata().map_err(read_failed(path))?.len();
    let mut start = Vec::new();
    file.take(MAX_LEDGER_HEADER_BYTES)
        .read_to_end(&mut start)
        .map_err(read_failed(path))?;
    Ok(match start.iter().position(|&byte| byte == b'\n') {
        _ if length == 0 => None,
        Some(end) if length <= MAX_LEDGER_BYTES => Some(Form::of(&start[..end])),
        _ => Some(Form::Other),
    })
}

/// Returns what stands after the first line break.
pub(super) fn after_first_line(content: &[u8]) -> &[u8] {
    let end = content.iter().position(|&byte| byte == b'\n');
    end.map_or(&[], |end| &content[end + 1..])
}
