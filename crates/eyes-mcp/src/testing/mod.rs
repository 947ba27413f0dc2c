//! Fakes of this crate's ports, and the contract suites that every adapter passes.

#[cfg(feature = "oauth")]
mod authorization;
mod contract;
pub mod fixture;
mod generated;
mod loopback;
pub mod pin_contract;
mod scripted;
#[cfg(test)]
mod tests;

#[cfg(feature = "oauth")]
pub use authorization::{Answer, LoopbackAuthorization, SeenRequest};
pub use contract::{NEVER, connection_contract, contract_failure, contract_server};
pub use generated::generated_tools;
pub use loopback::LoopbackConnector;
pub use scripted::{Script, ScriptedServer};
