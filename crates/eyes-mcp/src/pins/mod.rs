//! Approved definitions of tools: digests, changes and what looks dangerous in them.
//!
//! A tool is pinned by the digest of its server's id and its whole definition. The first definition of a tool that
//! the server's lists allow is trusted, unless the server waits for approval or the definition has a grave flag; every
//! later one waits. The pins of a
//! server are a value ([`ServerPins`]) that a [`PinStore`] keeps.

mod diff;
mod digest;
mod file;
mod flags;
mod memory;
mod pin;
mod rename;
mod review;
mod server;
mod store;

pub use diff::{Change, diff};
pub use digest::{body_digest, definition_digest};
pub use file::FilePins;
pub use flags::{Flag, FlagKind, flags, shadowing};
pub use memory::MemoryPins;
pub use pin::{ApprovedBy, Pin, PinState, Pinned};
pub use rename::Rename;
pub use review::Review;
pub use server::{Observation, ServerPins};
pub use store::{PinError, PinStore, observe};

#[cfg(test)]
mod tests;
