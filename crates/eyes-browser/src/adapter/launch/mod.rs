//! Starting a browser that ends with us, or finding one that runs.

mod find;
mod profile;
mod start;

use std::{path::PathBuf, sync::Arc};

use eyes_system::process::Variables;
pub use find::{Candidate, Channel, Os, candidates};
pub use profile::sweep;
pub(crate) use profile::{Folder, hold};
pub(crate) use start::{Running, start};

use crate::policy::{DownloadPolicy, UrlPolicy};

/// Whose cookies, logins and settings a browser has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Profile {
    /// Nobody's: a fresh folder that is removed at the end.
    #[default]
    Isolated,
    /// Those in this folder, which stays; one that another browser holds is refused.
    Named(PathBuf),
}

/// Which browser to start, and how.
#[derive(Debug, Clone)]
pub struct LaunchConfig {
    /// The program; found by the channel where absent.
    pub program: Option<PathBuf>,
    /// Which product; any that is there where absent.
    pub channel: Option<Channel>,
    /// Whether it has no window.
    pub headless: bool,
    /// More arguments for the program.
    pub arguments: Vec<String>,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// Device pixels for one CSS pixel.
    pub scale: f64,
    /// The language that pages are asked for, such as `de-DE`; the system's where absent.
    pub locale: Option<String>,
    /// Whose profile it has.
    pub profile: Profile,
    /// The debugging address of a browser that runs already: a port, `host:port`, or a `ws:` address; then nothing is
    /// started, and the browser runs on at the end.
    pub attach: Option<String>,
    /// Where folders of ours are made: isolated profiles, and downloads that are under way.
    pub folder: PathBuf,
    /// Where downloads stay; where absent they lie in our folder and go with it.
    pub downloads: Option<PathBuf>,
    /// Which addresses may be opened.
    pub urls: Arc<UrlPolicy>,
    /// Which files may be downloaded.
    pub files: DownloadPolicy,
    /// Whether the browser's own sandbox is on.
    ///
    /// As root on Linux it is off whatever this says: Chromium refuses to start with it.
    pub sandbox: bool,
    /// The whole environment of the program; one with a window needs `DISPLAY` or `WAYLAND_DISPLAY` in it.
    pub environment: Variables,
}

impl LaunchConfig {
    /// Returns what is usual: without a window, an isolated profile, a viewport of 1440 by 900.
    pub fn new(folder: impl Into<PathBuf>, environment: Variables) -> Self {
        Self {
            program: None,
            channel: None,
            headless: true,
            arguments: Vec::new(),
            viewport: (1440, 900),
            scale: 1.0,
            locale: None,
            profile: Profile::Isolated,
            attach: None,
            folder: folder.into(),
            downloads: None,
            urls: Arc::default(),
            files: DownloadPolicy::default(),
            sandbox: true,
            environment,
        }
    }
}

#[cfg(test)]
mod tests;
