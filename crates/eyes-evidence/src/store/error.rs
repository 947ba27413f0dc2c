//! What can go wrong in a store.

use std::path::PathBuf;

#[cfg(feature = "fs")]
use crate::atomic::FileError;
use crate::{
    code::{Coded, ErrorCode},
    codes,
    provenance::RecordError,
};

/// A store could not do what was asked; nothing that was stored before is lost by it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Writing failed: a full disk, missing permission, a failing device.
    #[cfg(feature = "fs")]
    #[error("cannot persist evidence{}", if .0.is_full() { ": the disk is full" } else { "" })]
    Persist(#[source] FileError),
    /// Reading failed.
    #[cfg(feature = "fs")]
    #[error("cannot read the evidence store")]
    Read(#[source] FileError),
    /// The place of the store is a symbolic link, no directory, or open to others.
    #[cfg(feature = "fs")]
    #[error("cannot use the evidence store")]
    Place(#[source] FileError),
    /// Stored bytes are not those that were written; they were set aside.
    #[error("stored evidence does not verify, set aside as {}", set_aside.display())]
    Tampered {
        /// Where the damaged file is now.
        set_aside: PathBuf,
    },
    /// The store or the record was written by a newer version; it was left alone.
    #[error("{} was written by a newer version", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// The item alone is larger than the bounds of the store.
    #[error("an item of {bytes} bytes does not fit a store of {limit}")]
    TooLarge {
        /// Bytes of the item.
        bytes: u64,
        /// Bytes the store may hold.
        limit: u64,
    },
    /// The record itself has no stored form.
    #[error(transparent)]
    Record(#[from] RecordError),
}

#[cfg(feature = "fs")]
impl From<FileError> for StoreError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Write { .. } => Self::Persist(error),
            FileError::Place { .. } => Self::Place(error),
            FileError::Read { .. } | FileError::Size { .. } => Self::Read(error),
        }
    }
}

impl Coded for StoreError {
    fn code(&self) -> ErrorCode {
        match self {
            #[cfg(feature = "fs")]
            Self::Persist(_) => codes::EVIDENCE_PERSIST_FAILED,
            #[cfg(feature = "fs")]
            Self::Read(_) => codes::EVIDENCE_STORE_UNAVAILABLE,
            #[cfg(feature = "fs")]
            Self::Place(_) => codes::EVIDENCE_STORE_BLOCKED,
            Self::Tampered { .. } => codes::EVIDENCE_STORE_MISMATCH,
            Self::Newer { .. } => codes::EVIDENCE_STORE_UNSUPPORTED,
            Self::TooLarge { .. } => codes::EVIDENCE_STORE_LIMIT,
            Self::Record(error) => error.code(),
        }
    }
}
