//! Addresses that may be reached, and the client that keeps to them.

mod client;
mod error;
mod policy;
mod resolve;
#[cfg(test)]
mod tests;
mod tls;

pub use client::{NetConfig, PolicedClient, ProxyConfig, Redirects};
pub use error::NetError;
pub use eyes_system::address::AddressClass;
pub use policy::{NetPolicy, is_loopback_host};
