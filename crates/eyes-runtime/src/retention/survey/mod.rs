//! Which files there are, and whose.

mod browser;
mod mcp;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
};

use eyes_evidence::{
    atomic::{FileError, TEMP_PREFIX},
    audit::chain::LogEntry,
    limits::{MAX_LOG_FILES, MAX_LOG_LINE_BYTES},
    store::fs::FsStore,
};
use eyes_usage::ledger::{Ledger, LedgerError, LedgerPartKind};
use serde::de::IgnoredAny;

use super::{DataKind, Places};
use crate::{
    data::{BROWSER_PROFILES, MODELS},
    error::RuntimeError,
    limits::{MAX_LOG_LINES_LOOKED_AT, MAX_UNKNOWN_FILES},
    local, marker_key,
    runtime::HEALTH_FILE,
};

/// A file that a row of the table claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Which row.
    pub kind: DataKind,
    /// Where.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// The file that has to be locked while this one is removed.
    pub(in crate::retention) guard: Option<PathBuf>,
}

impl DataFile {
    /// Tells whether it is an empty file that is there to be locked.
    ///
    /// Such a file stays when everything else goes: a process that waits for it would otherwise lock a file that
    /// nobody else sees.
    pub fn is_lock(&self) -> bool {
        self.guard.as_ref() == Some(&self.path)
    }
}

/// Something that no row claims, in a place where this software keeps data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFile {
    /// Where; a directory is not entered.
    pub path: PathBuf,
    /// The row in whose place it is; nothing where it is in the directory for data itself.
    pub among: Option<DataKind>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Survey {
    /// Files by the order of their kinds and paths.
    pub files: Vec<DataFile>,
    /// What is not ours, by the order of the paths; at most [`MAX_UNKNOWN_FILES`].
    pub unknown: Vec<UnknownFile>,
    /// How many more there are.
    pub more_unknown: u64,
    /// What could not be looked at.
    pub problems: Vec<RuntimeError>,
}

impl Survey {
    /// Returns the files of one kind.
    pub fn of(&self, kind: DataKind) -> impl Iterator<Item = &DataFile> {
        self.files.iter().filter(move |file| file.kind == kind)
    }
}

/// Looks at every place, follows no symbolic link and writes nothing.
pub fn survey(places: &Places) -> Survey {
    let mut walk = Walk::default();
    let named = [
        (DataKind::Settings, &places.settings_file),
        (DataKind::Prices, &places.prices),
    ];
    for (kind, path) in named {
        if let Some(entry) = path.as_deref().and_then(Entry::at)
            && entry.kind == EntryKind::File
        {
            walk.claim(kind, entry, None);
        }
    }
    for path in &places.ledgers {
        walk.ledger(path);
    }
    for path in &places.logs {
        walk.log(path, DataKind::Attempts);
    }
    for path in &places.mcp_audits {
        walk.log(path, DataKind::McpAudit);
    }
    for root in &places.browser_runs {
        walk.browser_runs(root);
    }
    // Nothing is kept below a directory for data that is a link.
    let linked = places.data_dir.as_deref().filter(|directory| {
        Entry::at(directory).is_some_and(|entry| entry.kind != EntryKind::Directory)
    });
    let stores = places.stores.iter();
    for path in stores.filter(|path| linked.is_none_or(|linked| !path.starts_with(linked))) {
        walk.store(path);
    }
    let results = places.mcp_results.iter();
    for path in results.filter(|path| linked.is_none_or(|linked| !path.starts_with(linked))) {
        walk.mcp_results(path);
    }
    for path in &places.mcp_pins {
        walk.mcp_pins(path);
    }
    if let Some(directory) = &places.data_dir {
        walk.data_dir(directory);
    }
    let mut survey = walk.survey;
    survey
        .files
        .sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    // A directory that holds one of our places is no stranger.
    let files = &survey.files;
    survey.unknown.retain(|unknown| {
        !files
            .iter()
            .any(|file| file.path.starts_with(&unknown.path))
    });
    survey.unknown.sort_by(|a, b| a.path.cmp(&b.path));
    survey.unknown.dedup();
    survey
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    File,
    Directory,
    /// A symbolic link, a pipe, a device.
    Other,
}

struct Entry {
    path: PathBuf,
    name: String,
    kind: EntryKind,
    bytes: u64,
}

impl Entry {
    /// Looks at a path; nothing where nothing stands.
    fn at(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        let kind = if found.is_file() {
            EntryKind::File
        } else if found.is_dir() {
            EntryKind::Directory
        } else {
            EntryKind::Other
        };
        let name = path.file_name().unwrap_or_default();
        Some(Self {
            name: name.to_string_lossy().into_owned(),
            path: path.to_path_buf(),
            kind,
            bytes: found.len(),
        })
    }
}

