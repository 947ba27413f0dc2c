//! Files of runs of a browser.

use std::path::Path;

use super::{DataKind, Entry, EntryKind, Walk};

/// Folders inside one another below a run: a store of originals has two.
const DEPTH: usize = 4;

impl Walk {
    /// Looks at the directory of runs.
    pub(super) fn browser_runs(&mut self, root: &Path) {
        const KIND: DataKind = DataKind::BrowserRuns;
        if !self.is_directory(root, Some(KIND)) || !self.seen.insert(root.to_path_buf()) {
            return;
        }
        for entry in self.entries(root) {
            let is_run = entry.kind == EntryKind::Directory && is_run(&entry.name);
            if is_run {
                self.run_files(&entry, DEPTH);
            } else {
                self.leave(entry.path, Some(KIND));
            }
        }
    }

    fn run_files(&mut self, folder: &Entry, depth: usize) {
        const KIND: DataKind = DataKind::BrowserRuns;
        for entry in self.entries(&folder.path) {
            match entry.kind {
                EntryKind::Directory if depth > 0 => self.run_files(&entry, depth - 1),
                EntryKind::File => self.claim(KIND, entry, None),
                _ => self.leave(entry.path, Some(KIND)),
            }
        }
    }
}

/// Names of runs are 32 hexadecimal digits.
fn is_run(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
