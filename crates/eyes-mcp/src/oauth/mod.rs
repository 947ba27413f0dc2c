//! Authorization with OAuth 2.1, as the protocol's revisions 2025-03-26 to 2026-07-28 have it.
//!
//! One discovery (RFC 9728, RFC 8414), one client and one cell of tokens serve both flows: client credentials
//! without a person, and the authorization code with PKCE for `eyes mcp login`. Every address is checked before
//! it is asked, every answer is bounded, and no token or secret reaches a message.

mod assertion;
mod cell;
mod challenge;
mod client;
mod code;
mod credentials;
mod discovery;
mod exchange;
mod health;
mod keyring;
mod login;
mod metadata;
mod pending;
mod registration;
mod registry;
mod scope;
mod store;
mod tokens;
mod transport;
mod web;

pub use code::AuthorizationCodeTokens;
pub use credentials::ClientCredentialsTokens;
pub use health::{OAuthEvent, OAuthEventSink, OAuthFault, OAuthHealth, OAuthStatus};
#[cfg(feature = "keyring")]
pub use keyring::SystemKeyring;
pub use keyring::{KeyringEntries, KeyringTokens};
pub use pending::PendingLogin;
pub use registry::{OAuthParts, TokenRegistry};
pub use store::{MemoryTokens, StoredLogin, TokenStore};
pub use transport::PolicedTransports;
pub use web::{OAuthTransport, OAuthTransports};

#[cfg(test)]
mod tests;
