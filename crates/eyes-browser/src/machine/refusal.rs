//! Why an action is not done.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    state::{StateError, StateId},
};

use crate::{action::Ref, codes, driver::TabId};

/// A rule said no; the page is untouched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nothing was observed yet, or the id is none of the newest state: `BROWSER_STATE_MISSING`,
    /// `STALE_BROWSER_STATE`.
    #[error(transparent)]
    State(#[from] StateError),
    /// An action was done on this state already: `STALE_BROWSER_STATE`.
    #[error("state {0} was acted on already; nothing was done")]
    Spent(StateId),
    /// The action names no state: `BROWSER_STATE_MISSING`.
    #[error("the action names no state")]
    Ungrounded,
    /// No browser is open: `BROWSER_NOT_OPEN`.
    #[error("no browser is open")]
    NotOpen,
    /// `BROWSER_REF_NOT_FOUND`.
    #[error("no element of the newest state is {0}")]
    RefNotFound(Ref),
    /// `BROWSER_TARGET_MISSING`.
    #[error("nothing matches {0}")]
    NoMatch(String),
    /// `BROWSER_TARGET_INVALID`.
    #[error("{count} elements match {what}: {list}")]
    Ambiguous {
        /// What was looked for.
        what: String,
        /// How many there are at least.
        count: usize,
        /// The first of them.
        list: String,
    },
    /// `BROWSER_PICTURE_MISSING`.
    #[error("no picture of this state was delivered")]
    NoPicture,
    /// `BROWSER_COORDINATE_OUT_OF_BOUNDS`.
    #[error("({x}, {y}) is outside of the picture of {width}x{height}")]
    OutOfBounds {
        /// The point, whole pixels.
        x: i64,
        /// The point, whole pixels.
        y: i64,
        /// The picture's width.
        width: u32,
        /// The picture's height.
        height: u32,
    },
    /// `BROWSER_DIALOG_BLOCKED`.
    #[error("a dialog is open: {0}")]
    DialogOpen(String),
    /// There is no dialog or file chooser: `BROWSER_TARGET_MISSING`.
    #[error("no {0} is open")]
    NothingOpen(&'static str),
    /// `BROWSER_TARGET_MISSING`.
    #[error("there is no tab {0}")]
    NoTab(TabId),
    /// `BROWSER_ACTION_INVALID`.
    #[error("{0}")]
    Address(String),
    /// `BROWSER_SECRET_MISSING`.
    #[error("the variable {0:?} is not set, or is not listed")]
    NoSecret(String),
    /// `BROWSER_SECRET_MISSING`: more secrets than can be kept out of texts.
    #[error("the session knows too many or too long secrets to keep another one out of its texts")]
    SecretLimit,
    /// `BROWSER_FILE_BLOCKED`.
    #[error("{0}")]
    File(String),
}

impl Refusal {
    /// Returns whether the caller acted on an old state.
    pub const fn is_stale(&self) -> bool {
        matches!(self, Self::Spent(_) | Self::State(StateError::Stale { .. }))
    }
}

impl Coded for Refusal {
    fn code(&self) -> ErrorCode {
        match self {
            Self::State(error) => error.code(),
            Self::Spent(_) => eyes_evidence::codes::STALE_BROWSER_STATE,
            Self::Ungrounded => eyes_evidence::codes::BROWSER_STATE_MISSING,
            Self::NotOpen => codes::BROWSER_NOT_OPEN,
            Self::RefNotFound(_) => codes::BROWSER_REF_NOT_FOUND,
            Self::NoMatch(_) | Self::NothingOpen(_) | Self::NoTab(_) => {
                codes::BROWSER_TARGET_MISSING
            }
            Self::Ambiguous { .. } => codes::BROWSER_TARGET_INVALID,
            Self::NoPicture => codes::BROWSER_PICTURE_MISSING,
            Self::OutOfBounds { .. } => codes::BROWSER_COORDINATE_OUT_OF_BOUNDS,
            Self::DialogOpen(_) => codes::BROWSER_DIALOG_BLOCKED,
            Self::Address(_) => codes::BROWSER_ACTION_INVALID,
            Self::NoSecret(_) | Self::SecretLimit => codes::BROWSER_SECRET_MISSING,
            Self::File(_) => codes::BROWSER_FILE_BLOCKED,
        }
    }
}
