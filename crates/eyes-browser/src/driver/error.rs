//! What can go wrong in a driver.

use eyes_evidence::code::{Coded, ErrorCode};

use crate::codes;

/// A driver could not, or would not, do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct DriverError {
    /// What it was.
    pub kind: DriverErrorKind,
    /// Whether something may have been done to the page already.
    pub began: bool,
}

/// What kept a driver from doing something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriverErrorKind {
    /// No browser could be started: `BROWSER_LAUNCH_FAILED`.
    #[error("no browser could be started: {0}")]
    Launch(String),
    /// The profile is held by another browser: `BROWSER_PROFILE_UNAVAILABLE`.
    #[error("the profile {0} is held by another browser")]
    ProfileHeld(String),
    /// The browser, or the tab, is gone: `BROWSER_CONNECTION_CLOSED`.
    #[error("the browser is gone: {0}")]
    Gone(String),
    /// The element is no longer in its document, or the document is no longer shown: `BROWSER_REF_STALE`.
    #[error("the element is no longer there")]
    NodeGone,
    /// The element is something else now: `BROWSER_REF_MISMATCH`.
    #[error("the element is {now} now")]
    NodeChanged {
        /// What it is, such as `button "Delete"`.
        now: String,
    },
    /// The element has no area, or cannot be scrolled into view: `BROWSER_TARGET_UNAVAILABLE`.
    #[error("the element is not visible")]
    NotVisible,
    /// The element takes no input: `BROWSER_TARGET_DISABLED`.
    #[error("the element is disabled")]
    Disabled,
    /// Something else would be hit: `BROWSER_TARGET_BLOCKED`.
    #[error("the element is covered by {by}")]
    Covered {
        /// What it is, such as `div "Cookies"`.
        by: String,
    },
    /// The element is none that this can be done to: `BROWSER_TARGET_UNSUPPORTED`.
    #[error("{0}")]
    WrongElement(String),
    /// No such option, or it is disabled: `BROWSER_OPTION_MISSING`.
    #[error("{0}")]
    OptionMissing(String),
    /// A dialog is open and has to be answered first: `BROWSER_DIALOG_BLOCKED`.
    #[error("a dialog is open: {0}")]
    DialogOpen(String),
    /// There is no dialog, no chooser, no such tab or history entry: `BROWSER_TARGET_MISSING`.
    #[error("{0}")]
    Missing(String),
    /// The policy forbids the address: `BROWSER_URL_BLOCKED`.
    #[error("{0}")]
    Blocked(String),
    /// The address could not be loaded: `BROWSER_NAVIGATION_FAILED`.
    #[error("{0}")]
    Navigation(String),
    /// A selector is none: `BROWSER_SELECTOR_INVALID`.
    #[error("{0}")]
    Selector(String),
    /// It took too long: `BROWSER_TIMEOUT`.
    #[error("{0} took too long")]
    Timeout(&'static str),
    /// This driver cannot do it: `BROWSER_ACTION_UNSUPPORTED`.
    #[error("{0}")]
    Unsupported(String),
    /// The browser, or its driver program, answered with something that is none: `BROWSER_PROTOCOL_FAILED`.
    #[error("{0}")]
    Protocol(String),
}

impl DriverError {
    /// Makes an error from before anything was done.
    pub const fn before(kind: DriverErrorKind) -> Self {
        Self { kind, began: false }
    }

    /// Makes an error from after something may have been done.
    pub const fn after(kind: DriverErrorKind) -> Self {
        Self { kind, began: true }
    }
}

impl From<DriverErrorKind> for DriverError {
    fn from(kind: DriverErrorKind) -> Self {
        Self::before(kind)
    }
}

impl Coded for DriverError {
    fn code(&self) -> ErrorCode {
        match self.kind {
            DriverErrorKind::Launch(_) => codes::BROWSER_LAUNCH_FAILED,
            DriverErrorKind::ProfileHeld(_) => codes::BROWSER_PROFILE_UNAVAILABLE,
            DriverErrorKind::Gone(_) => codes::BROWSER_CONNECTION_CLOSED,
            DriverErrorKind::NodeGone => codes::BROWSER_REF_STALE,
            DriverErrorKind::NodeChanged { .. } => codes::BROWSER_REF_MISMATCH,
            DriverErrorKind::NotVisible => codes::BROWSER_TARGET_UNAVAILABLE,
            DriverErrorKind::Disabled => codes::BROWSER_TARGET_DISABLED,
            DriverErrorKind::Covered { .. } => codes::BROWSER_TARGET_BLOCKED,
            DriverErrorKind::WrongElement(_) => codes::BROWSER_TARGET_UNSUPPORTED,
            DriverErrorKind::OptionMissing(_) => codes::BROWSER_OPTION_MISSING,
            DriverErrorKind::DialogOpen(_) => codes::BROWSER_DIALOG_BLOCKED,
            DriverErrorKind::Missing(_) => codes::BROWSER_TARGET_MISSING,
            DriverErrorKind::Blocked(_) => codes::BROWSER_URL_BLOCKED,
            DriverErrorKind::Navigation(_) => codes::BROWSER_NAVIGATION_FAILED,
            DriverErrorKind::Selector(_) => codes::BROWSER_SELECTOR_INVALID,
            DriverErrorKind::Timeout(_) => codes::BROWSER_TIMEOUT,
            DriverErrorKind::Unsupported(_) => codes::BROWSER_ACTION_UNSUPPORTED,
            DriverErrorKind::Protocol(_) => codes::BROWSER_PROTOCOL_FAILED,
        }
    }
}
