//! The directory for data: private, and laid out in one place.

use std::path::{Path, PathBuf};

use eyes_evidence::{
    atomic::private_dir,
    store::{StoreBounds, fs::FsStore},
};

use crate::{
    error::RuntimeError,
    settings::{Place, Settings},
};

/// The evidence store's name below the directory for data.
pub(crate) const EVIDENCE: &str = "evidence";
/// The name of the directory of whole results of MCP servers below the directory for data.
pub(crate) const MCP_RESULTS: &str = "mcp-artifacts";
/// The name of the file of approved tool definitions below the directory for data.
pub(crate) const MCP_PINS: &str = "mcp-pins.json";
/// The name of the directory of browser runs below the directory for data.
pub(crate) const BROWSER_RUNS: &str = "browser-runs";
/// The name of the directory of browser profiles that are removed at their end, below the directory for data.
pub(crate) const BROWSER_PROFILES: &str = "browser-profiles";
/// The name of the audit of MCP servers below the directory for data.
pub(crate) const MCP_AUDIT: &str = "mcp-audit.jsonl";
/// The name of the directory of models below the directory for data.
pub(crate) const MODELS: &str = "models";

/// A directory that exists and belongs to the user alone.
#[derive(Debug, Clone)]
pub struct DataDirectory(PathBuf);

impl DataDirectory {
    /// Opens `path`, creating it with mode 0700 where the platform has modes.
    pub fn open(path: Option<&Path>) -> Result<Self, RuntimeError> {
        let path = path.ok_or(RuntimeError::NoDataDirectory)?;
        private_dir(path).map_err(|source| RuntimeError::DataDirectory { source })?;
        Ok(Self(path.to_path_buf()))
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Opens the evidence store in it.
    pub fn evidence(&self, bounds: StoreBounds) -> Result<FsStore, RuntimeError> {
        Ok(FsStore::open(self.0.join(EVIDENCE), bounds)?)
    }

    /// Returns where the larger weights of the local eyes are, or will be.
    pub fn small_models(&self) -> PathBuf {
        small_models(&self.0)
    }
}

/// Opens the store of evidence where the settings have it; nothing where they keep none.
pub fn open_evidence(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<FsStore>, RuntimeError> {
    if !settings.persistent_evidence {
        return Ok(None);
    }
    kept_evidence(settings, data_dir)
}

/// Opens the store of evidence, whether or not readings are kept in it now; nothing where the settings name no place.
pub fn kept_evidence(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<FsStore>, RuntimeError> {
    let bounds = settings.store.bounds();
    Ok(match &settings.cache_dir {
        Place::Nowhere => None,
        Place::At(path) => Some(FsStore::open(path, bounds)?),
        Place::Usual => Some(DataDirectory::open(data_dir)?.evidence(bounds)?),
    })
}

/// Returns where the larger weights are below a directory for data.
pub(crate) fn small_models(data_dir: &Path) -> PathBuf {
    data_dir.join(MODELS).join("small")
}
