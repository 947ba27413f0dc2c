//! The attempts log as the settings ask for it.

use std::path::Path;

use eyes_evidence::audit::chain::{ChainedLog, LogBounds};

use crate::{
    data::DataDirectory,
    error::RuntimeError,
    limits::ATTEMPT_LINE_BYTES,
    settings::{Place, Settings},
};

/// The log's name below the directory for data.
pub(crate) const FILE: &str = "vision-attempts.jsonl";

/// Opens the log; nothing where the settings keep none.
///
/// It keeps at least `visionAttemptLimit` attempts and about twice as many at most: lines go a file at a time.
pub fn attempts_log(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<ChainedLog>, RuntimeError> {
    if !settings.vision_attempt_log {
        return Ok(None);
    }
    let path = match &settings.vision_attempt_log_path {
        Place::Nowhere => return Ok(None),
        Place::At(path) => path.clone(),
        // Whoever keeps no evidence keeps no log of it either, unless it has a place of its own.
        Place::Usual if settings.cache_dir == Place::Nowhere => return Ok(None),
        Place::Usual => DataDirectory::open(data_dir)?.path().join(FILE),
    };
    let bounds = LogBounds {
        file_bytes: u64::from(settings.vision_attempt_limit) * ATTEMPT_LINE_BYTES,
        files: 2,
    };
    ChainedLog::open(path, bounds)
        .map(Some)
        .map_err(|source| RuntimeError::Log { source })
}
