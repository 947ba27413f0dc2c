//! Files of MCP servers.

use std::path::Path;

use eyes_evidence::digest::Sha256Digest;

use super::{DataKind, Entry, EntryKind, Walk, is_number, is_temporary};

impl Walk {
    /// Looks at a directory of whole results.
    pub(super) fn mcp_results(&mut self, root: &Path) {
        const KIND: DataKind = DataKind::McpResults;
        if !self.is_directory(root, Some(KIND)) || !self.seen.insert(root.to_path_buf()) {
            return;
        }
        let lock = root.join("lock");
        for entry in self.entries(root) {
            match (entry.kind, entry.name.as_str()) {
                (EntryKind::Directory, "objects") => self.objects(&entry.path, &lock),
                (EntryKind::Directory, "quarantine") => {
                    for entry in self.entries(&entry.path) {
                        let ours = entry.kind == EntryKind::File && is_set_aside(&entry.name);
                        self.claim_or_leave(ours, KIND, entry, &lock);
                    }
                }
                (EntryKind::File, "lock") => self.claim(KIND, entry, Some(&lock)),
                _ => self.leave(entry.path, Some(KIND)),
            }
        }
    }

    fn objects(&mut self, directory: &Path, lock: &Path) {
        const KIND: DataKind = DataKind::McpResults;
        for shard in self.entries(directory) {
            if shard.kind != EntryKind::Directory || !is_shard(&shard.name) {
                self.leave(shard.path, Some(KIND));
                continue;
            }
            for entry in self.entries(&shard.path) {
                let named = is_digest(&entry.name) && entry.name.starts_with(&shard.name);
                let ours = entry.kind == EntryKind::File && (named || is_temporary(&entry.name));
                self.claim_or_leave(ours, KIND, entry, lock);
            }
        }
    }

    fn claim_or_leave(&mut self, ours: bool, kind: DataKind, entry: Entry, lock: &Path) {
        if ours {
            self.claim(kind, entry, Some(lock));
        } else {
            self.leave(entry.path, Some(kind));
        }
    }

    /// Looks at a file of pins and what stands beside it.
    pub(super) fn mcp_pins(&mut self, path: &Path) {
        const KIND: DataKind = DataKind::McpPins;
        let Some(parent) = path.parent().filter(|_| self.has_parent(path, KIND)) else {
            return;
        };
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let lock = parent.join(format!("{name}.lock"));
        let aside = format!("{name}.unreadable");
        let is_aside = |other: &str| {
            let rest = other.strip_prefix(&aside);
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.strip_prefix('.').is_some_and(is_number)
            })
        };
        for entry in self.entries(parent) {
            if entry.path == path || entry.path == lock || is_aside(&entry.name) {
                let ours = entry.kind == EntryKind::File;
                self.claim_or_leave(ours, KIND, entry, &lock);
            }
        }
    }
}

fn is_digest(name: &str) -> bool {
    name.parse::<Sha256Digest>().is_ok()
}

fn is_shard(name: &str) -> bool {
    name.len() == 2
        && name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Tells whether a name is that of a result whose bytes no longer had their digest.
fn is_set_aside(name: &str) -> bool {
    let Some((digest, number)) = name.split_once('.') else {
        return false;
    };
    is_digest(digest) && (is_number(number) || number == "last")
}
