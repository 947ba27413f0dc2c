//! Events in a file that several processes share, written off the request path (feature `fs`).
//!
//! The file is JSON Lines: a first line with the version, then one line for each event, and now and then a
//! checkpoint in the place of all lines before it. Writers append whole batches under `<name>.lock` and
//! synchronise them. Readers take no lock: lines are only ever added, and a checkpoint comes with a new file
//! of the same name.
//!
//! A process that is killed leaves at most one unfinished line at the end; the next writer cancels it and
//! readers skip it. What is no ledger, or one of a newer version, is set aside under another name and never
//! written over.

mod error;
mod file;
mod line;
mod queue;
mod read;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
};

pub use error::LedgerError;
use eyes_evidence::atomic::{private_dir, write_error};
use file::LedgerFile;
use queue::{Queue, WriterSide};
pub use read::{Erased, LedgerMark, LedgerPart, LedgerPartKind, LedgerReading, SetAsideReason};

use crate::{
    event::UsageEvent,
    limits::{DEFAULT_COMPACT_BYTES, DEFAULT_QUEUE_EVENTS, FLUSH_WAIT},
    ports::UsageSink,
};

/// How much a ledger holds in memory and on disk before it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerBounds {
    /// Events that wait to be written; more are lost.
    pub queue_events: usize,
    /// Bytes of events after which the file is compacted, unless the checkpoint itself is longer.
    pub compact_bytes: u64,
}

impl Default for LedgerBounds {
    fn default() -> Self {
        Self {
            queue_events: DEFAULT_QUEUE_EVENTS,
            compact_bytes: DEFAULT_COMPACT_BYTES,
        }
    }
}

/// A ledger that this process writes to.
///
/// Recording copies the events into a bounded queue; a thread of its own writes them in batches. What does not
/// fit is counted, here and in the file. What cannot be written stays in the queue and is tried again with the
/// next event, flush or close. Dropping the ledger flushes it.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    queue: Arc<Queue>,
    writer: Option<JoinHandle<()>>,
}

/// How writing goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerStatus {
    /// Events that are not on the disk yet.
    pub waiting: u64,
    /// Events that were lost.
    pub lost: u64,
    /// What is wrong with the file; nothing after a write that went well.
    pub failure: Option<String>,
    /// Files that this process set aside.
    pub set_aside: Vec<PathBuf>,
}

impl Ledger {
    /// Prepares the private directory and starts the writer; the file itself is made with the first event.
    ///
    /// Errors are those of [`private_dir`], and `FILE_WRITE_FAILED` where the system has no thread to give.
    pub fn open(path: impl Into<PathBuf>, bounds: LedgerBounds) -> Result<Self, LedgerError> {
        let path = path.into();
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            private_dir(dir)?;
        }
        let queue = Arc::new(Queue::new(bounds.queue_events));
        let file = LedgerFile::new(path.clone(), bounds);
        let writer = {
            let queue = Arc::clone(&queue);
            thread::Builder::new()
                .name("usage-ledger".to_owned())
                .spawn(move || write_all(&queue, file))
                .map_err(write_error("start the writer of", &path))?
        };
        Ok(Self {
            path,
            queue,
            writer: Some(writer),
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until everything that was recorded before is on the disk, at most [`FLUSH_WAIT`].
    ///
    /// [`LedgerError::Unwritten`] (`USAGE_WRITE_FAILED`) says why it is not there, [`LedgerError::Timeout`]
    /// (`USAGE_WRITE_TIMEOUT`) that it takes longer; the events keep waiting.
    pub fn flush(&self) -> Result<(), LedgerError> {
        self.queue.flush(FLUSH_WAIT)
    }

    /// Tells how writing goes.
    pub fn status(&self) -> LedgerStatus {
        self.queue.status()
    }
}

impl UsageSink for Ledger {
    fn record(&self, events: &[UsageEvent]) {
        self.queue.take(events);
    }

    fn lost(&self) -> u64 {
        self.queue.lost()
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // A writer that still waits for a lock or a disk by then is left to the end of the process.
        if self.queue.close(FLUSH_WAIT)
            && let Some(writer) = self.writer.take()
        {
            // A writer that panicked has nothing more to write.
            drop(writer.join());
        }
    }
}

/// Writes what is queued in batches, and ends with the queue.
fn write_all(queue: &Queue, mut file: LedgerFile) {
    let side = WriterSide(queue);
    let mut batch = Vec::new();
    loop {
        let turn = side.turn(&mut batch);
        if !batch.is_empty() || turn.lost > 0 {
            let outcome = file.append(&batch, turn.lost);
            if outcome.is_ok() {
                batch.clear();
            }
            side.done(&turn, outcome);
        }
        if turn.last {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
