//! Where logins are kept.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};
use url::Url;

use super::tokens::TokenSet;
use crate::{error::McpError, names::ServerId, ports::BoxFuture};

/// A login: tokens, and what is needed to renew them without another look at the server.
///
/// It is written as one JSON object whose form only this crate knows; `Debug` shows no secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoredLogin {
    pub(super) version: u32,
    pub(super) issuer: Option<String>,
    pub(super) token_endpoint: Url,
    pub(super) resource: String,
    pub(super) client_id: String,
    /// The secret of a client that was registered for this login; one of the settings is never written.
    pub(super) client_secret: Option<String>,
    /// Whether the secret is sent in the header.
    pub(super) secret_in_header: bool,
    pub(super) access_token: String,
    pub(super) refresh_token: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) expires_at_ms: Option<u64>,
    pub(super) lifetime_ms: Option<u64>,
}

impl fmt::Debug for StoredLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredLogin")
            .field("issuer", &self.issuer)
            .field("scope", &self.scope)
            .field("expires_at_ms", &self.expires_at_ms)
            .finish_non_exhaustive()
    }
}

impl StoredLogin {
    /// The version of the form that is written and read.
    pub(super) const VERSION: u32 = 1;

    pub(super) fn tokens(&self) -> TokenSet {
        TokenSet {
            access: self.access_token.as_str().into(),
            refresh: self.refresh_token.as_deref().map(Into::into),
            scope: self.scope.clone(),
            expires_at_ms: self.expires_at_ms,
            lifetime_ms: self.lifetime_ms,
        }
    }

    /// Takes newer tokens; a refresh token and a scope that are not told stay (RFC 6749, section 6).
    pub(super) fn renew(&mut self, tokens: &TokenSet) {
        self.access_token = tokens.access.to_string();
        if let Some(refresh) = &tokens.refresh {
            self.refresh_token = Some(refresh.to_string());
        }
        if let Some(scope) = &tokens.scope {
            self.scope = Some(scope.clone());
        }
        self.expires_at_ms = tokens.expires_at_ms;
        self.lifetime_ms = tokens.lifetime_ms;
    }
}

/// Keeps logins by the name of their authorization.
pub trait TokenStore: fmt::Debug + Send + Sync {
    /// Reads a login; nothing where there is none or it is of another form.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<StoredLogin>, McpError>>;

    /// Writes a login over the one before; the one before stays until the new one is whole.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn save<'a>(
        &'a self,
        name: &'a str,
        login: &'a StoredLogin,
    ) -> BoxFuture<'a, Result<(), McpError>>;

    /// Forgets a login.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), McpError>>;
}

/// Keeps logins in memory, until the program ends.
#[derive(Default)]
pub struct MemoryTokens {
    logins: Mutex<BTreeMap<String, StoredLogin>>,
}

impl MemoryTokens {
    fn with<T>(&self, change: impl FnOnce(&mut BTreeMap<String, StoredLogin>) -> T) -> T {
        change(&mut self.logins.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for MemoryTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryTokens({})", self.with(|logins| logins.len()))
    }
}

impl TokenStore for MemoryTokens {
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<StoredLogin>, McpError>> {
        let found = self.with(|logins| logins.get(name).cloned());
        Box::pin(async move { Ok(found) })
    }

    fn save<'a>(
        &'a self,
        name: &'a str,
        login: &'a StoredLogin,
    ) -> BoxFuture<'a, Result<(), McpError>> {
        self.with(|logins| logins.insert(name.to_owned(), login.clone()));
        Box::pin(async { Ok(()) })
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), McpError>> {
        self.with(|logins| logins.remove(name));
        Box::pin(async { Ok(()) })
    }
}

/// Names the authorization of a server: its id, and a digest of its address and client.
pub(super) fn login_name(server: &ServerId, url: &Url, client_variable: Option<&str>) -> String {
    let parts = [url.as_str(), "\n", client_variable.unwrap_or_default()];
    let digest = Sha256Digest::of_parts(parts.map(str::as_bytes)).to_string();
    format!("mcp/{server}/{}", digest.get(..16).unwrap_or(&digest))
}
