//! The key that makes the markers of this installation believed.

use std::{fs::OpenOptions, io::Write, path::Path};

use eyes_evidence::{
    atomic::{FileError, open_private_with, read_private, write_error},
    digest::Sha256Digest,
};
use eyes_router::turn::MarkerKey;

use crate::{data::DataDirectory, error::RuntimeError, limits::MAX_MARKER_KEY_BYTES};

/// Its name below the directory for data.
pub(crate) const FILE: &str = "marker.key";

/// Returns the key: the one that is kept, or a new one, which is kept where there is a directory for data.
///
/// Without the key the pointers of older sessions are plain text, and nothing else is lost.
pub(crate) fn marker_key(data_dir: Option<&Path>) -> Result<MarkerKey, RuntimeError> {
    if data_dir.is_none() {
        return Ok(MarkerKey::new(fresh()?));
    }
    let path = DataDirectory::open(data_dir)?.path().join(FILE);
    let failed = |source| RuntimeError::MarkerKey { source };
    if let Some(key) = kept(&path).map_err(failed)? {
        return Ok(MarkerKey::new(key));
    }
    let key = fresh()?;
    match keep(&path, key) {
        Ok(()) => Ok(MarkerKey::new(key)),
        // Another process was faster, or what stands there is no key: then this process keeps its own to itself.
        Err(error) => match kept(&path) {
            Ok(Some(key)) => Ok(MarkerKey::new(key)),
            _ => Err(failed(error)),
        },
    }
}

/// Tells whether a file is a key as they are kept.
pub(crate) fn is_key(path: &Path) -> bool {
    matches!(kept(path), Ok(Some(_)))
}

fn kept(path: &Path) -> Result<Option<[u8; 32]>, FileError> {
    let bytes = match read_private(path, MAX_MARKER_KEY_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8_lossy(&bytes);
    let key = text.trim().parse::<Sha256Digest>().ok();
    Ok(key.map(|key| *key.as_bytes()))
}

fn keep(path: &Path, key: [u8; 32]) -> Result<(), FileError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let mut file = open_private_with(&options, path)?;
    let line = format!("{}\n", Sha256Digest::from_bytes(key));
    file.write_all(line.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(write_error("write", path))
}

fn fresh() -> Result<[u8; 32], RuntimeError> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(RuntimeError::Entropy)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use eyes_evidence::code::Coded as _;

    use super::*;

    #[test]
    fn a_system_without_randomness_has_a_code() {
        let error = RuntimeError::Entropy(getrandom::Error::UNSUPPORTED);
        assert_eq!(error.code().as_str(), "ENTROPY_UNAVAILABLE");
    }

    #[test]
    fn a_key_is_kept_and_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let shown = |key: &MarkerKey| format!("{key:?}");
        let path = directory.path().join(FILE);
        let first = marker_key(Some(directory.path())).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.trim().len(), 64);
        assert_eq!(shown(&first), "MarkerKey(..)");
        assert_eq!(kept(&path).unwrap(), kept(&path).unwrap());
        marker_key(Some(directory.path())).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        // What is no key is neither used nor written over.
        std::fs::write(&path, "junk").unwrap();
        assert!(marker_key(Some(directory.path())).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "junk");
    }
}
