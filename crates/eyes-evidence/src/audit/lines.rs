//! Audit events as lines of a chained log.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use super::{
    AuditEvent, AuditSink,
    chain::{ChainedLog, LogBounds},
};
use crate::atomic::FileError;

/// Appends events to a log that several processes may share, and that shows when a line was tampered with.
#[derive(Debug)]
pub struct JsonLinesAudit {
    log: ChainedLog,
    lost: AtomicU64,
}

impl JsonLinesAudit {
    /// Opens the log; errors are those of [`ChainedLog::open`].
    pub fn open(path: impl Into<PathBuf>, bounds: LogBounds) -> Result<Self, FileError> {
        Ok(Self {
            log: ChainedLog::open(path, bounds)?,
            lost: AtomicU64::new(0),
        })
    }

    /// Returns the log, to read and to verify it.
    pub const fn log(&self) -> &ChainedLog {
        &self.log
    }
}

impl AuditSink for JsonLinesAudit {
    fn record(&self, event: &AuditEvent) {
        if self.log.append(std::slice::from_ref(event)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
