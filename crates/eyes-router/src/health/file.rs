//! The file of route health: private, replaced whole, shared by processes.
//!
//! Processes merge line by line, the later change wins. Two that write in the same instant may lose one of
//! the two changes; health is advice, and the next fault or success writes it again.

use std::path::{Path, PathBuf};

use eyes_evidence::{
    atomic::{FileError, private_dir, read_private, write_private},
    code::{Coded, ErrorCode},
};
use serde::Deserialize;

use super::board::{Board, HEALTH_VERSION, HealthFile};
use crate::{codes, limits::MAX_HEALTH_FILE_BYTES, vision::ReadWarning};

/// The file could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum HealthFileError {
    /// It was written by a newer version; it is left as it is.
    #[error("{} has version {version}, this software knows {HEALTH_VERSION}; route health is not kept", path.display())]
    Newer { path: PathBuf, version: u64 },
    /// Its content is damaged; it was given another name.
    #[error("{} is damaged ({detail}); it was set aside as {}", path.display(), aside.display())]
    Damaged {
        path: PathBuf,
        aside: PathBuf,
        detail: String,
    },
    /// It cannot be read, written or moved.
    #[error(transparent)]
    File(#[from] FileError),
}

impl HealthFileError {
    /// Tells whether the file must be left alone from now on.
    pub(super) const fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Newer { .. } | Self::File(FileError::Place { .. })
        )
    }
}

impl Coded for HealthFileError {
    fn code(&self) -> ErrorCode {
        codes::VISION_HEALTH_UNAVAILABLE
    }
}

impl From<&HealthFileError> for ReadWarning {
    fn from(error: &HealthFileError) -> Self {
        let mut message = error.to_string();
        if let Some(source) = std::error::Error::source(error) {
            message.extend([": ", &source.to_string()]);
        }
        Self {
            code: error.code(),
            message,
        }
    }
}

/// Reads the file; nothing where there is none.
///
/// A damaged file is set aside before the error is returned, so the next write harms nothing.
pub(super) fn load(path: &Path, now_ms: u64) -> Result<Option<HealthFile>, HealthFileError> {
    let bytes = match read_private(path, MAX_HEALTH_FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(None),
        Err(FileError::Size { bytes, .. }) => {
            return Err(set_aside(path, now_ms, format!("{bytes} bytes")));
        }
        Err(error) => return Err(error.into()),
    };
    match parse(&bytes) {
        Ok(file) => Ok(Some(file)),
        Err(Unread::Newer(version)) => Err(HealthFileError::Newer {
            path: path.to_owned(),
            version,
        }),
        Err(Unread::Damaged(detail)) => Err(set_aside(path, now_ms, detail)),
    }
}

/// Writes what `board` holds together with what stands in the file, and returns that.
pub(super) fn save(path: &Path, board: &Board, now_ms: u64) -> Result<HealthFile, HealthFileError> {
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        private_dir(dir)?;
    }
    let mut merged = board.clone();
    let stood = match load(path, now_ms) {
        Ok(file) => file,
        // Set aside: the place is free.
        Err(HealthFileError::Damaged { .. }) => None,
        Err(error) => return Err(error),
    };
    if let Some(file) = stood {
        merged.merge(&file, now_ms);
    }
    let file = merged.to_file();
    let text = serde_json::to_vec(&file).expect("the table is plain data");
    write_private(path, &text)?;
    Ok(file)
}

enum Unread {
    Newer(u64),
    Damaged(String),
}

fn parse(bytes: &[u8]) -> Result<HealthFile, Unread> {
    #[derive(Deserialize)]
    struct Version {
        version: u64,
    }
    let damaged = |error: serde_json::Error| Unread::Damaged(error.to_string());
    let Version { version } = serde_json::from_slice(bytes).map_err(damaged)?;
    if version > HEALTH_VERSION {
        return Err(Unread::Newer(version));
    }
    if version != HEALTH_VERSION {
        return Err(Unread::Damaged(format!("version {version}")));
    }
    serde_json::from_slice(bytes).map_err(damaged)
}

fn set_aside(path: &Path, now_ms: u64, detail: String) -> HealthFileError {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".damaged-{now_ms}"));
    let aside = path.with_file_name(name);
    match std::fs::rename(path, &aside) {
        Ok(()) => HealthFileError::Damaged {
            path: path.to_owned(),
            aside,
            detail,
        },
        Err(source) => FileError::Write {
            action: "set aside",
            path: path.to_owned(),
            source,
        }
        .into(),
    }
}
