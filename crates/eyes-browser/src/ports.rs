//! Every trait that this crate needs from outside.

use std::{
    fmt,
    path::{Path, PathBuf},
};

pub use eyes_evidence::ports::{Clock, RandomSource};
use eyes_evidence::{digest::Sha256Digest, ports::BoxFuture};

use crate::{
    driver::{
        Capabilities, Capture, CaptureRequest, Command, DriverError, Node, Performed, Query, Scope,
        Settle, Settled, Snapshot,
    },
    report::{ReplayStep, RunHeader, RunStep},
    secret::Secret,
};

/// Where browsers come from.
pub trait BrowserDriver: fmt::Debug + Send + Sync {
    /// Starts a browser, or attaches to one that runs, with one tab as its page.
    ///
    /// A future that is dropped on the way leaves no process and no folder. Errors: `BROWSER_LAUNCH_FAILED` with
    /// every candidate and why it was not taken, `BROWSER_PROFILE_UNAVAILABLE` for one that another browser holds.
    fn open(&self) -> BoxFuture<'_, Result<Box<dyn PageDriver>, DriverError>>;
}

/// One browser and its tabs; commands go to the tab that is its page.
///
/// Dropping it ends what it started. Every future may be dropped: the command may then have happened or not, and the
/// driver stays usable.
pub trait PageDriver: fmt::Debug + Send + Sync {
    /// Returns what this driver can do and see; it does not change.
    fn capabilities(&self) -> Capabilities;

    /// Returns whether the browser is there still, without asking it.
    fn is_alive(&self) -> bool;

    /// Looks at the page without changing it.
    ///
    /// Survives navigations: what was begun in one document is collected again in the next, up to
    /// [`SNAPSHOT_TIMEOUT`](crate::limits::SNAPSHOT_TIMEOUT). While a dialog is open the elements and texts are absent
    /// and the dialog stands in the snapshot.
    fn snapshot<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Snapshot, DriverError>>;

    /// Finds elements of any kind in the page with all its frames and shadow roots, in document order.
    ///
    /// At most [`MAX_FOUND`](crate::limits::MAX_FOUND). Errors: a selector that is none.
    fn find<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Node>, DriverError>>;

    /// Does one thing to the page.
    ///
    /// A [`DriverError`] whose [`began`](DriverError::began) is false proves that nothing was done. Targets are
    /// checked right before: attached, same document, same fingerprint, visible, enabled where it matters, and the hit
    /// test at the point names the target, its descendant or its label.
    fn perform<'a>(&'a self, command: &'a Command)
    -> BoxFuture<'a, Result<Performed, DriverError>>;

    /// Waits until what the last command caused has calmed down, and tells what was seen of it.
    fn settle<'a>(&'a self, settle: &'a Settle) -> BoxFuture<'a, Result<Settled, DriverError>>;

    /// Takes a picture of what is shown, without changing the page.
    fn capture<'a>(
        &'a self,
        request: &'a CaptureRequest,
    ) -> BoxFuture<'a, Result<Capture, DriverError>>;

    /// Ends the browser that it started and removes its folders; one that it attached to is left running.
    fn close(&self) -> BoxFuture<'_, Result<(), DriverError>>;
}

/// Where the values of secrets come from that an action refers to by name.
pub trait SecretSource: fmt::Debug + Send + Sync {
    /// Returns the value of a variable; nothing where it is not set, or where the settings do not list its name.
    fn secret(&self, name: &str) -> Option<Secret>;
}

/// Which files may leave this machine.
pub trait UploadRule: fmt::Debug + Send + Sync {
    /// Returns the file to hand over, with links resolved, or why it is refused.
    fn admit(&self, path: &Path) -> Result<PathBuf, String>;
}

/// Where a run is written down, step by step.
pub trait RunLog: fmt::Debug + Send + Sync {
    /// Writes what begins the run; called once.
    fn begin(&self, header: &RunHeader) -> Result<(), String>;

    /// Adds a step.
    fn step(&self, step: &RunStep) -> Result<(), String>;

    /// Adds what repeats a step.
    fn replay(&self, step: &ReplayStep) -> Result<(), String>;

    /// Keeps a delivered picture, secrets masked, by the digest of its file.
    fn picture(&self, sha256: &Sha256Digest, png: &[u8]) -> Result<(), String>;

    /// Writes a report, JSON, and returns its file.
    fn report(&self, name: &str, json: &[u8]) -> Result<PathBuf, String>;
}
