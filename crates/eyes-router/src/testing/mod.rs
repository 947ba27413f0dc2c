//! Fakes of this crate's ports, and the contract suite that each adapter passes.

mod clock;
mod contract;
mod scripted;

pub use clock::FixedClock;
pub use contract::model_provider_contract;
pub use scripted::{Script, ScriptedProvider};
