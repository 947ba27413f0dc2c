//! Private files that are either whole or not there.
//!
//! A file is written under a temporary name beside its place, synchronised, renamed, and its directory
//! synchronised: after a crash at any moment the old or the new content stands there, never a part. On
//! POSIX files are 0600 and directories 0700; symbolic links are refused where a file or directory of ours
//! is expected.

use std::{
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

pub use lock::FileLock;

use crate::{
    code::{Coded, ErrorCode},
    codes,
};

mod lock;

/// How the names of temporary files begin.
pub const TEMP_PREFIX: &str = ".tmp-";

/// A private file or directory could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Writing, renaming or synchronising failed; what stood there before still stands.
    #[error("cannot {action} {}", path.display())]
    Write {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Reading failed.
    #[error("cannot read {}", path.display())]
    Read {
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A symbolic link, or something that is no file or directory, stands in the place.
    #[error("{} is {what}", path.display())]
    Place {
        /// Where.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file is longer than the caller accepts.
    #[error("{} has {bytes} bytes, more than {limit}", path.display())]
    Size {
        /// Where.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
}

impl FileError {
    /// Tells whether the disk or a quota is full.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Write { source, .. }
            if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    }

    /// Tells whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

impl Coded for FileError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Write { .. } => codes::FILE_WRITE_FAILED,
            Self::Read { .. } => codes::FILE_READ_FAILED,
            Self::Place { .. } => codes::FILE_PLACE_BLOCKED,
            Self::Size { .. } => codes::FILE_SIZE_LIMIT,
        }
    }
}

/// Makes the error of an `action` on `path` that failed: [`FileError::Write`].
pub fn write_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Write {
        action,
        path: path.to_owned(),
        source,
    }
}

pub(crate) fn read_error(path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Read {
        path: path.to_owned(),
        source,
    }
}

fn place_error(path: &Path, what: &'static str) -> FileError {
    FileError::Place {
        path: path.to_owned(),
        what,
    }
}

/// Makes a private directory with its parents, or tightens the one that is there.
///
/// A symbolic link or a file in its place, or a directory whose mode cannot be tightened because it is not
/// ours, is [`FileError::Place`] (`FILE_PLACE_BLOCKED`).
pub fn private_dir(path: &Path) -> Result<(), FileError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => return Err(place_error(path, "a symbolic link")),
        Ok(found) if !found.is_dir() => return Err(place_error(path, "not a directory")),
        Ok(found) => return tighten(path, &found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(write_error("look at", path)(error)),
    }
    builder.create(path).map_err(write_error("create", path))?;
    let made = fs::symlink_metadata(path).map_err(read_error(path))?;
    if made.is_dir() {
        tighten(path, &made)
    } else {
        Err(place_error(path, "not a directory"))
    }
}

#[cfg(unix)]
fn tighten(path: &Path, found: &Metadata) -> Result<(), FileError> {
    use std::os::unix::fs::PermissionsExt;
    let for_others = found.permissions().mode() & 0o077;
    if for_others == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
        .map_err(|_| place_error(path, "open to others and not ours to close"))
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature on every platform"
)]
fn tighten(_path: &Path, _found: &Metadata) -> Result<(), FileError> {
    // Access on Windows follows from the parent, which lies in the user's profile.
    Ok(())
}

/// A file under its temporary name; removed when it is dropped before [`commit`](Self::commit).
#[derive(Debug)]
pub struct Staged {
    temp: PathBuf,
    committed: bool,
}

impl Staged {
    /// Writes `parts` one after the other to a new private file in `dir` and synchronises it.
    pub fn write<'a>(
        dir: &Path,
        parts: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, FileError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let (temp, mut file) = loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let temp = dir.join(format!("{TEMP_PREFIX}{}-{number}", std::process::id()));
            fault::step(fault::Step::Create).map_err(write_error("create", &temp))?;
            match options.open(&temp) {
                Ok(file) => break (temp, file),
                // Left by a dead process that had our number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(write_error("create", &temp)(error)),
            }
        };
        Self::fill(temp, &mut file, parts)
    }

    /// Does the same under the name `temp`, writing over what a process left there that died meanwhile.
    ///
    /// Only the holder of a lock may use the name; it lies in the directory of the file's later name.
    pub fn write_to<'a>(
        temp: &Path,
        parts: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, FileError> {
        fault::step(fault::Step::Create).map_err(write_error("create", temp))?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        let mut file = open_private_with(&options, temp)?;
        Self::fill(temp.to_owned(), &mut file, parts)
    }

    fn fill<'a>(
        temp: PathBuf,
        file: &mut File,
        parts: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, FileError> {
        let staged = Self {
            temp,
            committed: false,
        };
        let path = &staged.temp;
        for part in parts {
            fault::write(file, part)
                .and_then(|()| file.write_all(part))
                .map_err(write_error("write", path))?;
        }
        fault::step(fault::Step::SyncFile)
            .and_then(|()| file.sync_all())
            .map_err(write_error("synchronise", path))?;
        Ok(staged)
    }

    /// Gives the file its name, replacing what stood there, and synchronises the directory.
    pub fn commit(mut self, path: &Path) -> Result<(), FileError> {
        fault::step(fault::Step::Rename)
            .and_then(|()| fs::rename(&self.temp, path))
            .map_err(write_error("rename to", path))?;
        self.committed = true;
        path.parent().map_or(Ok(()), sync_dir)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.committed && !fault::killed() {
            // The name is never used again, so a failure costs only space until the next sweep.
            drop(fs::remove_file(&self.temp));
        }
    }
}

