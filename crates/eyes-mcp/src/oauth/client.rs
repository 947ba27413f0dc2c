//! Who the client is, and how it proves that.

use std::fmt;

use super::metadata::ServerMetadata;
use crate::{
    codes,
    config::{EnvReference, SecretAuthMethod},
    error::McpError,
    ports::SecretSource,
};

/// A client at a token endpoint; `Debug` shows no secret.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Client {
    /// Its id.
    pub(super) id: String,
    /// What proves it.
    pub(super) proof: Proof,
}

/// What proves a client at a token endpoint.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Proof {
    /// Nothing: a public client.
    None,
    /// A secret in the Authorization header or the body.
    Secret(String, SecretAuthMethod),
    /// A signed assertion.
    Assertion(String),
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proof = match &self.proof {
            Proof::None => "none",
            Proof::Secret(_, SecretAuthMethod::Basic) => "client_secret_basic",
            Proof::Secret(_, SecretAuthMethod::Post) => "client_secret_post",
            Proof::Assertion(_) => "private_key_jwt",
        };
        write!(f, "Client({proof})")
    }
}

impl Client {
    /// Returns what no message may show.
    pub(super) fn secrets(&self) -> Vec<&str> {
        match &self.proof {
            Proof::None => Vec::new(),
            Proof::Secret(secret, _) => vec![secret],
            Proof::Assertion(assertion) => vec![assertion],
        }
    }
}

/// Decides how a secret is sent, by what the authorization server takes (RFC 8414: basic where it does not say).
///
/// Errors: `MCP_OAUTH_METHOD_UNSUPPORTED`.
pub(super) fn secret_method(
    metadata: &ServerMetadata,
    forced: Option<SecretAuthMethod>,
) -> Result<SecretAuthMethod, McpError> {
    if let Some(method) = forced {
        return Ok(method);
    }
    let methods = metadata.token_endpoint_auth_methods_supported.as_ref();
    let offers = |name| ServerMetadata::offers(methods, name);
    if offers("client_secret_basic").unwrap_or(true) {
        Ok(SecretAuthMethod::Basic)
    } else if offers("client_secret_post") == Some(true) {
        Ok(SecretAuthMethod::Post)
    } else {
        Err(unsupported("no client secret", metadata))
    }
}

/// Checks that the authorization server takes signed assertions, as far as it says.
pub(super) fn check_assertion(metadata: &ServerMetadata) -> Result<(), McpError> {
    let methods = metadata.token_endpoint_auth_methods_supported.as_ref();
    match ServerMetadata::offers(methods, "private_key_jwt") {
        Some(false) => Err(unsupported("no signed assertion", metadata)),
        _ => Ok(()),
    }
}

fn unsupported(what: &str, metadata: &ServerMetadata) -> McpError {
    let methods: Vec<String> = metadata
        .token_endpoint_auth_methods_supported
        .iter()
        .flatten()
        .take(8)
        .map(|method| method.chars().take(64).collect())
        .collect();
    McpError::new(
        codes::MCP_OAUTH_METHOD_UNSUPPORTED,
        format!(
            "the authorization server takes {what}, only: {}",
            methods.join(", ")
        ),
    )
}

/// Reads a credential.
///
/// Errors: `MCP_OAUTH_CREDENTIAL_MISSING`, which names the variable.
pub(super) fn credential(
    secrets: &dyn SecretSource,
    reference: &EnvReference,
    member: &str,
) -> Result<String, McpError> {
    secrets.resolve(&reference.env).ok_or_else(|| {
        McpError::new(
            codes::MCP_OAUTH_CREDENTIAL_MISSING,
            format!(
                "the variable {} of oauth.{member} is not set or empty",
                reference.env
            ),
        )
    })
}
