//! What decides whether a server has to be connected anew.

use std::fmt;

use eyes_evidence::digest::Sha256Digest;
use serde_json::{Value, json};

use super::{
    HttpServer, OAuthCredential, OAuthFlow, OAuthSettings, SecretAuthMethod, ServerConfig,
    StdioServer, Transport,
};

/// SHA-256 over the canonical JSON (RFC 8785) of what a connection depends on.
///
/// That is everything but the name, the lists, the exposure and the approval: those are policy, and apply to a
/// connection that stands. Values of variables are no part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigFingerprint(Sha256Digest);

impl fmt::Display for ConfigFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for ConfigFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConfigFingerprint({})", self.0)
    }
}

impl ServerConfig {
    /// Returns the fingerprint of what its connection depends on.
    ///
    /// # Panics
    /// Never: settings are plain data.
    pub fn fingerprint(&self) -> ConfigFingerprint {
        let transport = match &self.transport {
            Transport::Stdio(server) => stdio(server),
            Transport::Http(server) => http(server),
        };
        let whole = json!({
            "id": self.id.as_str(),
            "enabled": self.enabled,
            "toolsEnabled": self.planes.tools,
            "resourcesEnabled": self.planes.resources,
            "promptsEnabled": self.planes.prompts,
            "riskPolicy": self.risk_policy.as_str(),
            // As text: a time may be beyond what a double holds.
            "timeoutMs": self.timeout.as_millis().to_string(),
            "transport": transport,
        });
        let canonical = eyes_evidence::canonical::Canonical::of_value(&whole);
        ConfigFingerprint(canonical.expect("settings are plain data").digest())
    }
}

fn stdio(server: &StdioServer) -> Value {
    json!({
        "transport": "stdio",
        "command": server.command,
        "args": server.args,
        "cwd": server.cwd.as_ref().map(|cwd| cwd.to_string_lossy()),
        "env": server.env,
    })
}

fn http(server: &HttpServer) -> Value {
    json!({
        "transport": "streamable-http",
        "url": server.url.as_str(),
        "query": server.query,
        "headers": server.headers,
        "oauth": server.oauth.as_ref().map(oauth),
        "allowPrivate": server.allow_private,
    })
}

fn oauth(settings: &OAuthSettings) -> Value {
    let flow = match &settings.flow {
        OAuthFlow::ClientCredentials {
            client_id,
            credential,
        } => json!({
            "flow": "client-credentials",
            "clientId": client_id,
            "credential": credential_of(credential),
        }),
        OAuthFlow::AuthorizationCode {
            client_id,
            client_secret,
        } => json!({
            "flow": "authorization-code",
            "clientId": client_id,
            "clientSecret": client_secret,
        }),
    };
    json!({ "flow": flow, "scope": settings.scope, "keyring": settings.keyring })
}

fn credential_of(credential: &OAuthCredential) -> Value {
    match credential {
        OAuthCredential::Secret { secret, method } => json!({
            "clientSecret": secret,
            "authMethod": method.map(|method| match method {
                SecretAuthMethod::Basic => "client_secret_basic",
                SecretAuthMethod::Post => "client_secret_post",
            }),
        }),
        OAuthCredential::PrivateKey {
            key,
            algorithm,
            key_id,
        } => json!({
            "privateKey": key,
            "algorithm": algorithm,
            "keyId": key_id,
        }),
    }
}
