//! The errors of this crate.

use std::path::PathBuf;

use eyes_browser::report::RunError;
use eyes_evidence::{
    atomic::FileError,
    code::{Coded, ErrorCode},
    image::ImageError,
    store::StoreError,
};
#[cfg(feature = "local")]
use eyes_local::LocalError;
use eyes_mcp::{error::McpError, pins::PinError};
use eyes_router::{
    error::{ReadFailure, VisionError},
    probe::ProbeImageError,
    provider::ProviderConfigError,
    turn::TurnFailure,
};
use eyes_usage::{error::PriceError, ledger::LedgerError};

use crate::{
    codes, eval::EvalError, providers::ProviderError, region::RegionError, settings::SettingsError,
};

/// An operation of the runtime failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No directory for data follows from settings or environment.
    #[error("no directory for data is known")]
    NoDataDirectory,
    /// The directory for data cannot be used.
    #[error("the directory for data cannot be used")]
    DataDirectory {
        /// What is wrong with it.
        source: FileError,
    },
    /// The image was not admitted.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The region is not in the image.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The image could not be read into evidence.
    #[error(transparent)]
    Vision(#[from] VisionError),
    /// The image could not be read into evidence, and that cost something.
    #[error(transparent)]
    Read(Box<ReadFailure>),
    /// The system gives no means to wait for several things at once.
    #[error("no executor could be made")]
    Executor {
        /// Why not.
        source: std::io::Error,
    },
    /// The picture of the pixel probe cannot be made.
    #[error(transparent)]
    Probe(#[from] ProbeImageError),
    /// The local eyes cannot be loaded or their models not be installed.
    #[cfg(feature = "local")]
    #[error(transparent)]
    Local(#[from] LocalError),
    /// The models could not be downloaded.
    #[error("pip could not download the models: {detail}")]
    Download {
        /// The last words of pip, redacted.
        detail: String,
    },
    /// The ledger of what was used cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The table of prices cannot be used.
    #[error("prices in {}: {source}", .path.display())]
    Prices {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PriceError,
    },
    /// The file of prices cannot be read.
    #[error("prices in {} cannot be read", .path.display())]
    PricesFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: FileError,
    },
    /// The file of prices is not TOML.
    #[error("prices in {}: {reason}", .path.display())]
    PricesSyntax {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        reason: String,
    },
    /// The system gives no unpredictable bytes.
    #[error("the system gives no random bytes: {0}")]
    Entropy(getrandom::Error),
    /// The key of markers cannot be kept.
    #[error("the key of markers cannot be kept")]
    MarkerKey {
        /// What is wrong with its file.
        source: FileError,
    },
    /// A place where data is kept cannot be looked at, or a file not be removed.
    #[error(transparent)]
    Retention(FileError),
    /// A turn has no answer.
    #[error(transparent)]
    Turn(Box<TurnFailure>),
    /// No final model is named.
    #[error("no final model is named")]
    NoFinalModel,
    /// The attempts log cannot be used.
    #[error("the attempts log cannot be used")]
    Log {
        /// What is wrong with its file.
        source: FileError,
    },
    /// The audit of MCP servers cannot be used.
    #[error("the audit of MCP servers cannot be used")]
    McpAudit {
        /// What is wrong with its file.
        source: FileError,
    },
    /// A provider cannot be asked.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The settings of a provider or of the network cannot be used.
    #[error(transparent)]
    Endpoint(#[from] ProviderConfigError),
    /// The suite of an evaluation cannot be used.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something of a server of MCP failed, or was refused.
    #[error(transparent)]
    Mcp(#[from] McpError),
    /// The approved definitions of tools cannot be used as asked.
    #[error(transparent)]
    Pins(#[from] PinError),
    /// The files of a browser's run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The folder of a browser's run cannot be made.
    #[error("the folder of the run cannot be made: {reason}")]
    RunFolder {
        /// Why not.
        reason: String,
    },
}

impl From<Box<TurnFailure>> for RuntimeError {
    fn from(failure: Box<TurnFailure>) -> Self {
        Self::Turn(failure)
    }
}

impl From<Box<ReadFailure>> for RuntimeError {
    fn from(failure: Box<ReadFailure>) -> Self {
        Self::Read(failure)
    }
}

impl RuntimeError {
    fn coded(&self) -> Result<&dyn Coded, ErrorCode> {
        match self {
            Self::Settings(error) => Ok(error),
            Self::NoDataDirectory | Self::DataDirectory { .. } => {
                Err(codes::DATA_DIRECTORY_UNAVAILABLE)
            }
            Self::Image(error) => Ok(error),
            Self::Region(error) => Ok(error),
            Self::Vision(error) => Ok(error),
            Self::Read(failure) => Ok(failure.as_ref()),
            Self::Executor { .. } => Err(codes::EXECUTOR_UNAVAILABLE),
            Self::Probe(error) => Ok(error),
            #[cfg(feature = "local")]
            Self::Local(error) => Ok(error),
            Self::Download { .. } => Err(codes::LOCAL_MODEL_DOWNLOAD_FAILED),
            Self::Ledger(error) => Ok(error),
            Self::Prices { source, .. } => Ok(source),
            Self::PricesFile { source, .. } | Self::MarkerKey { source } => Ok(source),
            Self::PricesSyntax { .. } => Err(eyes_usage::codes::USAGE_PRICES_INVALID),
            Self::Entropy(_) => Err(codes::ENTROPY_UNAVAILABLE),
            Self::Turn(failure) => Ok(failure.as_ref()),
            Self::NoFinalModel => Err(codes::FINAL_MODEL_MISSING),
            Self::Log { source } | Self::McpAudit { source } => Ok(source),
            Self::Retention(error) => Ok(error),
            Self::Provider(error) => Err(match error {
                ProviderError::Unknown(_) => codes::PROVIDER_CONFIG_MISSING,
                ProviderError::NotBuiltIn => codes::LOCAL_EYES_UNSUPPORTED,
                ProviderError::KeyMissing { .. } | ProviderError::VariableMissing { .. } => {
                    codes::PROVIDER_KEY_MISSING
                }
                ProviderError::File { .. } | ProviderError::Length { .. } => {
                    codes::PROVIDER_FILE_UNAVAILABLE
                }
            }),
            Self::Endpoint(error) => Ok(error),
            Self::Eval(error) => Ok(error),
            Self::Store(error) => Ok(error),
            Self::Mcp(error) => Ok(error),
            Self::Pins(error) => Ok(error),
            Self::Run(error) => Ok(error),
            Self::RunFolder { .. } => Err(codes::DATA_DIRECTORY_UNAVAILABLE),
        }
    }
}

impl Coded for RuntimeError {
    fn code(&self) -> ErrorCode {
        self.coded().map_or_else(|code| code, Coded::code)
    }

    fn hint(&self) -> String {
        match self.coded() {
            Ok(error) => error.hint(),
            Err(code) => code.spec().hint.to_owned(),
        }
    }
}
