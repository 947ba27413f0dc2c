//! One pack: an index line, then records as lines of canonical JSON.

use std::{
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{super::StoreError, index::Location};
use crate::{
    atomic::{FileError, Staged, open_private, read_error},
    canonical::{Canonical, canonical_digest},
    digest::Sha256Digest,
    limits::{MAX_PACK_INDEX_BYTES, MAX_RECORD_BYTES},
    provenance::{CacheKey, EvidenceRecord, RecordError},
};

/// The version of the pack that this crate writes and reads.
const PACK_VERSION: u64 = 1;
const EXTENSION: &str = ".pack";

/// A record ready to be written.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) key: CacheKey,
    digest: Sha256Digest,
    pub(super) text: String,
}

impl Draft {
    pub(super) fn of(record: &Arc<EvidenceRecord>) -> Result<Self, StoreError> {
        let text = record.to_json()?;
        if text.len() > MAX_RECORD_BYTES {
            return Err(RecordError::Size { bytes: text.len() }.into());
        }
        Ok(Self {
            key: record.cache_key(),
            digest: record.record_sha256(),
            text,
        })
    }
}

/// The index line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct IndexLine {
    pack_version: u64,
    /// Key, digest and bytes of each record, in the order of the lines.
    records: Vec<(CacheKey, Sha256Digest, usize)>,
    /// Over the canonical text of `records`: a changed key would hide a record instead of failing.
    index_sha256: Sha256Digest,
}

/// Where the records of one pack lie.
#[derive(Debug)]
pub(super) struct Pack {
    /// Bytes of the index line with its end.
    start: u64,
    records: Vec<(CacheKey, Sha256Digest, usize)>,
    bytes: u64,
}

/// What stands under the name of a pack.
#[derive(Debug)]
pub(super) enum Found {
    Pack(Pack),
    Missing,
    Newer,
    Damaged,
}

impl Pack {
    fn new(start: u64, records: Vec<(CacheKey, Sha256Digest, usize)>) -> Self {
        let bytes = records.iter().map(|record| record.2 as u64).sum();
        Self {
            start,
            records,
            bytes,
        }
    }

    pub(super) fn items(&self) -> usize {
        self.records.len()
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn locations(&self, number: u64) -> impl Iterator<Item = Location> {
        let mut offset = self.start;
        self.records.iter().map(move |&(key, digest, length)| {
            let location = Location {
                pack: number,
                offset,
                length,
                key,
                digest,
            };
            offset += length as u64 + 1;
            location
        })
    }

    /// Reads the index line and compares it with the length of the file.
    pub(super) fn read(path: &Path) -> Result<Found, FileError> {
        let file = match open_private(path) {
            Ok(file) => file,
            Err(error) if error.is_missing() => return Ok(Found::Missing),
            Err(error) => return Err(error),
        };
        let length = file.metadata().map_err(read_error(path))?.len();
        let mut line = Vec::new();
        BufReader::new(file)
            .take(MAX_PACK_INDEX_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(read_error(path))?;
        let Ok(value) = serde_json::from_slice::<Value>(&line) else {
            return Ok(Found::Damaged);
        };
        if value.get("packVersion").and_then(Value::as_u64) > Some(PACK_VERSION) {
            return Ok(Found::Newer);
        }
        let Ok(index) = IndexLine::deserialize(value) else {
            return Ok(Found::Damaged);
        };
        if canonical_digest(&index.records) != Ok(index.index_sha256) {
            return Ok(Found::Damaged);
        }
        let pack = Self::new(line.len() as u64, index.records);
        let fits = pack
            .records
            .iter()
            .all(|record| record.2 <= MAX_RECORD_BYTES)
            && line.ends_with(b"\n")
            && index.pack_version == PACK_VERSION
            && pack.start + pack.bytes + pack.records.len() as u64 == length;
        Ok(if fits {
            Found::Pack(pack)
        } else {
            Found::Damaged
        })
    }
}

/// Writes a pack; when it returns, the pack is durable.
pub(super) fn write(dir: &Path, number: u64, drafts: &[Draft]) -> Result<Pack, StoreError> {
    let records: Vec<_> = drafts
        .iter()
        .map(|draft| (draft.key, draft.digest, draft.text.len()))
        .collect();
    let line = IndexLine {
        pack_version: PACK_VERSION,
        index_sha256: canonical_digest(&records).map_err(RecordError::from)?,
        records,
    };
    let mut text = Canonical::of(&line)
        .map_err(RecordError::from)?
        .into_string();
    text.push('\n');
    let start = text.len() as u64;
    for draft in drafts {
        text.push_str(&draft.text);
        text.push('\n');
    }
    Staged::write(dir, [text.as_bytes()])?.commit(&dir.join(file_name(number)))?;
    Ok(Pack::new(start, line.records))
}

/// Reads one line of a pack without its end.
///
/// Gives nothing when the pack is not there, and something that is no record when the line does not end
/// where it should.
pub(super) fn read_line(
    path: &Path,
    offset: u64,
    length: usize,
) -> Result<Option<Vec<u8>>, FileError> {
    let mut file = match open_private(path) {
        Ok(file) => file,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::with_capacity(length + 1);
    file.seek(SeekFrom::Start(offset))
        .and_then(|_| file.take(length as u64 + 1).read_to_end(&mut bytes))
        .map_err(read_error(path))?;
    if bytes.pop() != Some(b'\n') {
        bytes.clear();
    }
    Ok(Some(bytes))
}

pub(super) fn file_name(number: u64) -> String {
    format!("{number:016x}{EXTENSION}")
}

/// Returns the numbers of the packs in a directory, the oldest first.
pub(super) fn numbers_in(dir: &Path) -> Result<Vec<u64>, FileError> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(read_error(dir))? {
        let name = entry.map_err(read_error(dir))?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.split_once(EXTENSION))
            .filter(|(digits, _)| digits.len() == 16)
            .and_then(|(digits, _)| u64::from_str_radix(digits, 16).ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}
