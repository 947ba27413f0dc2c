//! MCP servers under policy.
//!
//! One bounded connection a server; what it offers is admitted, pinned and exposed by policy; every call is
//! validated before it leaves and audited, and its result is bounded before anybody reads it. Eyes itself can be
//! served the same way. Revisions of the protocol: 2024-11-05 to 2026-07-28.

#[cfg(any(feature = "http", feature = "serve", feature = "stdio"))]
pub mod adapter;
pub mod audit;
pub mod authorization;
pub mod call;
pub mod catalog;
pub mod codes;
pub mod config;
pub mod connection;
pub mod content;
pub mod definition;
pub mod error;
#[cfg(any(test, feature = "http", feature = "stdio", feature = "testing"))]
mod event_queue;
pub mod exposure;
pub mod limits;
pub mod manager;
pub mod names;
#[cfg(feature = "http")]
pub mod net;
#[cfg(feature = "oauth")]
pub mod oauth;
pub mod pins;
pub mod policy;
pub mod ports;
#[cfg(feature = "stdio")]
pub mod process;
pub mod quota;
pub mod result;
pub mod schema;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod visible;
pub mod wire;
