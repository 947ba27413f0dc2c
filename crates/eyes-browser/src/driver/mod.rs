//! What a session and a driver say to each other; no protocol's types.

mod command;
mod error;
mod node;
mod snapshot;
#[cfg(test)]
mod tests;

use std::{fmt, time::Duration};

pub use command::{
    Button, Command, DialogAnswer, History, Key, KeyChord, Modifiers, NodeTarget, Performed,
    ScrollSpec, Spot, TypeMode, TypedText,
};
pub use error::{DriverError, DriverErrorKind};
pub use node::{Bounds, DocumentId, Fingerprint, Flags, Node, NodeKey, Point, Tristate};
pub use snapshot::{
    ConsoleEntry, ConsoleLevel, Diagnostics, Dialog, DialogKind, Download, DownloadState,
    FileChooser, Page, RequestFailure, Scroll, Snapshot, Tab, TabId, Unknown, Viewport,
};

/// What a driver can do; it does not change while the browser runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The browser and its version, such as `Chromium 156.0.8078.73`.
    pub browser: String,
    /// How it is driven, such as `cdp`.
    pub protocol: &'static str,
    /// What this driver cannot see or do; a state repeats it.
    pub unknown: Vec<Unknown>,
}

/// How much of a page a snapshot holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Elements to return at most; viewport first, then document order.
    pub max_elements: usize,
    /// Characters of text to return at most.
    pub max_text_chars: usize,
    /// Only what this element holds.
    pub within: Option<NodeKey>,
    /// Only what touches this part of the viewport, in CSS pixels.
    pub region: Option<Bounds>,
    /// Only elements and lines of text that contain this, whatever the case.
    pub find: Option<String>,
    /// Text of the whole document instead of what the viewport shows.
    pub whole_text: bool,
}

/// Which elements are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// By CSS selector; matches in every frame and shadow root.
    Css(String),
    /// By role and accessible name.
    Role {
        /// The WAI-ARIA role.
        role: String,
        /// The accessible name; any where absent.
        name: Option<String>,
        /// Whether the name must be equal instead of containing, whatever the case.
        exact: bool,
    },
    /// By accessible name or own text: interactive elements first, else the innermost element that shows it.
    Text {
        /// The text.
        text: String,
        /// Whether it must be equal instead of containing, whatever the case.
        exact: bool,
    },
    /// The element with this key, shown or not; none where it is no longer in a document that is shown.
    Key(NodeKey),
}

/// How long to wait for calm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settle {
    /// Without change for so long is calm.
    pub quiet: Duration,
    /// Where nothing at all has been seen yet, how long to wait for a first sign.
    pub first_sign: Duration,
    /// Never longer than this.
    pub cap: Duration,
}

/// What was seen between the last command and calm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Settled {
    /// The page shows another document.
    pub navigated: bool,
    /// The document changed, or its address did within the document.
    pub mutated: bool,
    /// Requests that began.
    pub requests: u32,
    /// A dialog, a file chooser, a tab or a download appeared.
    pub surroundings: bool,
    /// The cap was reached while something still moved.
    pub capped: bool,
}

impl Settled {
    /// Returns whether anything at all was seen.
    pub const fn any(&self) -> bool {
        self.navigated || self.mutated || self.requests > 0 || self.surroundings
    }
}

/// Which part of the page to take a picture of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaptureRequest {
    /// A part of the viewport in CSS pixels; all of it where absent.
    pub region: Option<Bounds>,
}

/// A picture of the page.
#[derive(Clone, PartialEq)]
pub struct Capture {
    /// The picture as the browser encoded it, PNG.
    pub png: Vec<u8>,
    /// Pixels of the picture for one CSS pixel.
    pub scale: f64,
    /// Where the picture's left upper corner is in the viewport, in CSS pixels.
    pub origin: Point,
    /// Where secret values stand, in CSS pixels of the viewport: fields that hold one, wherever it was typed.
    pub secrets: Vec<Bounds>,
}

impl fmt::Debug for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capture({} bytes)", self.png.len())
    }
}
