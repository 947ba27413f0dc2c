//! The errors of this crate.

use std::path::PathBuf;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
};
use eyes_router::codes::ABORTED;

use crate::codes;

/// Loading models or reading an image failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocalError {
    /// The caller stopped the read.
    #[error("stopped by the caller")]
    Aborted,
    /// A model file is not in its directory.
    #[error("model file {} is missing", .0.display())]
    ModelMissing(PathBuf),
    /// A model file has another length or digest than the manifest states.
    #[error("model file {name} has digest {found}, expected {expected}")]
    ModelMismatch {
        /// The file's name in the manifest.
        name: &'static str,
        /// What the manifest states.
        expected: Sha256Digest,
        /// What was found.
        found: Sha256Digest,
    },
    /// A model file has another length than the manifest states; it was not read further.
    #[error("model file {name} has {found} bytes, expected {expected}")]
    ModelLength {
        /// The file's name in the manifest.
        name: &'static str,
        /// What the manifest states.
        expected: u64,
        /// What was found.
        found: u64,
    },
    /// The inference engine does not accept the model.
    #[error("model {name} cannot be used: {reason}")]
    ModelInvalid {
        /// The file's name in the manifest.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The archive is not a readable wheel, or a member is not in it.
    #[error("model archive cannot be read: {0}")]
    Archive(String),
    /// A file could not be read or written.
    #[error("{operation} {} failed", .path.display())]
    Store {
        /// What was tried.
        operation: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The inference engine failed.
    #[error("{stage} failed: {reason}")]
    Inference {
        /// Detection or recognition.
        stage: &'static str,
        /// What the engine said.
        reason: String,
    },
}

impl Coded for LocalError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Aborted => ABORTED,
            Self::ModelMissing(_) => codes::LOCAL_MODEL_MISSING,
            Self::ModelMismatch { .. } | Self::ModelLength { .. } => codes::LOCAL_MODEL_MISMATCH,
            Self::ModelInvalid { .. } => codes::LOCAL_MODEL_INVALID,
            Self::Archive(_) => codes::LOCAL_MODEL_ARCHIVE_INVALID,
            Self::Store { .. } => codes::LOCAL_MODEL_STORE_FAILED,
            Self::Inference { .. } => codes::LOCAL_READ_FAILED,
        }
    }
}
