//! What a tool may do, by its annotations.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::definition::Annotations;

/// What a tool does, by its server's own word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// It changes nothing.
    Read,
    /// It writes.
    Write,
    /// It may write; the server does not say.
    UnknownWrite,
    /// It may destroy.
    Destructive,
}

impl Risk {
    /// Reads the hints: what may destroy is destructive whatever else is said.
    pub const fn of(hints: Annotations) -> Self {
        match (hints.destructive_hint, hints.read_only_hint) {
            (Some(true), _) => Self::Destructive,
            (_, Some(true)) => Self::Read,
            (_, Some(false)) => Self::Write,
            (_, None) => Self::UnknownWrite,
        }
    }

    /// Tells whether somebody should be asked before such a tool runs.
    pub const fn requires_approval(self) -> bool {
        !matches!(self, Self::Read)
    }

    /// Returns the name that is shown: `read`, `write`, `unknown-write` or `destructive`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::UnknownWrite => "unknown-write",
            Self::Destructive => "destructive",
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
