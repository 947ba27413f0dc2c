//! What a driver saw of a page and around it.

use std::{fmt, path::PathBuf};

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{DocumentId, Node};

/// A tab or window of the browser: counted from 1 within a session, never reused; prints as `t1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[serde(into = "String")]
pub struct TabId(pub u32);

impl fmt::Display for TabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl From<TabId> for String {
    fn from(tab: TabId) -> Self {
        tab.to_string()
    }
}

/// The part of the page that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Viewport {
    /// Its width in CSS pixels.
    pub width: u32,
    /// Its height in CSS pixels.
    pub height: u32,
    /// Device pixels for one CSS pixel.
    pub scale: f64,
}

/// How far the page is scrolled, and how large it is; in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Scroll {
    /// From the left.
    pub x: i64,
    /// From the top.
    pub y: i64,
    /// The width of the document.
    pub document_width: u64,
    /// The height of the document.
    pub document_height: u64,
}

/// The document that a tab shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The tab.
    pub tab: TabId,
    /// The document of its main frame.
    pub document: DocumentId,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// What is shown of it.
    pub viewport: Viewport,
    /// Where it is scrolled to.
    pub scroll: Scroll,
    /// Whether it has finished loading.
    pub loaded: bool,
}

/// One tab of the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tab {
    /// Which.
    pub id: TabId,
    /// The address it shows.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Which tab opened it.
    pub opener: Option<TabId>,
}

/// Which dialog it is (HTML, 8.9.1 and 7.4.2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// `alert`
    Alert,
    /// `confirm`
    Confirm,
    /// `prompt`
    Prompt,
    /// The question before a page is left.
    Beforeunload,
}

/// A dialog that waits for an answer; the page stands still meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Dialog {
    /// Which.
    pub kind: DialogKind,
    /// What it says.
    pub message: String,
    /// What a prompt proposes.
    pub default: Option<String>,
}

/// A file chooser that waits for files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileChooser {
    /// Whether it takes more than one.
    pub multiple: bool,
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum DownloadState {
    /// It runs.
    Running,
    /// The file is there.
    Done {
        /// Where.
        path: PathBuf,
        /// SHA-256 of its bytes.
        sha256: Sha256Digest,
    },
    /// It was stopped: by a rule, the size limit, or the browser.
    Stopped {
        /// Why.
        reason: String,
    },
}

/// One download of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Download {
    /// Counted from 1 within the session.
    pub id: u32,
    /// The name that the server or the page gave, made safe for a file name.
    pub name: String,
    /// Where it comes from.
    pub url: String,
    /// Bytes that have arrived.
    pub bytes: u64,
    /// How far it is.
    pub state: DownloadState,
}

/// How grave a line of the console is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ConsoleLevel {
    /// `console.warn`
    Warning,
    /// `console.error`
    Error,
    /// An exception that nothing caught.
    Exception,
}

/// A line of the page's console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsoleEntry {
    /// How grave.
    pub level: ConsoleLevel,
    /// What it says, bounded.
    pub text: String,
}

/// A request that failed, or was answered with a status of 400 or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestFailure {
    /// The HTTP method.
    pub method: String,
    /// The address, bounded.
    pub url: String,
    /// The status, or what the network said.
    pub failure: String,
}

/// What the console and the network said since the last snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Diagnostics {
    /// How many lines there were; the newest of them are in `console`.
    pub console_total: u32,
    /// The newest lines.
    pub console: Vec<ConsoleEntry>,
    /// How many requests failed; the newest of them are in `requests`.
    pub failed_total: u32,
    /// The newest requests that failed.
    pub requests: Vec<RequestFailure>,
    /// How many requests were made at all.
    pub request_total: u32,
}

/// Something that a driver, or this page, cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unknown {
    /// What closed shadow roots hold.
    ClosedShadowRoots,
    /// What the console says.
    Console,
    /// Which requests are made.
    Network,
    /// Which files are downloaded.
    Downloads,
    /// Whether a file chooser is open.
    FileChooser,
    /// What some frame holds: it did not answer in time.
    Frames,
}

/// Everything that was seen in one look.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The page.
    pub page: Page,
    /// Its elements within the scope, viewport first, then document order.
    pub elements: Vec<Node>,
    /// How many there are within the scope, those that were left out included.
    pub element_total: u32,
    /// How many of them are within the viewport.
    pub in_viewport_total: u32,
    /// Lines of text that is shown and stands outside of the elements, top to bottom.
    pub text: Vec<String>,
    /// Characters of all such text within the scope, what was left out included.
    pub text_total: u32,
    /// The part of the viewport that a canvas, a picture or a video covers, 0 to 1.
    pub pictorial: f64,
    /// Every tab, in the order of their ids.
    pub tabs: Vec<Tab>,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// The file chooser that is open.
    pub chooser: Option<FileChooser>,
    /// The downloads of the session, in the order of their ids, the newest of them.
    pub downloads: Vec<Download>,
    /// What was said since the last snapshot.
    pub diagnostics: Diagnostics,
    /// What could not be seen this time.
    pub unknown: Vec<Unknown>,
}
