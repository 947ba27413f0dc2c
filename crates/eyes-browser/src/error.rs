//! Errors of this crate.

use eyes_evidence::code::{Coded, ErrorCode};

use crate::{codes, driver::DriverError, machine::Refusal};

/// A call did not do what it was for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// A rule said no before anything was done.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The driver could not, or would not.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The time of the action was over: `BROWSER_TIMEOUT`.
    #[error("{what} took longer than {ms} ms")]
    Timeout {
        /// What took so long.
        what: &'static str,
        /// The limit in milliseconds.
        ms: u64,
        /// Whether something may have been done already.
        began: bool,
    },
    /// The caller stopped it: `BROWSER_ACTION_CLOSED`.
    #[error("the caller stopped the action")]
    Stopped,
    /// The session was closed: `BROWSER_SESSION_CLOSED`.
    #[error("the session was closed")]
    Closed,
    /// A picture is none: `BROWSER_SCREENSHOT_INTEGRITY_FAILED`.
    #[error("the picture cannot be read: {0}")]
    Picture(String),
    /// A picture does not fit the limits: `BROWSER_SCREENSHOT_LIMIT`.
    #[error("the picture does not fit: {0}")]
    PictureLimit(String),
    /// A file of a run could not be written: `EVIDENCE_PERSIST_FAILED`.
    #[error("the run could not be written: {0}")]
    Persist(String),
}

impl BrowserError {
    /// Returns whether something may have been done to the page.
    pub const fn began(&self) -> bool {
        match self {
            Self::Driver(error) => error.began,
            Self::Timeout { began, .. } => *began,
            Self::Stopped => true,
            _ => false,
        }
    }
}

impl Coded for BrowserError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::Driver(error) => error.code(),
            Self::Timeout { .. } => codes::BROWSER_TIMEOUT,
            Self::Stopped => codes::BROWSER_ACTION_CLOSED,
            Self::Closed => codes::BROWSER_SESSION_CLOSED,
            Self::Picture(_) => codes::BROWSER_SCREENSHOT_INTEGRITY_FAILED,
            Self::PictureLimit(_) => codes::BROWSER_SCREENSHOT_LIMIT,
            Self::Persist(_) => eyes_evidence::codes::EVIDENCE_PERSIST_FAILED,
        }
    }
}
