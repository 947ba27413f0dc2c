//! Which files may be downloaded, and under which names they are kept.

use std::collections::BTreeSet;

use crate::limits::{DEFAULT_DOWNLOAD_BYTES, MAX_FILE_NAME_CHARS};

/// Which files may be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadPolicy {
    /// Bytes of one file at most.
    pub max_bytes: u64,
    /// Only files with one of these extensions, in lower case without the dot; all where empty.
    pub extensions: BTreeSet<String>,
}

impl Default for DownloadPolicy {
    fn default() -> Self {
        Self {
            max_bytes: DEFAULT_DOWNLOAD_BYTES,
            extensions: BTreeSet::new(),
        }
    }
}

impl DownloadPolicy {
    /// Says why a file may not be downloaded, by its safe name and by the bytes known so far.
    pub fn refusal(&self, name: &str, bytes: u64) -> Option<String> {
        if bytes > self.max_bytes {
            return Some(format!("it is larger than {} bytes", self.max_bytes));
        }
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase())
            .unwrap_or_default();
        let allowed = self.extensions.is_empty() || self.extensions.contains(&extension);
        (!allowed).then(|| format!("files of the type {extension:?} may not be downloaded"))
    }
}

/// Names that Windows takes for devices, whatever their extension.
const DEVICES: &[&str] = &["aux", "con", "nul", "prn"];

/// Makes a name that is one file's in any folder on any system: no separator, no device, not hidden, bounded.
pub fn safe_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last
        .chars()
        .map(|c| {
            if c.is_control() || "<>:\"|?*".contains(c) || is_bidi(c) {
                '_'
            } else {
                c
            }
        })
        .collect();
    let clean = clean.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if clean.is_empty() {
        return "download".to_owned();
    }
    let stem = clean
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|device| {
        stem.strip_prefix(device)
            .is_some_and(|rest| rest.chars().count() == 1)
    });
    let is_device = DEVICES.contains(&stem.as_str()) || numbered;
    shorten(&format!("{}{clean}", if is_device { "_" } else { "" }))
}

/// Characters that turn the direction of text make `exe.gpj` of `jpg.exe`.
const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Cuts the stem and keeps the extension.
fn shorten(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_FILE_NAME_CHARS {
        return name.to_owned();
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.chars().count() <= 16 => {
            (stem, format!(".{extension}"))
        }
        _ => (name, String::new()),
    };
    let room = MAX_FILE_NAME_CHARS - extension.chars().count();
    stem.chars().take(room).chain(extension.chars()).collect()
}
