//! Reading a ledger, and removing it; nothing here needs a writer.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use eyes_evidence::atomic::{FileError, FileLock, read_private, sync_dir, write_error};

use super::{
    Ledger, LedgerError,
    file::{LOCK, NEXT, after_first_line, beside},
    line::{Form, Scan},
};
use crate::{
    limits::{MAX_LEDGER_BYTES, MAX_READ_TRIES},
    state::UsageState,
};

/// What a ledger tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerReading {
    /// What its events add up to, and what was passed over.
    pub state: UsageState,
    /// Files beside it that were set aside.
    pub set_aside: Vec<PathBuf>,
}

/// Where a ledger stands, to see cheaply whether it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerMark {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// Why a file was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetAsideReason {
    /// It is no ledger.
    Unreadable,
    /// It is one of a newer version.
    Newer,
    /// Some of its lines are none; it is a copy, and the others went on in the ledger.
    Damaged,
}

impl SetAsideReason {
    const ALL: [Self; 3] = [Self::Unreadable, Self::Newer, Self::Damaged];

    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Unreadable => ".unreadable",
            Self::Newer => ".newer",
            Self::Damaged => ".damaged",
        }
    }
}

/// What a file of a ledger is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LedgerPartKind {
    /// The ledger itself.
    Ledger,
    /// The empty file that writers lock.
    Lock,
    /// What compaction was writing when its process died.
    Unfinished,
    /// A file that was set aside.
    SetAside(SetAsideReason),
}

/// A file of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerPart {
    /// Where.
    pub path: PathBuf,
    /// What it is.
    pub kind: LedgerPartKind,
    /// Its length.
    pub bytes: u64,
}

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erased {
    /// Files that are gone.
    pub removed: Vec<PathBuf>,
    /// Files that were set aside and are still there.
    pub kept: Vec<PathBuf>,
}

impl Ledger {
    /// Reads a ledger without writing anything; where there is none, it is empty.
    ///
    /// [`LedgerError::Invalid`] (`USAGE_LEDGER_INVALID`) where the file is something else,
    /// [`LedgerError::Newer`] (`USAGE_LEDGER_UNSUPPORTED`) where it is newer; other errors are those of
    /// [`read_private`].
    pub fn read(path: &Path) -> Result<LedgerReading, LedgerError> {
        let content = match content(path) {
            Ok(content) => content,
            Err(FileError::Size { .. }) => return Err(invalid(path)),
            Err(error) => return Err(error.into()),
        };
        let scan = match content.iter().position(|&byte| byte == b'\n') {
            _ if content.is_empty() => Scan::default(),
            Some(end) => match Form::of(&content[..end]) {
                Form::Ours(_) => Scan::of(after_first_line(&content)),
                Form::Newer(version) => {
                    let path = path.to_owned();
                    return Err(LedgerError::Newer { path, version });
                }
                Form::Other => return Err(invalid(path)),
            },
            None => return Err(invalid(path)),
        };
        let parts = Self::parts(path)?.into_iter();
        Ok(LedgerReading {
            state: scan.state,
            set_aside: parts
                .filter(|part| matches!(part.kind, LedgerPartKind::SetAside(_)))
                .map(|part| part.path)
                .collect(),
        })
    }

    /// Tells where a ledger stands; two marks that differ mean that it changed in between.
    pub fn mark(path: &Path) -> Option<LedgerMark> {
        let found = fs::metadata(path).ok()?;
        Some(LedgerMark {
            bytes: found.len(),
            modified: found.modified().ok(),
        })
    }

    /// Lists the files of a ledger in the order of their names.
    pub fn parts(path: &Path) -> Result<Vec<LedgerPart>, LedgerError> {
        let dir = match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        let Some(name) = path.file_name() else {
            return Ok(Vec::new());
        };
        let read_failed = |source| FileError::Read {
            path: dir.to_owned(),
            source,
        };
        let entries = match fs::read_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(read_failed)?,
        };
        let mut parts = Vec::new();
        for entry in entries {
            let entry = entry.map_err(read_failed)?;
            let found = entry.file_name();
            let (found, name) = (found.to_string_lossy(), name.to_string_lossy());
            let kind = found.strip_prefix(&*name).and_then(kind_of);
            // One that was removed meanwhile is no part any more.
            if let (Some(kind), Ok(metadata)) = (kind, entry.metadata()) {
                parts.push(LedgerPart {
                    path: path.with_file_name(entry.file_name()),
                    kind,
                    bytes: metadata.len(),
                });
            }
        }
        parts.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(parts)
    }

    /// Removes the ledger, so that all figures start anew; files that were set aside stay.
    ///
    /// Other processes may go on writing; what they record from then on is in a new file.
    pub fn reset(path: &Path) -> Result<Erased, LedgerError> {
        remove(path, |kind| !matches!(kind, LedgerPartKind::SetAside(_)))
    }

    /// Removes the ledger and everything that was set aside; the empty lock stays, because others may hold it.
    pub fn erase(path: &Path) -> Result<Erased, LedgerError> {
        remove(path, |_| true)
    }
}

fn invalid(path: &Path) -> LedgerError {
    LedgerError::Invalid {
        path: path.to_owned(),
    }
}

/// Reads the whole file; nothing where there is none.
fn content(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut tries = MAX_READ_TRIES;
    loop {
        tries -= 1;
        match read_private(path, MAX_LEDGER_BYTES) {
            Err(error) if error.is_missing() => {
                // A file that is replaced just then looks like none.
                let is_there = fs::symlink_metadata(path).is_ok();
                match (is_there, tries) {
                    (false, _) => return Ok(Vec::new()),
                    (true, 0) => return Err(error),
                    (true, _) => {}
                }
            }
            read => return read,
        }
    }
}

/// Judges what stands after the ledger's name.
fn kind_of(suffix: &str) -> Option<LedgerPartKind> {
    match suffix {
        "" => return Some(LedgerPartKind::Ledger),
        LOCK => return Some(LedgerPartKind::Lock),
        NEXT => return Some(LedgerPartKind::Unfinished),
        _ => {}
    }
    let mut reasons = SetAsideReason::ALL.into_iter();
    let reason = reasons.find(|reason| {
        let number = suffix.strip_prefix(reason.suffix());
        number.is_some_and(|number| match number.strip_prefix('.') {
            Some(digits) => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
            None => number.is_empty(),
        })
    });
    reason.map(LedgerPartKind::SetAside)
}

fn remove(path: &Path, goes: impl Fn(LedgerPartKind) -> bool) -> Result<Erased, LedgerError> {
    let mut erased = Erased::default();
    if Ledger::parts(path)?.is_empty() {
        return Ok(erased);
    }
    let _lock = FileLock::exclusive(&beside(path, LOCK))?;
    for part in Ledger::parts(path)? {
        if part.kind == LedgerPartKind::Lock {
            continue;
        }
        if !goes(part.kind) {
            erased.kept.push(part.path);
            continue;
        }
        fs::remove_file(&part.path).map_err(write_error("remove", &part.path))?;
        erased.removed.push(part.path);
    }
    path.parent().map_or(Ok(()), sync_dir)?;
    Ok(erased)
}
