//! What can go wrong with a ledger.

use std::path::PathBuf;

use eyes_evidence::{
    atomic::FileError,
    code::{Coded, ErrorCode},
};

use crate::codes;

/// A ledger could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The file, its lock or its directory cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no ledger.
    #[error("{} is no usage ledger", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
    },
    /// The file is a ledger of a newer version.
    #[error("{} is a usage ledger of version {version}, which is newer", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
    /// Writing failed; the events wait in memory.
    #[error("{waiting} events are not on the disk yet: {reason}")]
    Unwritten {
        /// How many.
        waiting: u64,
        /// Why.
        reason: String,
    },
    /// Writing takes longer than was waited for.
    #[error("{waiting} events are not on the disk yet: writing takes too long")]
    Timeout {
        /// How many.
        waiting: u64,
    },
}

impl Coded for LedgerError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::File(error) => error.code(),
            Self::Invalid { .. } => codes::USAGE_LEDGER_INVALID,
            Self::Newer { .. } => codes::USAGE_LEDGER_UNSUPPORTED,
            Self::Unwritten { .. } => codes::USAGE_WRITE_FAILED,
            Self::Timeout { .. } => codes::USAGE_WRITE_TIMEOUT,
        }
    }
}
