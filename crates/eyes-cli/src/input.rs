//! Inputs: files, and standard input as `-`.

use std::{
    ffi::OsString,
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::{error::CliError, text::safe};

/// One input of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Input {
    /// Takes any file name, in any encoding.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().map(Self::from)
    }

    /// Returns the file's path.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Reads all bytes, at most `limit`; nothing is allocated for what is longer.
    pub(crate) fn read(&self, stdin: &mut dyn Read, limit: u64) -> Result<Vec<u8>, CliError> {
        let failed = |source: io::Error| CliError::input(self.to_string(), source);
        let bytes = match self {
            Self::Stdin => read_bounded(stdin, 0, limit),
            Self::File(path) => {
                let mut file = File::open(path).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                if metadata.is_dir() {
                    return Err(self.invalid("is a directory"));
                }
                if metadata.len() > limit {
                    return Err(self.too_long(metadata.len(), limit));
                }
                read_bounded(&mut file, metadata.len(), limit)
            }
        }
        .map_err(failed)?;
        if bytes.is_empty() {
            return Err(self.invalid("is empty"));
        }
        if bytes.len() as u64 > limit {
            return Err(self.too_long(bytes.len() as u64, limit));
        }
        Ok(bytes)
    }

    fn invalid(&self, reason: &'static str) -> CliError {
        CliError::InputInvalid {
            input: self.to_string(),
            reason,
        }
    }

    fn too_long(&self, bytes: u64, limit: u64) -> CliError {
        CliError::InputLimit {
            input: self.to_string(),
            bytes,
            limit,
        }
    }
}

/// Reads one byte more than `limit` at most, so that the caller sees what is too long.
fn read_bounded(from: &mut dyn Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    // Limit: `expected` is at most `limit`, which the caller checked.
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl From<OsString> for Input {
    fn from(name: OsString) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(name.into())
        }
    }
}

impl fmt::Display for Input {
    /// Prints the name so that a terminal shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => f.write_str(&safe(&path.to_string_lossy())),
        }
    }
}
