//! Settings of a session.

use std::time::Duration;

use crate::{
    limits::{
        DEFAULT_ACTION_TIMEOUT, DEFAULT_ELEMENTS, DEFAULT_STATE_BYTES, DEFAULT_TEXT_CHARS,
        FIRST_SIGN, MAX_ELEMENTS, MAX_STATE_BYTES, MAX_TEXT_CHARS, MIN_STATE_BYTES, QUIET,
        SETTLE_CAP,
    },
    picture::PictureSettings,
};

/// How a session looks and waits; values beyond the limits are brought within them.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// Elements of a state at most.
    pub max_elements: usize,
    /// Characters of page text of a state at most.
    pub max_text_chars: usize,
    /// Bytes of a result's text at most.
    pub max_bytes: usize,
    /// How long an action may take that says nothing itself.
    pub timeout: Duration,
    /// Without change for so long is calm.
    pub quiet: Duration,
    /// How long to wait for a first sign of an effect.
    pub first_sign: Duration,
    /// How long a page may go on moving before it is looked at anyway.
    pub settle_cap: Duration,
    /// Pictures.
    pub pictures: PictureSettings,
    /// Whether an exception that nothing caught fails the run.
    pub exceptions_fail: bool,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            max_elements: DEFAULT_ELEMENTS,
            max_text_chars: DEFAULT_TEXT_CHARS,
            max_bytes: DEFAULT_STATE_BYTES,
            timeout: DEFAULT_ACTION_TIMEOUT,
            quiet: QUIET,
            first_sign: FIRST_SIGN,
            settle_cap: SETTLE_CAP,
            pictures: PictureSettings::default(),
            exceptions_fail: false,
        }
    }
}

impl SessionSettings {
    /// Brings every value within its limits.
    #[must_use]
    pub fn within_limits(self) -> Self {
        Self {
            max_elements: self.max_elements.clamp(1, MAX_ELEMENTS),
            max_text_chars: self.max_text_chars.min(MAX_TEXT_CHARS),
            max_bytes: self.max_bytes.clamp(MIN_STATE_BYTES, MAX_STATE_BYTES),
            ..self
        }
    }
}
