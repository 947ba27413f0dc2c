//! The client of a login: registered before, described by a document, or registered now.

use http::{Method, Request, header};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    client::{Client, Proof, secret_method},
    discovery::Authority,
    metadata::ServerMetadata,
    web::{Web, shown},
};
use crate::{
    codes,
    config::SecretAuthMethod,
    error::McpError,
    limits::{MAX_OAUTH_MESSAGE_CHARS, MAX_TOKEN_BYTES},
};

/// The name under which this software registers itself.
const CLIENT_NAME: &str = "DeepSeekEyes";

/// What the settings say of the client.
#[derive(Debug, Clone, Default)]
pub(super) struct ConfiguredClient {
    /// Its id, or the address of its metadata document.
    pub(super) id: Option<String>,
    /// Its secret.
    pub(super) secret: Option<String>,
}

/// Decides on the client: the configured one, its metadata document where the server takes those, else a new
/// registration (the order of the protocol's revision 2025-11-25).
///
/// Returns whether it was registered just now. Errors: `MCP_OAUTH_METHOD_UNSUPPORTED`, `MCP_OAUTH_FAILED`,
/// `MCP_OAUTH_METADATA_INVALID` and those of requests.
pub(super) async fn client(
    web: &Web,
    authority: &Authority,
    configured: ConfiguredClient,
    redirect_uri: &Url,
    scope: Option<&str>,
) -> Result<(Client, bool), McpError> {
    let metadata = &authority.metadata;
    match configured {
        ConfiguredClient {
            id: Some(id),
            secret,
        } if !is_document(&id) || metadata.client_id_metadata_document_supported => {
            let proof = match secret {
                Some(secret) => Proof::Secret(secret, secret_method(metadata, None)?),
                None => Proof::None,
            };
            Ok((Client { id, proof }, false))
        }
        _ => register(web, metadata, redirect_uri, scope)
            .await
            .map(|client| (client, true)),
    }
}

/// Returns whether a client's id is the address of its metadata document
/// (OAuth Client ID Metadata Document: https, with a path).
pub(super) fn is_document(id: &str) -> bool {
    id.starts_with("https://") && Url::parse(id).is_ok_and(|url| url.path() != "/")
}

#[derive(Serialize)]
struct RegistrationRequest<'a> {
    client_name: &'a str,
    redirect_uris: [&'a str; 1],
    grant_types: [&'a str; 2],
    response_types: [&'a str; 1],
    token_endpoint_auth_method: &'a str,
    application_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'a str>,
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    client_secret: Option<String>,
    token_endpoint_auth_method: Option<String>,
}

#[derive(Deserialize)]
struct RegistrationFault {
    error: String,
    error_description: Option<String>,
}

/// Registers a client for one login (RFC 7591): its redirect address has the port of this login.
async fn register(
    web: &Web,
    metadata: &ServerMetadata,
    redirect_uri: &Url,
    scope: Option<&str>,
) -> Result<Client, McpError> {
    let Some(endpoint) = &metadata.registration_endpoint else {
        return Err(McpError::new(
            codes::MCP_OAUTH_CREDENTIAL_MISSING,
            "the authorization server registers no clients: oauth.clientId must name one that is registered",
        ));
    };
    let request = RegistrationRequest {
        client_name: CLIENT_NAME,
        redirect_uris: [redirect_uri.as_str()],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: wanted_method(metadata)?,
        application_type: "native",
        scope,
    };
    let fault = |text: &str| {
        let message = format!("the registration at {} {text}", shown(endpoint));
        McpError::new(codes::MCP_OAUTH_FAILED, message)
    };
    let body = serde_json::to_vec(&request).map_err(|_| fault("could not be written"))?;
    let request = Request::builder()
        .method(Method::POST)
        .uri(endpoint.as_str())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json")
        .body(body)
        .map_err(|_| fault("could not be asked for"))?;
    let response = web.post(request).await?;
    if !response.status().is_success() {
        let told = serde_json::from_slice::<RegistrationFault>(response.body());
        let words = told.map_or_else(
            |_| format!("status {}", response.status().as_u16()),
            |told| {
                format!(
                    "{}: {}",
                    told.error,
                    told.error_description.unwrap_or_default()
                )
            },
        );
        let words = eyes_evidence::redact::safe_message(&words, MAX_OAUTH_MESSAGE_CHARS);
        return Err(fault(&format!("was refused: {words}")));
    }
    let registered: Registered = serde_json::from_slice(response.body())
        .map_err(|_| fault("was answered with no client"))?;
    admit(registered, metadata).map_err(fault)
}

fn wanted_method(metadata: &ServerMetadata) -> Result<&'static str, McpError> {
    let methods = metadata.token_endpoint_auth_methods_supported.as_ref();
    if ServerMetadata::offers(methods, "none").unwrap_or(true) {
        return Ok("none");
    }
    Ok(match secret_method(metadata, None)? {
        SecretAuthMethod::Basic => "client_secret_basic",
        SecretAuthMethod::Post => "client_secret_post",
    })
}

fn admit(registered: Registered, metadata: &ServerMetadata) -> Result<Client, &'static str> {
    let fits = |text: &str| {
        !text.is_empty() && text.len() <= MAX_TOKEN_BYTES && !text.chars().any(char::is_control)
    };
    if !fits(&registered.client_id) {
        return Err("gave an id that is empty, too long or not of plain text");
    }
    // Some servers write an empty secret for a client without one.
    let secret = registered.client_secret.filter(|secret| !secret.is_empty());
    let method = registered.token_endpoint_auth_method.as_deref();
    let proof = match (secret, method) {
        (None, _) | (_, Some("none")) => Proof::None,
        (Some(secret), _) if !fits(&secret) => {
            return Err("gave a secret that is too long or not of plain text");
        }
        (Some(secret), Some("client_secret_post")) => Proof::Secret(secret, SecretAuthMethod::Post),
        (Some(secret), Some("client_secret_basic")) => {
            Proof::Secret(secret, SecretAuthMethod::Basic)
        }
        (Some(secret), _) => {
            let method = secret_method(metadata, None);
            Proof::Secret(secret, method.unwrap_or(SecretAuthMethod::Basic))
        }
    };
    Ok(Client {
        id: registered.client_id,
        proof,
    })
}