#[derive(Default)]
struct Walk {
    survey: Survey,
    /// What was judged.
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn claim(&mut self, kind: DataKind, entry: Entry, guard: Option<&Path>) {
        if self.seen.insert(entry.path.clone()) {
            self.survey.files.push(DataFile {
                kind,
                path: entry.path,
                bytes: entry.bytes,
                guard: guard.map(Path::to_path_buf),
            });
        }
    }

    fn leave(&mut self, path: PathBuf, among: Option<DataKind>) {
        if !self.seen.insert(path.clone()) {
            return;
        }
        if self.survey.unknown.len() < MAX_UNKNOWN_FILES {
            self.survey.unknown.push(UnknownFile { path, among });
        } else {
            self.survey.more_unknown += 1;
        }
    }

    fn problem(&mut self, error: impl Into<RuntimeError>) {
        self.survey.problems.push(error.into());
    }

    /// Lists a directory in the order of the names; nothing where there is none.
    fn entries(&mut self, directory: &Path) -> Vec<Entry> {
        let listed = fs::read_dir(directory).and_then(|entries| {
            let paths = entries.map(|entry| entry.map(|entry| entry.path()));
            paths.collect::<io::Result<Vec<PathBuf>>>()
        });
        let mut paths = match listed {
            Ok(paths) => paths,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => {
                self.problem(RuntimeError::Retention(FileError::Read {
                    path: directory.to_path_buf(),
                    source,
                }));
                Vec::new()
            }
        };
        paths.sort();
        paths.iter().filter_map(|path| Entry::at(path)).collect()
    }

    /// Tells whether a directory is one, and not a link to one.
    fn is_directory(&mut self, path: &Path, among: Option<DataKind>) -> bool {
        match Entry::at(path) {
            None => false,
            Some(entry) if entry.kind == EntryKind::Directory => true,
            Some(entry) => {
                self.leave(entry.path, among);
                false
            }
        }
    }

    /// Tells whether a file's directory is one, as whoever writes the file asks for.
    fn has_parent(&mut self, path: &Path, kind: DataKind) -> bool {
        path.parent()
            .is_some_and(|parent| self.is_directory(parent, Some(kind)))
    }

    fn data_dir(&mut self, directory: &Path) {
        if !self.is_directory(directory, None) {
            return;
        }
        for entry in self.entries(directory) {
            if self.seen.contains(&entry.path) {
                continue;
            }
            match (entry.kind, entry.name.as_str()) {
                (EntryKind::Directory, MODELS) => self.models(&entry.path),
                // A profile may be in use; the next start of a browser removes those that are not.
                (EntryKind::Directory, BROWSER_PROFILES) => {
                    for profile in self.entries(&entry.path) {
                        self.leave(profile.path, None);
                    }
                }
                (EntryKind::Directory, name) if is_download(name) => self.download(&entry.path),
                (EntryKind::File, name) => match kind_of(name, &entry.path) {
                    Some(kind) => self.claim(kind, entry, None),
                    None => self.leave(entry.path, None),
                },
                _ => self.leave(entry.path, None),
            }
        }
    }

    fn store(&mut self, root: &Path) {
        const KIND: DataKind = DataKind::Evidence;
        if !self.is_directory(root, Some(KIND)) || !self.seen.insert(root.to_path_buf()) {
            return;
        }
        if let Err(error) = FsStore::check(root) {
            self.problem(error);
            self.seen.remove(root);
            return self.leave(root.to_path_buf(), Some(KIND));
        }
        let lock = root.join("lock");
        for entry in self.entries(root) {
            match (entry.kind, entry.name.as_str()) {
                (EntryKind::Directory, "packs" | "quarantine") => {
                    for entry in self.entries(&entry.path) {
                        let ours = is_pack(&entry.name) || is_temporary(&entry.name);
                        if entry.kind == EntryKind::File && ours {
                            self.claim(KIND, entry, Some(&lock));
                        } else {
                            self.leave(entry.path, Some(KIND));
                        }
                    }
                }
                (EntryKind::File, "store.json" | "newest" | "lock") => {
                    self.claim(KIND, entry, Some(&lock));
                }
                (EntryKind::File, name) if is_temporary(name) => {
                    self.claim(KIND, entry, Some(&lock));
                }
                _ => self.leave(entry.path, Some(KIND)),
            }
        }
    }

    fn log(&mut self, path: &Path, kind: DataKind) {
        if !self.has_parent(path, kind) {
            return;
        }
        let beside = |suffix: &str| {
            let mut name = path.to_path_buf().into_os_string();
            name.push(suffix);
            PathBuf::from(name)
        };
        let lock = beside(".lock");
        let older = (1..=MAX_LOG_FILES).map(|number| beside(&format!(".{number}")));
        for path in older.chain([path.to_path_buf()]) {
            match Entry::at(&path) {
                None => {}
                Some(entry) if entry.kind == EntryKind::File && is_log(&path) => {
                    self.claim(kind, entry, Some(&lock));
                }
                Some(entry) => self.leave(entry.path, Some(kind)),
            }
        }
        for path in [beside(".head"), lock.clone()] {
            match Entry::at(&path) {
                None => {}
                Some(entry) if entry.kind == EntryKind::File => {
                    self.claim(kind, entry, Some(&lock));
                }
                Some(entry) => self.leave(entry.path, Some(kind)),
            }
        }
    }

