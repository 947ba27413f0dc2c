//! What can go wrong with a server's process.

use std::path::PathBuf;

use eyes_evidence::code::{Coded, ErrorCode};
use eyes_system::process::StillRunning;

use crate::{
    codes::{MCP_ADAPTER_CLOSE_FAILED, MCP_CONNECT_FAILED},
    error::McpError,
};

/// A server's process could not be started or ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The program was not found: `MCP_CONNECT_FAILED`.
    #[error("the program {command:?} was not found or cannot be run")]
    CommandMissing {
        /// The program as the settings name it.
        command: String,
    },
    /// The directory to run in is none: `MCP_CONNECT_FAILED`.
    #[error("the directory {} to run in does not exist", directory.display())]
    DirectoryMissing {
        /// The directory.
        directory: PathBuf,
    },
    /// The system refused to start the program: `MCP_CONNECT_FAILED`.
    #[error("{command:?} could not be started: {reason}")]
    StartFailed {
        /// The program that was to be started.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// The process is there although it was killed: `MCP_ADAPTER_CLOSE_FAILED`.
    #[error("the process {process} did not end although it was killed")]
    StillRunning {
        /// Its id.
        process: u32,
    },
}

impl From<StillRunning> for ProcessError {
    fn from(error: StillRunning) -> Self {
        Self::StillRunning {
            process: error.process,
        }
    }
}

impl Coded for ProcessError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::CommandMissing { .. }
            | Self::DirectoryMissing { .. }
            | Self::StartFailed { .. } => MCP_CONNECT_FAILED,
            Self::StillRunning { .. } => MCP_ADAPTER_CLOSE_FAILED,
        }
    }
}

impl From<ProcessError> for McpError {
    fn from(error: ProcessError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
