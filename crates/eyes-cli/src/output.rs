//! Results in files: whole or not at all.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use eyes_runtime::gate::WriteGate;

use crate::{error::CliError, text::safe};

/// Writes `bytes` to `path`: beside it first, then renamed over it, while the gate is held.
pub(crate) fn write_file(path: &Path, bytes: &[u8], gate: &WriteGate) -> Result<(), CliError> {
    let _whole = gate.enter();
    replace(path, bytes).map_err(|source| CliError::Output {
        output: safe(&path.to_string_lossy()).into_owned(),
        source,
    })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let mut part = name.to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let part: PathBuf = path.with_file_name(part);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The first failure is the one to tell; the part may not even exist.
        drop(fs::remove_file(&part));
    }
    written
}
