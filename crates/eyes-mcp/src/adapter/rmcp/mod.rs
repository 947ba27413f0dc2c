//! Connections and servers over rmcp.

#[cfg(any(feature = "http", feature = "stdio"))]
mod connection;
#[cfg(any(feature = "http", feature = "stdio"))]
mod connector;
#[cfg(any(feature = "http", feature = "stdio"))]
mod convert;
#[cfg(any(feature = "http", feature = "stdio"))]
mod elicit;
#[cfg(any(feature = "http", feature = "stdio"))]
mod failure;
pub mod fault;
#[cfg(any(feature = "http", feature = "stdio"))]
mod handler;
#[cfg(any(feature = "http", feature = "stdio"))]
mod handshake;
#[cfg(any(feature = "http", feature = "stdio"))]
mod header_rules;
#[cfg(feature = "http")]
mod http;
#[cfg(any(feature = "http", feature = "stdio"))]
mod input;
#[cfg(any(feature = "http", feature = "stdio"))]
mod listen;
#[cfg(feature = "stdio")]
mod program;
#[cfg(any(feature = "http", feature = "stdio"))]
mod progress;
#[cfg(feature = "serve")]
pub mod server;
#[cfg(feature = "stdio")]
pub mod stdio;
#[cfg(test)]
mod tests;

#[cfg(any(feature = "http", feature = "stdio"))]
pub use connector::{RmcpConnector, RmcpParts};
