//! What a task reports when it could not or must not go on.

use std::fmt;

/// A task's result.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// One sentence for the person at the terminal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(String);

impl Failure {
    /// Wraps the sentence.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
