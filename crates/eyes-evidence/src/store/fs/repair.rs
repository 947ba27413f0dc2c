//! Setting damaged packs aside without losing what is intact in them.

use std::{fs, path::PathBuf, sync::Arc};

use super::{
    super::StoreError,
    FsStore,
    index::Index,
    lock::Held,
    pack::{self, Draft, Found, Pack},
};
use crate::{
    atomic::{free_name, read_private, sync_dir, write_error, write_private},
    limits::{MAX_PACK_BYTES, MAX_PACK_INDEX_BYTES, MAX_QUARANTINE_NAMES, MAX_RECORD_BYTES},
    provenance::EvidenceRecord,
};

impl FsStore {
    /// Moves a damaged pack into quarantine and keeps its intact records in the store.
    ///
    /// Returns where it is now, or nothing when the pack turned out to be sound or gone. The damaged file
    /// is copied before anything is replaced: a crash in between leaves both.
    pub(super) fn set_aside(
        &self,
        index: &mut Index,
        number: u64,
        held: Option<&Held>,
    ) -> Result<Option<PathBuf>, StoreError> {
        let _own = match held {
            Some(_) => None,
            None => Some(self.lock.exclusive()?),
        };
        let path = self.pack_path(number);
        let found = Pack::read(&path)?;
        match found {
            Found::Missing => {
                index.forget(number);
                return Ok(None);
            }
            Found::Newer => {
                index.leave_alone(number);
                return Ok(None);
            }
            Found::Pack(pack) if self.is_sound(&pack, number)? => {
                index.insert(number, pack);
                return Ok(None);
            }
            Found::Pack(_) | Found::Damaged => {}
        }
        let quarantine = self.root.join("quarantine");
        let place = free_name(
            &quarantine.join(pack::file_name(number)),
            MAX_QUARANTINE_NAMES,
        )?;
        let limit = MAX_PACK_INDEX_BYTES + (MAX_PACK_BYTES + MAX_RECORD_BYTES) as u64;
        // A file longer than any pack is moved as it is.
        let content = read_private(&path, limit).unwrap_or_default();
        let intact = intact_records(&content)?;
        index.forget(number);
        if intact.is_empty() {
            fs::rename(&path, &place).map_err(write_error("set aside", &place))?;
            sync_dir(&quarantine)?;
            sync_dir(&self.packs())?;
        } else {
            write_private(&place, &content)?;
            let pack = pack::write(&self.packs(), number, &intact)?;
            index.insert(number, pack);
        }
        Ok(Some(place))
    }

    fn is_sound(&self, pack: &Pack, number: u64) -> Result<bool, StoreError> {
        for location in pack.locations(number) {
            if !matches!(self.read(&location)?, super::Reading::Verified(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns every line that is a record and verifies.
fn intact_records(content: &[u8]) -> Result<Vec<Draft>, StoreError> {
    content
        .split(|&byte| byte == b'\n')
        .skip(1)
        .filter_map(|line| EvidenceRecord::from_json(line).ok())
        .map(|record| Draft::of(&Arc::new(record)))
        .collect()
}
