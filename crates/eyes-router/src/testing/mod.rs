//! Fakes of this crate's ports, and the contract suite that each adapter passes.

mod attempts;
mod clock;
mod contract;
mod scripted;
mod server;
#[cfg(test)]
mod tests;
mod transcript;

pub use attempts::VecAttempts;
pub use clock::TokioClock;
pub use contract::model_provider_contract;
pub use eyes_evidence::testing::{CountingRandom, FixedClock};
pub use scripted::{Script, ScriptedProvider};
pub use server::{LoopbackServer, Received, Step};
pub use transcript::{common_prefix, transcript};
