//! Whole results on the disk.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use eyes_evidence::{
    code::Coded as _,
    digest::Sha256Digest,
    store::{Pruned, StoreBounds, StoreError, fs::FsArtifacts},
};

use super::ResultArtifact;
use crate::{
    codes,
    error::McpError,
    limits::{
        ARTIFACT_EXPIRY_INTERVAL, DEFAULT_ARTIFACT_AGE, DEFAULT_ARTIFACT_BYTES,
        DEFAULT_ARTIFACT_ITEMS, MAX_ARTIFACT_CHUNK_BYTES,
    },
    ports::{ArtifactStore, Clock},
};

/// How long and how much is kept; the oldest goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArtifactBounds {
    /// What is older is removed.
    pub max_age: Duration,
    /// Bytes of all artifacts.
    pub max_bytes: u64,
    /// Artifacts; at least 1.
    pub max_items: usize,
}

impl Default for ArtifactBounds {
    fn default() -> Self {
        Self {
            max_age: DEFAULT_ARTIFACT_AGE,
            max_bytes: DEFAULT_ARTIFACT_BYTES,
            max_items: DEFAULT_ARTIFACT_ITEMS,
        }
    }
}

/// A stretch of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactChunk {
    /// The text; it begins and ends at borders between characters.
    pub text: String,
    /// Where it begins in the file, in bytes; before the offset that was asked for where that is inside a character.
    pub offset: u64,
    /// Where the next one begins; nothing at the end.
    pub next: Option<u64>,
    /// Bytes of the whole file.
    pub total: u64,
}

/// Keeps whole results in a private directory, each under the SHA-256 of its file.
#[derive(Debug)]
pub struct ResultArtifacts {
    store: FsArtifacts,
    bounds: ArtifactBounds,
    clock: Arc<dyn Clock>,
    next_expiry_ms: AtomicU64,
}

impl ResultArtifacts {
    /// Opens or makes the directory, and removes what is too old.
    ///
    /// Errors: `EVIDENCE_STORE_BLOCKED` for a place that is a symbolic link or open to others,
    /// `EVIDENCE_STORE_UNAVAILABLE`, `EVIDENCE_PERSIST_FAILED`.
    pub fn open(
        dir: impl Into<PathBuf>,
        bounds: ArtifactBounds,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, McpError> {
        let store_bounds = StoreBounds {
            max_items: bounds.max_items,
            max_bytes: bounds.max_bytes,
        };
        let artifacts = Self {
            store: FsArtifacts::open(dir, store_bounds).map_err(|error| stored(&error))?,
            bounds,
            clock,
            next_expiry_ms: AtomicU64::new(0),
        };
        artifacts.expire()?;
        Ok(artifacts)
    }

    /// Stores a text and a line break; one that is there already becomes the newest.
    ///
    /// Errors: `EVIDENCE_PERSIST_FAILED`, and `EVIDENCE_STORE_LIMIT` for more bytes than the bounds.
    pub fn put(&self, text: &str) -> Result<ResultArtifact, McpError> {
        let file = format!("{text}\n").into_bytes();
        if self.clock.unix_ms() >= self.next_expiry_ms.load(Ordering::Relaxed) {
            // What could not be removed now is tried again after the interval; the new result comes first.
            drop(self.expire());
        }
        let sha256 = self.store.put(&file).map_err(|error| stored(&error))?;
        self.store
            .date(&sha256, self.now())
            .map_err(|error| stored(&error))?;
        Ok(ResultArtifact {
            sha256,
            bytes: file.len() as u64,
            media_type: "application/json",
            path: self.store.path(&sha256),
        })
    }

    /// Reads at most `len` bytes from `offset` on, at most [`MAX_ARTIFACT_CHUNK_BYTES`] and at least one character.
    ///
    /// The whole file is verified against its digest. Errors: `MCP_ARTIFACT_MISSING`, and
    /// `EVIDENCE_STORE_MISMATCH` for a file that changed, which is set aside.
    pub fn read_range(
        &self,
        sha256: &Sha256Digest,
        offset: u64,
        len: usize,
    ) -> Result<ArtifactChunk, McpError> {
        let file = self.store.open(sha256).map_err(|error| stored(&error))?;
        let file = file.ok_or_else(|| {
            McpError::new(
                codes::MCP_ARTIFACT_MISSING,
                format!("there is no artifact {sha256}"),
            )
        })?;
        let text = std::str::from_utf8(&file).map_err(|_| {
            McpError::new(
                codes::MCP_ARTIFACT_MISSING,
                format!("the artifact {sha256} is no text"),
            )
        })?;
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let start = text.floor_char_boundary(from);
        let end = start.saturating_add(len.clamp(1, MAX_ARTIFACT_CHUNK_BYTES));
        let end = match text.floor_char_boundary(end) {
            end if end == start => text.ceil_char_boundary(start + 1),
            end => end,
        };
        Ok(ArtifactChunk {
            text: text[start..end].to_owned(),
            offset: start as u64,
            next: (end < text.len()).then_some(end as u64),
            total: text.len() as u64,
        })
    }

    /// Removes what is too old, and tells what it was.
    pub fn expire(&self) -> Result<Pruned, McpError> {
        let interval = ARTIFACT_EXPIRY_INTERVAL.as_millis() as u64;
        let next = self.clock.unix_ms().saturating_add(interval);
        self.next_expiry_ms.store(next, Ordering::Relaxed);
        let Some(oldest) = self.now().checked_sub(self.bounds.max_age) else {
            return Ok(Pruned::default());
        };
        self.store
            .remove_older(oldest)
            .map_err(|error| stored(&error))
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.clock.unix_ms())
    }
}

fn stored(error: &StoreError) -> McpError {
    McpError::new(error.code(), error.to_string())
}
