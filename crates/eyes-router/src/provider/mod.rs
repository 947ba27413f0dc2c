//! Providers behind a network: one shared HTTP client, and the wire forms that models are asked in.
//!
//! Everything that connects must be polled inside a tokio runtime with its time and its input and output
//! drivers. Nothing here reads the environment or a file: keys, proxies and certificates come as values.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "http")]
mod call;
#[cfg(feature = "http")]
mod catalog;
#[cfg(feature = "http")]
mod conversation;
#[cfg(feature = "http")]
mod endpoint;
#[cfg(feature = "http")]
mod fault;
#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod fixture;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "openai")]
pub mod openai;
mod secret;
pub mod sse;
#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;
#[cfg(feature = "http")]
mod tool_calls;

#[cfg(feature = "http")]
pub use endpoint::{EndpointConfig, KeyPlacement, ProviderConfigError};
pub use secret::Secret;