    fn ledger(&mut self, path: &Path) {
        const KIND: DataKind = DataKind::Usage;
        if !self.has_parent(path, KIND) {
            return;
        }
        let parts = match Ledger::parts(path) {
            Ok(parts) => parts,
            Err(error) => return self.problem(error),
        };
        let mut lock = path.to_path_buf().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        for part in parts {
            let Some(entry) = Entry::at(&part.path) else {
                continue;
            };
            let is_ours = entry.kind == EntryKind::File
                && (part.kind != LedgerPartKind::Ledger
                    // A newer one is still one.
                    || !matches!(Ledger::read(path), Err(LedgerError::Invalid { .. })));
            if is_ours {
                self.claim(KIND, entry, Some(&lock));
            } else {
                self.leave(entry.path, Some(KIND));
            }
        }
    }

    fn models(&mut self, directory: &Path) {
        const KIND: DataKind = DataKind::Models;
        for entry in self.entries(directory) {
            if entry.kind != EntryKind::Directory || entry.name != "small" {
                self.leave(entry.path, Some(KIND));
                continue;
            }
            for entry in self.entries(&entry.path) {
                if entry.kind == EntryKind::File && is_model(&entry.name) {
                    self.claim(KIND, entry, None);
                } else {
                    self.leave(entry.path, Some(KIND));
                }
            }
        }
    }

    fn download(&mut self, directory: &Path) {
        const KIND: DataKind = DataKind::Temporary;
        for entry in self.entries(directory) {
            let is_wheel = Path::new(&entry.name).extension() == Some("whl".as_ref());
            if entry.kind == EntryKind::File && (is_wheel || entry.name == "requirements.txt") {
                self.claim(KIND, entry, None);
            } else {
                self.leave(entry.path, Some(KIND));
            }
        }
    }
}

/// Judges a file in the directory for data that is part of nothing larger.
fn kind_of(name: &str, path: &Path) -> Option<DataKind> {
    if name == HEALTH_FILE {
        return Some(DataKind::Health);
    }
    if name == marker_key::FILE {
        // What is no key was never written here.
        return marker_key::is_key(path).then_some(DataKind::Markers);
    }
    let aside = name.strip_prefix(HEALTH_FILE);
    if aside
        .and_then(|rest| rest.strip_prefix(".damaged-"))
        .is_some_and(is_number)
    {
        return Some(DataKind::Health);
    }
    is_temporary(name).then_some(DataKind::Temporary)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Tells whether a name is one of [`eyes_evidence::atomic::Staged`].
fn is_temporary(name: &str) -> bool {
    let numbers = name.strip_prefix(TEMP_PREFIX);
    numbers
        .and_then(|numbers| numbers.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

pub(in crate::retention) fn is_download(name: &str) -> bool {
    let process = name.strip_prefix(crate::models::DOWNLOAD_PREFIX);
    process.is_some_and(is_number)
}

/// Tells whether a name is that of a pack, or of one in quarantine that was not the first of its number.
fn is_pack(name: &str) -> bool {
    let Some((number, rest)) = name.split_once(".pack") else {
        return false;
    };
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    number.len() == 16
        && number.bytes().all(is_hex)
        && (rest.is_empty() || rest.strip_prefix('.').is_some_and(is_number))
}

fn is_model(name: &str) -> bool {
    let files = local::small_files();
    let unfinished = name
        .strip_suffix(".part")
        .and_then(|name| name.rsplit_once('.'))
        .filter(|(_, process)| is_number(process))
        .map(|(stem, _)| stem);
    files.iter().any(|&file| {
        file == name
            || (unfinished.is_some()
                && Path::new(file).file_stem().and_then(|s| s.to_str()) == unfinished)
    })
}

/// Tells whether a file is empty or one of its first lines is one of a log.
fn is_log(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let mut lines = BufReader::new(file);
    for number in 0..MAX_LOG_LINES_LOOKED_AT {
        let mut line = Vec::new();
        let bound = MAX_LOG_LINE_BYTES as u64 + 1024;
        match lines.by_ref().take(bound).read_until(b'\n', &mut line) {
            Ok(0) => return number == 0,
            Ok(_) if serde_json::from_slice::<LogEntry<IgnoredAny>>(&line).is_ok() => return true,
            // A line that a dying process left, or damage.
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    false
}
