//! How a server is doing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a server is doing, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ServerStatus {
    /// Nothing was started yet, or it was stopped.
    Idle,
    /// A connection is being made, or its lists are read for the first time.
    Connecting,
    /// Everything that is switched on works.
    Connected,
    /// The connection lives, but one of its lists could not be read or is doubted, or a ping was not answered.
    Degraded,
    /// No connection could be made, or the server crashes in a loop, or none of its lists could be read.
    Error,
    /// It is switched off in the settings.
    Disabled,
    /// The connection is being closed.
    Closing,
    /// The connection ended by itself; the next attempt waits.
    Disconnected,
    /// The connection could not be closed; it is kept, and nothing new is started before it is closed.
    CleanupFailed,
}

impl ServerStatus {
    /// Returns the name that snapshots use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Connecting => "connecting",
            Self::Connected => "connected",
            Self::Degraded => "degraded",
            Self::Error => "error",
            Self::Disabled => "disabled",
            Self::Closing => "closing",
            Self::Disconnected => "disconnected",
            Self::CleanupFailed => "cleanup-failed",
        }
    }
}

impl fmt::Display for ServerStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
