//! Where the chain ends, beside the log: lines cut off at its end are missed by it.

use std::{fs::OpenOptions, io::Write, path::Path};

use super::entry::Link;
use crate::atomic::{FileError, open_private_with, read_private, write_error};

/// Bytes of the file: two numbers of 20 digits, a digest, two spaces and a line break.
const HEAD_BYTES: u64 = 107;

/// The newest line, and the oldest that must still be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) last: Link,
    pub(super) first: u64,
}

impl Head {
    /// Reads it; nothing when there is none or it is not one.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let bytes = read_private(path, HEAD_BYTES).ok()?;
        let text = std::str::from_utf8(&bytes).ok()?.strip_suffix('\n')?;
        let mut parts = text.split(' ');
        let number = parts.next()?.parse().ok()?;
        let sha256 = parts.next()?.parse().ok()?;
        let first = parts.next()?.parse().ok()?;
        let last = Link { number, sha256 };
        parts.next().is_none().then_some(Self { last, first })
    }

    /// Writes it over the old one, always as many bytes.
    pub(super) fn write(&self, path: &Path) -> Result<(), FileError> {
        let Link { number, sha256 } = self.last;
        let text = format!("{number:020} {sha256} {:020}\n", self.first);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        open_private_with(&options, path)?
            .write_all(text.as_bytes())
            .map_err(write_error("write", path))
    }
}
