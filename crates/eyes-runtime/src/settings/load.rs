//! Reading and checking settings.

use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
};

use eyes_evidence::code::{Coded, ErrorCode};
use eyes_router::{limits::MAX_FAILOVERS, route::Route};

use super::Settings;
use crate::{
    codes,
    environment::SettingsFile,
    limits::{MAX_LOCAL_THREADS, MAX_ROUTES, MAX_SETTINGS_BYTES, MIN_STORE_BYTES},
};

/// Settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("settings file {} cannot be read", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is longer than any settings.
    #[error("settings file {} has more than {MAX_SETTINGS_BYTES} bytes", .0.display())]
    Length(PathBuf),
    /// The text is not TOML.
    #[error("settings are not valid TOML, line {line}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        reason: String,
    },
    /// A member is unknown, of the wrong kind or out of bounds.
    #[error("setting {path}: {reason}")]
    Member {
        /// The member's path, such as `local.tier`.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

impl Coded for SettingsError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Read { .. } => codes::SETTINGS_UNAVAILABLE,
            Self::Length(_) | Self::Syntax { .. } | Self::Member { .. } => codes::SETTINGS_INVALID,
        }
    }
}

impl Settings {
    /// Reads `file`; a file that nobody named and that is not there gives the defaults.
    pub fn load(file: Option<&SettingsFile>) -> Result<Self, SettingsError> {
        let Some(file) = file else {
            return Ok(Self::default());
        };
        match read(file) {
            Ok(text) => Self::parse(&text),
            Err(SettingsError::Read { source, .. })
                if !file.required && source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(Self::default())
            }
            Err(error) => Err(error),
        }
    }

    /// Parses TOML and checks every bound.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            SettingsError::Syntax {
                line: 1 + text.bytes().take(start).filter(|&b| b == b'\n').count(),
                reason: error.message().to_owned(),
            }
        })?;
        let settings: Self = serde_path_to_error::deserialize(table).map_err(|error| {
            let path = error.path().to_string();
            SettingsError::Member {
                path,
                reason: error.into_inner().message().trim().to_owned(),
            }
        })?;
        settings.check()?;
        Ok(settings)
    }

    /// Checks what the types do not say.
    pub fn check(&self) -> Result<(), SettingsError> {
        let refuse = |path: &str, reason: String| {
            Err(SettingsError::Member {
                path: path.to_owned(),
                reason,
            })
        };
        let vision = &self.vision;
        if vision.routes.len() > MAX_ROUTES {
            return refuse("vision.routes", format!("at most {MAX_ROUTES} routes"));
        }
        for (at, text) in vision.routes.iter().enumerate() {
            if let Err(error) = text.parse::<Route>() {
                return refuse(&format!("vision.routes[{at}]"), error.to_string());
            }
        }
        if vision.failovers > MAX_FAILOVERS {
            return refuse("vision.failovers", format!("0 to {MAX_FAILOVERS}"));
        }
        if self
            .local
            .threads
            .is_some_and(|n| n.get() > MAX_LOCAL_THREADS)
        {
            return refuse("local.threads", format!("1 to {MAX_LOCAL_THREADS}"));
        }
        if self.store.max_bytes < MIN_STORE_BYTES {
            return refuse("store.maxBytes", format!("at least {MIN_STORE_BYTES}"));
        }
        Ok(())
    }
}

fn read(file: &SettingsFile) -> Result<String, SettingsError> {
    let failed = |source| SettingsError::Read {
        path: file.path.clone(),
        source,
    };
    let mut text = String::new();
    File::open(&file.path)
        .and_then(|file| file.take(MAX_SETTINGS_BYTES + 1).read_to_string(&mut text))
        .map_err(failed)?;
    if text.len() as u64 > MAX_SETTINGS_BYTES {
        return Err(SettingsError::Length(file.path.clone()));
    }
    Ok(text)
}
