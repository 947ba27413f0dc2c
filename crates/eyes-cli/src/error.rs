//! The errors of this crate.

use std::io;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    parse::ParseError,
    provenance::RecordError,
    raster::RasterError,
};
use eyes_mcp::config::import::ImportError;
use eyes_runtime::error::RuntimeError;

use crate::{
    codes,
    limits::{MAX_PAGE_BYTES, MAX_PATTERN_MATCHES},
};

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The arguments do not fit together.
    #[error("{0}")]
    CommandLine(String),
    /// A file cannot be opened or read.
    #[error("{input} cannot be read")]
    Input { input: String, source: io::Error },
    /// An input is not what the command reads.
    #[error("{input} {reason}")]
    InputInvalid { input: String, reason: &'static str },
    /// An input is too long.
    #[error("{input} has {bytes} bytes or more, over the limit of {limit}")]
    InputLimit {
        input: String,
        bytes: u64,
        limit: u64,
    },
    /// A result cannot be written to a file.
    #[error("{output} cannot be written")]
    Output { output: String, source: io::Error },
    /// Standard output or standard error is broken.
    #[error("the output cannot be written")]
    Stream(#[from] io::Error),
    /// No error code has this name.
    #[error("no error code is named {name}")]
    UnknownCode {
        name: String,
        nearest: Option<&'static str>,
    },
    /// The record is about another image.
    #[error("the record is about image {recorded}, not {given}")]
    OtherImage { recorded: String, given: String },
    /// No file matches a pattern.
    #[error("no file matches {pattern}")]
    NoMatch { pattern: String },
    /// Too many files match a pattern.
    #[error("{pattern} matches more than {MAX_PATTERN_MATCHES} files")]
    Matches { pattern: String },
    /// The page would be too long.
    #[error("the page would have more than {MAX_PAGE_BYTES} bytes")]
    PageLimit,
    /// The store has no such record.
    #[error("the store has no record {digits}")]
    NoRecord { digits: String },
    /// The name is no digest, or begins several.
    #[error("{name} {reason}")]
    RecordName { name: String, reason: &'static str },
    /// Something would be removed, and nobody said that it should be.
    #[error("nothing was removed")]
    Unconfirmed,
    /// A lower layer failed.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The model's text is not evidence.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The record is not whole, not valid or altered.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The other host's settings cannot be taken over.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The overlay cannot be made.
    #[error(transparent)]
    Overlay(#[from] RasterError),
}

impl CliError {
    pub(crate) fn input(input: String, source: io::Error) -> Self {
        Self::Input { input, source }
    }

    /// Tells whether the reader of our output went away, which is no failure.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Tells whether the message names the input that it is about.
    pub(crate) const fn names_its_input(&self) -> bool {
        matches!(
            self,
            Self::Input { .. }
                | Self::InputInvalid { .. }
                | Self::InputLimit { .. }
                | Self::NoMatch { .. }
                | Self::Matches { .. }
        )
    }

    /// Joins the message and its causes.
    pub(crate) fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        text
    }
}

impl Coded for CliError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::CommandLine(_) => codes::COMMAND_LINE_INVALID,
            Self::Input { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => codes::INPUT_MISSING,
                _ => codes::INPUT_UNAVAILABLE,
            },
            Self::InputInvalid { .. } => codes::INPUT_INVALID,
            Self::InputLimit { .. } | Self::Matches { .. } => codes::INPUT_LIMIT,
            Self::Output { .. } | Self::Stream(_) => codes::OUTPUT_FAILED,
            Self::UnknownCode { .. } => codes::ERROR_CODE_MISSING,
            Self::OtherImage { .. } => codes::RECORD_IMAGE_MISMATCH,
            Self::NoMatch { .. } => codes::INPUT_MISSING,
            Self::PageLimit => codes::OUTPUT_LIMIT,
            Self::NoRecord { .. } => codes::RECORD_MISSING,
            Self::RecordName { .. } => codes::RECORD_NAME_INVALID,
            Self::Unconfirmed => codes::CONFIRMATION_MISSING,
            Self::Runtime(error) => error.code(),
            Self::Parse(error) => error.code(),
            Self::Record(error) => error.code(),
            Self::Import(error) => error.code(),
            Self::Overlay(error) => error.code(),
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::UnknownCode {
                nearest: Some(nearest),
                ..
            } => format!("did you mean {nearest}?"),
            Self::Runtime(error) => error.hint(),
            Self::Parse(error) => error.hint(),
            Self::Record(error) => error.hint(),
            Self::Import(error) => error.hint(),
            Self::Overlay(error) => error.hint(),
            _ => self.code().spec().hint.to_owned(),
        }
    }
}
