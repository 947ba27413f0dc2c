//! A web page as a state machine that never acts on the wrong thing.
//!
//! A pure [`machine`] turns a state and an action into a plan or a refusal; a short serial [`session`] around it
//! drives one browser through the ports of [`ports`]. Types of a protocol stay in their adapter.

pub mod action;
#[cfg(feature = "cdp")]
pub mod adapter;
pub mod assertion;
pub mod codes;
#[cfg(feature = "cdp")]
pub mod config;
pub mod driver;
pub mod error;
pub mod limits;
pub mod machine;
pub mod picture;
pub mod policy;
pub mod ports;
pub mod report;
pub mod secret;
pub mod session;
pub mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tool;
