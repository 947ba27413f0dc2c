//! The directory for data: private, and laid out in one place.

use std::path::{Path, PathBuf};

use eyes_evidence::{
    atomic::private_dir,
    store::{StoreBounds, fs::FsStore},
};

use crate::error::RuntimeError;

/// The evidence store's name below the directory for data.
pub(crate) const EVIDENCE: &str = "evidence";
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

/// Returns where the larger weights are below a directory for data.
pub(crate) fn small_models(data_dir: &Path) -> PathBuf {
    data_dir.join(MODELS).join("small")
}
