//! Downloads: into a folder of ours under a name of the browser's, then checked, hashed and named.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use eyes_evidence::{atomic::private_dir, digest::Sha256Digest};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    browser::Browser,
    events::{bounded, text},
};
use crate::{
    driver::{Download, DownloadState},
    limits::{MAX_DOWNLOADS, MAX_URL_CHARS},
    policy::{DownloadPolicy, safe_name},
};

/// The downloads of a session.
#[derive(Debug)]
pub(super) struct Downloads {
    /// Where the browser writes.
    incoming: PathBuf,
    /// Where files stay.
    kept: PathBuf,
    policy: DownloadPolicy,
    all: Mutex<Vec<Known>>,
    last: Mutex<u32>,
}

#[derive(Debug)]
struct Known {
    /// The browser's name for it.
    guid: String,
    download: Download,
}

impl Downloads {
    pub(super) fn new(folder: &Path, kept: Option<PathBuf>, policy: DownloadPolicy) -> Self {
        Self {
            kept: kept.unwrap_or_else(|| folder.join("files")),
            incoming: folder.join("incoming"),
            policy,
            all: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// Makes the folders.
    pub(super) fn prepare(&self) -> Result<(), String> {
        [&self.incoming, &self.kept]
            .into_iter()
            .try_for_each(|folder| private_dir(folder))
            .map_err(|error| error.to_string())
    }

    pub(super) fn incoming(&self) -> &Path {
        &self.incoming
    }

    fn all(&self) -> MutexGuard<'_, Vec<Known>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the newest of them.
    pub(super) fn list(&self) -> Vec<Download> {
        self.all()
            .iter()
            .map(|known| known.download.clone())
            .collect()
    }

    /// Notes one that begins; says whether to stop it.
    fn begin(&self, params: &Value) -> bool {
        let name = safe_name(params["suggestedFilename"].as_str().unwrap_or_default());
        let refusal = self.policy.refusal(&name, 0);
        let stop = refusal.is_some();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        let mut all = self.all();
        if all.len() >= MAX_DOWNLOADS {
            all.remove(0);
        }
        all.push(Known {
            guid: text(params, "guid"),
            download: Download {
                id: *last,
                name,
                url: bounded(&params["url"], MAX_URL_CHARS),
                bytes: 0,
                state: refusal.map_or(DownloadState::Running, |reason| DownloadState::Stopped {
                    reason,
                }),
            },
        });
        stop
    }

    /// Notes how far one is; says whether to stop it, or its name where its file has come.
    fn progress(&self, params: &Value) -> Next {
        let mut all = self.all();
        let Some(known) = all
            .iter_mut()
            .find(|known| params["guid"] == known.guid.as_str())
        else {
            return Next::Nothing;
        };
        let number = |name: &str| params[name].as_f64().unwrap_or_default().max(0.0) as u64;
        let download = &mut known.download;
        download.bytes = number("receivedBytes");
        if download.state != DownloadState::Running {
            return Next::Nothing;
        }
        let most = download.bytes.max(number("totalBytes"));
        if let Some(reason) = self.policy.refusal(&download.name, most) {
            download.state = DownloadState::Stopped { reason };
            return if params["state"] == "completed" {
                Next::Discard
            } else {
                Next::Stop
            };
        }
        match params["state"].as_str() {
            Some("completed") => Next::Keep(download.name.clone()),
            Some("canceled") => {
                let reason = "it was cancelled, or the network failed".to_owned();
                download.state = DownloadState::Stopped { reason };
                Next::Discard
            }
            _ => Next::Nothing,
        }
    }

    fn ended(&self, guid: &str, outcome: io::Result<(PathBuf, Sha256Digest, u64)>) {
        let mut all = self.all();
        let Some(known) = all.iter_mut().find(|known| known.guid == guid) else {
            return;
        };
        known.download.state = match outcome {
            Ok((path, sha256, bytes)) => {
                known.download.bytes = bytes;
                DownloadState::Done { path, sha256 }
            }
            Err(error) => DownloadState::Stopped {
                reason: format!("its file cannot be kept: {error}"),
            },
        };
    }
}

enum Next {
    Nothing,
    Stop,
    Discard,
    Keep(String),
}

impl Browser {
    /// Follows a download; what takes time is done beside.
    pub(super) fn download(self: &Arc<Self>, begins: bool, params: &Value) {
        let guid = text(params, "guid");
        // The name is that of a file in our folder.
        if guid.is_empty() || !guid.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return;
        }
        let next = if !begins {
            self.downloads.progress(params)
        } else if self.downloads.begin(params) {
            Next::Stop
        } else {
            Next::Nothing
        };
        match next {
            Next::Nothing => {}
            Next::Stop => self
                .client
                .post(None, "Browser.cancelDownload", &json!({"guid": guid})),
            Next::Discard => drop(std::fs::remove_file(self.downloads.incoming.join(guid))),
            Next::Keep(name) => {
                let downloads = Arc::clone(&self.downloads);
                tokio::task::spawn_blocking(move || {
                    let outcome = keep(&downloads.incoming.join(&guid), &downloads.kept, &name);
                    downloads.ended(&guid, outcome);
                });
            }
        }
    }
}

/// Hashes a file and gives it a name that no other file has.
fn keep(from: &Path, folder: &Path, name: &str) -> io::Result<(PathBuf, Sha256Digest, u64)> {
    let (digest, bytes) = digest(from)?;
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    for number in 1..=10_000 {
        let path = if number == 1 {
            folder.join(name)
        } else {
            folder.join(format!("{stem} ({number}){extension}"))
        };
        // The place is taken before the file comes, so that nobody's file is replaced.
        match File::create_new(&path) {
            Ok(place) => {
                drop(place);
                if std::fs::rename(from, &path).is_err() {
                    std::fs::copy(from, &path)?;
                    std::fs::remove_file(from)?;
                }
                make_private(&path)?;
                return Ok((path, digest, bytes));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn digest(path: &Path) -> io::Result<(Sha256Digest, u64)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok((Sha256Digest::from_bytes(hasher.finalize().into()), bytes));
        }
        bytes += read as u64;
        hasher.update(chunk.get(..read).unwrap_or_default());
    }
}

#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature on every platform"
)]
fn make_private(_path: &Path) -> io::Result<()> {
    Ok(())
}
