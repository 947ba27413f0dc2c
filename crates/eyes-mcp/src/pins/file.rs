//! Pins in one private file.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use eyes_evidence::atomic::{
    FileError, FileLock, free_name, private_dir, read_private, sync_dir, write_error, write_private,
};
use serde::{Deserialize, Serialize};

use super::{
    server::ServerPins,
    store::{PinError, PinStore},
};
use crate::{
    limits::{MAX_PINS_FILE_BYTES, MAX_PINS_SET_ASIDE},
    names::ServerId,
};

/// The version of the file that is written.
const VERSION: u64 = 1;

/// Keeps pins in one JSON file, private, and whole or not there.
///
/// Processes take turns by a lock beside it (`NAME.lock`). A file that cannot be understood is set aside as
/// `NAME.unreadable` (`.unreadable.1` and so on) and stays; every tool is new again then. A file of a newer version
/// is left alone: `MCP_PIN_STORE_UNSUPPORTED`.
#[derive(Debug)]
pub struct FilePins {
    path: PathBuf,
}

/// The file's content.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u64,
    servers: BTreeMap<String, ServerPins>,
}

/// What is read of a file of any version.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

impl FilePins {
    /// Keeps pins in the file at `path`; it and its directory are made when they are first written.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns where the pins are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }

    /// Takes the turn to write.
    fn lock(&self) -> Result<FileLock, PinError> {
        if let Some(dir) = self.path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            private_dir(dir)?;
        }
        Ok(FileLock::exclusive(&self.beside(".lock"))?)
    }

    /// Reads the file. What cannot be understood counts as nothing and stays where it is.
    fn read(&self) -> Result<Read, PinError> {
        let bytes = match read_private(&self.path, MAX_PINS_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(Read::Known(BTreeMap::new())),
            Err(FileError::Size { .. }) => return Ok(Read::Unreadable),
            Err(error) => return Err(error.into()),
        };
        if let Ok(Versioned { version }) = serde_json::from_slice(&bytes)
            && version > VERSION
        {
            return Err(PinError::Version(version));
        }
        let Ok(content) = serde_json::from_slice::<Content>(&bytes) else {
            return Ok(Read::Unreadable);
        };
        let servers: Option<BTreeMap<ServerId, ServerPins>> = content
            .servers
            .into_iter()
            .map(|(id, pins)| Some((id.parse().ok()?, pins)))
            .collect();
        Ok(servers.map_or(Read::Unreadable, Read::Known))
    }

    /// Reads the file in the turn to write, and sets one aside that cannot be understood.
    fn read_to_write(&self) -> Result<BTreeMap<ServerId, ServerPins>, PinError> {
        match self.read()? {
            Read::Known(servers) => Ok(servers),
            Read::Unreadable => {
                let place = free_name(&self.beside(".unreadable"), MAX_PINS_SET_ASIDE)?;
                std::fs::rename(&self.path, &place).map_err(write_error("rename to", &place))?;
                if let Some(dir) = self.path.parent() {
                    sync_dir(dir)?;
                }
                Ok(BTreeMap::new())
            }
        }
    }

    fn write(&self, servers: BTreeMap<ServerId, ServerPins>) -> Result<(), PinError> {
        let content = Content {
            version: VERSION,
            servers: servers
                .into_iter()
                .map(|(id, pins)| (id.to_string(), pins))
                .collect(),
        };
        let bytes = serde_json::to_vec(&content)
            .map_err(|error| write_error("write", &self.path)(error.into()))?;
        if bytes.len() as u64 > MAX_PINS_FILE_BYTES {
            return Err(PinError::Size {
                bytes: bytes.len() as u64,
                limit: MAX_PINS_FILE_BYTES,
            });
        }
        Ok(write_private(&self.path, &bytes)?)
    }
}

/// What a file holds.
enum Read {
    Known(BTreeMap<ServerId, ServerPins>),
    Unreadable,
}

impl Read {
    fn servers(self) -> BTreeMap<ServerId, ServerPins> {
        match self {
            Self::Known(servers) => servers,
            Self::Unreadable => BTreeMap::new(),
        }
    }
}

impl PinStore for FilePins {
    fn load(&self, server: &ServerId) -> Result<ServerPins, PinError> {
        // A rename replaces the file at once, so readers need no turn.
        Ok(self.read()?.servers().remove(server).unwrap_or_default())
    }

    fn update(
        &self,
        server: &ServerId,
        change: &mut dyn FnMut(&mut ServerPins) -> Result<(), PinError>,
    ) -> Result<ServerPins, PinError> {
        let _turn = self.lock()?;
        let mut servers = self.read_to_write()?;
        let mut pins = servers.get(server).cloned().unwrap_or_default();
        change(&mut pins)?;
        servers.insert(server.clone(), pins.clone());
        self.write(servers)?;
        Ok(pins)
    }

    fn servers(&self) -> Result<Vec<ServerId>, PinError> {
        Ok(self.read()?.servers().into_keys().collect())
    }

    fn forget(&self, server: &ServerId) -> Result<bool, PinError> {
        let _turn = self.lock()?;
        let mut servers = self.read_to_write()?;
        let had = servers.remove(server).is_some();
        if had {
            self.write(servers)?;
        }
        Ok(had)
    }
}
