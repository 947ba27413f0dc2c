//! Where pins are kept.

use std::{fmt, sync::Arc};

use eyes_evidence::{
    atomic::FileError,
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
};

use super::{
    pin::PinState,
    server::{Observation, ServerPins},
};
use crate::{
    catalog::CatalogTool,
    codes,
    config::{Approval, ServerConfig},
    names::ServerId,
    policy::decide_selected,
};

/// Pins could not be used as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// The server has no such tool.
    #[error("no definition of tool {0:?} was seen")]
    Missing(String),
    /// The definition is no longer the one that was looked at.
    #[error("tool {tool:?} has the definition {newest} now, not {seen}")]
    Stale {
        /// The tool.
        tool: String,
        /// What was looked at.
        seen: Sha256Digest,
        /// What is there.
        newest: Sha256Digest,
    },
    /// Definitions have grave flags, and whoever approves them did not say that they saw these.
    #[error("these tools are flagged: {}", .0.join(", "))]
    Flagged(Vec<String>),
    /// The file could not be read or written.
    #[error("pins cannot be kept: {0}")]
    File(#[from] FileError),
    /// The file would be larger than it is read again.
    #[error("the pins have {bytes} bytes, more than {limit}")]
    Size {
        /// What they would have.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The file was written by a newer version.
    #[error("the file of pins has version {0}, which is newer than this one")]
    Version(u64),
}

impl Coded for PinError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Missing(_) => codes::MCP_PIN_MISSING,
            Self::Stale { .. } => codes::MCP_PIN_STALE,
            Self::Flagged(_) => codes::MCP_PIN_BLOCKED,
            Self::File(_) | Self::Size { .. } => codes::MCP_PIN_STORE_FAILED,
            Self::Version(_) => codes::MCP_PIN_STORE_UNSUPPORTED,
        }
    }
}

/// Keeps the pins of servers.
///
/// Its functions may wait for the disk and for another process, never for long.
pub trait PinStore: fmt::Debug + Send + Sync {
    /// Returns the pins of a server; none where it has none.
    fn load(&self, server: &ServerId) -> Result<ServerPins, PinError>;

    /// Changes the pins of a server in one turn: nobody else's change is lost, and where `change` fails nothing is
    /// changed. Returns them as they are then.
    fn update(
        &self,
        server: &ServerId,
        change: &mut dyn FnMut(&mut ServerPins) -> Result<(), PinError>,
    ) -> Result<ServerPins, PinError>;

    /// Returns the servers that have pins, in order.
    fn servers(&self) -> Result<Vec<ServerId>, PinError>;

    /// Forgets a server; tells whether it had pins.
    fn forget(&self, server: &ServerId) -> Result<bool, PinError>;
}

/// Looks at a generation of tools and keeps what was seen.
///
/// The first definition of a tool that the server's lists allow is approved at once, unless it has a grave flag
/// ([`FlagKind::is_grave`](super::FlagKind::is_grave)) or [`ServerConfig::approval`] says that new ones wait. Where it says that nothing waits, every tool counts as
/// approved, and the pins keep what was approved before. It must be asked again when those settings change.
pub fn observe(
    store: &dyn PinStore,
    server: &ServerConfig,
    tools: &[Arc<CatalogTool>],
) -> Result<Observation, PinError> {
    let mut observation = look(store, server, tools)?;
    if server.approval == Approval::Never {
        for state in observation.states.values_mut() {
            if *state != PinState::Removed {
                *state = PinState::Approved;
            }
        }
    }
    Ok(observation)
}

fn look(
    store: &dyn PinStore,
    server: &ServerConfig,
    tools: &[Arc<CatalogTool>],
) -> Result<Observation, PinError> {
    let trusted = |tool: &CatalogTool| {
        server.approval != Approval::All
            && decide_selected(&server.tools, &tool.candidates(server)).is_allowed()
            && !tool.flags().iter().any(|flag| flag.kind.is_grave())
    };
    // Most looks show nothing new; only those that do take the turn to write.
    let observation = store.load(&server.id)?.observe(tools, trusted);
    if !observation.changed {
        return Ok(observation);
    }
    let mut kept = Observation::default();
    store.update(&server.id, &mut |pins| {
        kept = pins.observe(tools, trusted);
        Ok(())
    })?;
    // Whoever looked in between may have kept the same already; to the caller it is news all the same.
    kept.changed = true;
    Ok(kept)
}
