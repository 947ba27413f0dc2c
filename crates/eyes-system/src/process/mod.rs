//! Child processes that end with us.
//!
//! A program and everything it starts form one group that ends when it is closed, when it is dropped, and when this
//! process is killed. Only what leaves the group on purpose (`setsid`) is beyond that; it has the signal to end that
//! the program got, and the end of its pipes.

mod environment;
mod guard;
mod lookup;
mod stderr;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;

pub use environment::{HostEnvironment, Variables};
use eyes_evidence::redact::Redactor;
pub use guard::ChildGuard;
pub use lookup::{Search, extensions, is_program};
pub use stderr::printable;
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio_util::sync::CancellationToken;
#[cfg(unix)]
use unix as platform;
#[cfg(windows)]
use windows as platform;

/// A program that was just started.
#[derive(Debug)]
pub struct Spawned {
    /// Its standard input where it was piped; whoever holds it drops it when [`closing`](Self::closing) is cancelled.
    pub stdin: Option<ChildStdin>,
    /// Its standard output where it was piped.
    pub stdout: Option<ChildStdout>,
    /// Cancelled when the program is being closed.
    pub closing: CancellationToken,
    /// Ends it.
    pub guard: ChildGuard,
}

/// What was killed is there still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process {process} did not end although it was killed")]
pub struct StillRunning {
    /// Its id.
    pub process: u32,
}

/// Starts a program in a group of its own; it needs a tokio runtime.
///
/// The caller says what becomes of standard input and output; standard error is always read, and the newest
/// [`MAX_STDERR_BYTES`](crate::limits::MAX_STDERR_BYTES) of it are kept, redacted. Errors: what the
/// system says.
pub fn spawn(command: Command, redactor: Redactor) -> io::Result<Spawned> {
    platform::start(command).map(|started| ChildGuard::watch(started, redactor))
}

#[cfg(test)]
mod tests;
