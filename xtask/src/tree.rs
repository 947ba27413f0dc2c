//! The text of the checkout, held in memory so that checks are pure functions of it.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{Failure, Outcome};

/// Longest file that is read for checking, in bytes; weights, images and recordings lie above it.
const MAX_TEXT_BYTES: u64 = 2 * 1024 * 1024;

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// Every file of the checkout by its path with `/`, with its text where it has one.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads the checkout.
    pub(crate) fn load(root: &Path) -> Outcome<Self> {
        let mut tree = Self::default();
        tree.load_folder(root, "")?;
        Ok(tree)
    }

    fn load_folder(&mut self, folder: &Path, prefix: &str) -> Outcome {
        let unreadable =
            |error| Failure::new(format!("cannot read `{}`: {error}", folder.display()));
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(unreadable)?;
            if kind.is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    self.load_folder(&entry.path(), &format!("{prefix}{name}/"))?;
                }
            } else if kind.is_file() && name != ".git" {
                let short = entry
                    .metadata()
                    .is_ok_and(|data| data.len() <= MAX_TEXT_BYTES);
                let bytes = if short {
                    fs::read(entry.path()).map_err(unreadable)?
                } else {
                    vec![0xFF]
                };
                self.files
                    .insert(format!("{prefix}{name}"), String::from_utf8(bytes).ok());
            }
        }
        Ok(())
    }

    /// Builds a tree out of paths and texts.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
            .collect();
        Self { files }
    }

    /// Returns all paths in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the text files in order: path and text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns the Rust files in order: path and text.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| extension(path) == "rs")
    }

    /// Returns one file's text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Returns whether the file exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Returns the crates below `crates/`, those with a manifest, in order.
    pub(crate) fn crates(&self) -> impl Iterator<Item = &str> {
        self.paths().filter_map(|path| {
            let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
            (!name.contains('/')).then_some(name)
        })
    }
}

/// Returns the part of the file name after its last dot.
pub(crate) fn extension(path: &str) -> &str {
    file_name(path)
        .rsplit_once('.')
        .map_or("", |(_, last)| last)
}

/// Returns the part of the path after its last slash.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

/// Returns the path's folder, without a slash at its end.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(before, _)| before)
}

/// Returns whether the Rust file holds tests, benches or fuzz targets, and so nothing that ships.
pub(crate) fn is_test_file(path: &str) -> bool {
    path.starts_with("tests/")
        || ["/tests/", "/benches/", "/fuzz/"]
            .iter()
            .any(|part| path.contains(part))
        || path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
}