/// Writes a private file whole or not at all.
///
/// On an error (`FILE_WRITE_FAILED`, a full disk among them) the old content still stands.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let dir = path
        .parent()
        .ok_or_else(|| place_error(path, "not the path of a file"))?;
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(place_error(path, "not a regular file"));
    }
    Staged::write(dir, [bytes])?.commit(path)
}

/// Opens a private file as `options` say, and makes it 0600 where they create one.
///
/// A symbolic link, or something that is no file, is `FILE_PLACE_BLOCKED`.
pub fn open_private_with(options: &OpenOptions, path: &Path) -> Result<File, FileError> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(place_error(path, "not a regular file"));
    }
    let mut options = options.clone();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(write_error("open", path))
}

/// Opens a regular file for reading; a symbolic link is `FILE_PLACE_BLOCKED`.
pub fn open_private(path: &Path) -> Result<File, FileError> {
    let named = fs::symlink_metadata(path).map_err(read_error(path))?;
    if !named.is_file() {
        return Err(place_error(path, "not a regular file"));
    }
    let file = File::open(path).map_err(read_error(path))?;
    let opened = file.metadata().map_err(read_error(path))?;
    // Between the two looks a link could have been put there.
    if same_file(&named, &opened) {
        Ok(file)
    } else {
        Err(FileError::Read {
            path: path.to_owned(),
            source: io::ErrorKind::NotFound.into(),
        })
    }
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.dev() == b.dev() && a.ino() == b.ino()
}

#[cfg(not(unix))]
fn same_file(_a: &Metadata, opened: &Metadata) -> bool {
    opened.is_file()
}

/// Reads a whole regular file of at most `limit` bytes; longer is `FILE_SIZE_LIMIT`.
pub fn read_private(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let file = open_private(path)?;
    let bytes = file.metadata().map_err(read_error(path))?.len();
    let too_long = |bytes| FileError::Size {
        path: path.to_owned(),
        bytes,
        limit,
    };
    if bytes > limit {
        return Err(too_long(bytes));
    }
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    file.take(limit.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(read_error(path))?;
    // The file may have grown meanwhile.
    if content.len() as u64 > limit {
        return Err(too_long(content.len() as u64));
    }
    Ok(content)
}

/// Makes renames and removals in a directory durable; the empty path, which is the parent of a bare name, is
/// the working directory.
pub fn sync_dir(path: &Path) -> Result<(), FileError> {
    let path = match path.as_os_str() {
        empty if empty.is_empty() => Path::new("."),
        _ => path,
    };
    fault::step(fault::Step::SyncDir)
        .and_then(|()| sync_dir_now(path))
        .map_err(write_error("synchronise", path))
}

#[cfg(unix)]
fn sync_dir_now(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature on every platform"
)]
fn sync_dir_now(_path: &Path) -> io::Result<()> {
    // A directory cannot be opened for this on Windows; NTFS journals the rename.
    Ok(())
}

/// Returns the first of `path`, `path.1`, `path.2` and so on, `names` of them, where nothing stands.
///
/// `FILE_WRITE_FAILED` where all are taken.
pub fn free_name(path: &Path, names: usize) -> Result<PathBuf, FileError> {
    let numbered = |number: usize| {
        let mut name = path.to_owned().into_os_string();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    std::iter::once(path.to_owned())
        .chain((1..names).map(numbered))
        .find(|path| fs::symlink_metadata(path).is_err())
        .ok_or_else(|| {
            write_error("find a free name beside", path)(io::ErrorKind::AlreadyExists.into())
        })
}

/// Removes temporary files in `dir`; returns how many.
///
/// Call it only while nobody writes there, that is, under the exclusive lock of the directory's owner.
pub fn sweep_temps(dir: &Path) -> Result<usize, FileError> {
    let mut swept = 0;
    for entry in fs::read_dir(dir).map_err(read_error(dir))? {
        let entry = entry.map_err(read_error(dir))?;
        let ours = entry.file_name().to_string_lossy().starts_with(TEMP_PREFIX);
        if ours && fs::remove_file(entry.path()).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Places where a test makes the disk fail or the process die.
#[cfg(not(test))]
mod fault {
    use std::{fs::File, io};

    #[derive(Clone, Copy)]
    pub(super) enum Step {
        Create,
        SyncFile,
        Rename,
        SyncDir,
    }

    #[expect(clippy::unnecessary_wraps, reason = "in tests it fails")]
    pub(super) const fn step(_step: Step) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "in tests it fails")]
    pub(super) const fn write(_file: &mut File, _part: &[u8]) -> io::Result<()> {
        Ok(())
    }

    pub(super) const fn killed() -> bool {
        false
    }
}

#[cfg(test)]
pub(crate) mod fault;

#[cfg(test)]
mod tests;
