//! Requests at the token endpoint (RFC 6749, sections 4.1.3, 4.4.2 and 6; RFC 8707).

use std::borrow::Cow;

use eyes_evidence::redact::{Redactor, safe_message};
use http::StatusCode;
use oauth2::{
    AsyncHttpClient, AuthType, AuthorizationCode, ClientId, ClientSecret, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, PkceCodeVerifier, RedirectUrl, RefreshToken,
    RequestTokenError, Scope, TokenResponse as _, TokenUrl,
    basic::{BasicClient, BasicErrorResponse, BasicTokenResponse, BasicTokenType},
};
use url::Url;

use super::{
    client::{Client, Proof},
    tokens::{TokenSet, admit, millis},
    web::{Web, shown},
};
use crate::{
    codes,
    config::SecretAuthMethod,
    error::McpError,
    limits::MAX_OAUTH_MESSAGE_CHARS,
    ports::{BoxFuture, Clock},
};

type TokenClient =
    BasicClient<EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// What a token is asked for with.
pub(super) enum Grant<'a> {
    /// The client itself.
    ClientCredentials,
    /// A code that a person's browser brought.
    Code {
        code: &'a str,
        verifier: &'a str,
        redirect_uri: &'a Url,
    },
    /// A refresh token.
    Refresh(&'a str),
}

/// One request for a token.
pub(super) struct TokenRequest<'a> {
    pub(super) endpoint: &'a Url,
    pub(super) client: &'a Client,
    pub(super) grant: Grant<'a>,
    /// The scope; nothing leaves it to the server.
    pub(super) scope: Option<&'a str>,
    /// The resource that the token is for.
    pub(super) resource: Option<&'a str>,
}

/// A token endpoint's refusal, or what kept it from answering.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The error code of RFC 6749, section 5.2, where the endpoint answered with one.
    pub(super) reason: Option<String>,
    /// The same for the caller.
    pub(super) error: McpError,
}

/// Asks for a token.
pub(super) async fn exchange(
    web: &Web,
    clock: &dyn Clock,
    request: TokenRequest<'_>,
) -> Result<TokenSet, Refusal> {
    let endpoint = Endpoint {
        web,
        url: request.endpoint,
    };
    let client = client(&request);
    let mut extra: Vec<(&str, &str)> = Vec::new();
    if let Proof::Assertion(assertion) = &request.client.proof {
        extra.push(("client_assertion_type", ASSERTION_TYPE));
        extra.push(("client_assertion", assertion));
    }
    extra.extend(request.resource.map(|resource| ("resource", resource)));
    let scopes = request.scope.into_iter().flat_map(str::split_whitespace);
    let scopes = scopes.map(|scope| Scope::new(scope.to_owned()));
    let response = match &request.grant {
        Grant::ClientCredentials => {
            let mut asked = client.exchange_client_credentials().add_scopes(scopes);
            for (name, value) in extra {
                asked = asked.add_extra_param(name, value);
            }
            asked.request_async(&endpoint).await
        }
        Grant::Code {
            code,
            verifier,
            redirect_uri,
        } => {
            let mut asked = client
                .exchange_code(AuthorizationCode::new((*code).to_owned()))
                .set_pkce_verifier(PkceCodeVerifier::new((*verifier).to_owned()))
                .set_redirect_uri(Cow::Owned(RedirectUrl::from_url((*redirect_uri).clone())));
            for (name, value) in extra {
                asked = asked.add_extra_param(name, value);
            }
            asked.request_async(&endpoint).await
        }
        Grant::Refresh(token) => {
            let token = RefreshToken::new((*token).to_owned());
            let mut asked = client.exchange_refresh_token(&token).add_scopes(scopes);
            for (name, value) in extra {
                asked = asked.add_extra_param(name, value);
            }
            asked.request_async(&endpoint).await
        }
    };
    match response {
        Ok(response) => admit_response(clock, &request, &response).map_err(|error| Refusal {
            reason: None,
            error,
        }),
        Err(error) => Err(refusal(error, &request)),
    }
}

fn client(request: &TokenRequest<'_>) -> TokenClient {
    let client = BasicClient::new(ClientId::new(request.client.id.clone()))
        .set_token_uri(TokenUrl::from_url(request.endpoint.clone()));
    match &request.client.proof {
        Proof::Secret(secret, method) => client
            .set_client_secret(ClientSecret::new(secret.clone()))
            .set_auth_type(match method {
                SecretAuthMethod::Basic => AuthType::BasicAuth,
                SecretAuthMethod::Post => AuthType::RequestBody,
            }),
        Proof::None | Proof::Assertion(_) => client.set_auth_type(AuthType::RequestBody),
    }
}

/// Sends to one endpoint; a failure without the words of RFC 6749 is told by its status.
struct Endpoint<'a> {
    web: &'a Web,
    url: &'a Url,
}

impl<'c> AsyncHttpClient<'c> for Endpoint<'_> {
    type Error = McpError;
    type Future = BoxFuture<'c, Result<HttpResponse, McpError>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let response = self.web.post(request).await?;
            let status = response.status();
            let told = || serde_json::from_slice::<BasicErrorResponse>(response.body()).is_ok();
            if status != StatusCode::OK && !told() {
                let message = format!(
                    "{} answered with status {}",
                    shown(self.url),
                    status.as_u16()
                );
                return Err(McpError::new(codes::MCP_OAUTH_FAILED, message));
            }
            Ok(response)
        })
    }
}

fn admit_response(
    clock: &dyn Clock,
    request: &TokenRequest<'_>,
    response: &BasicTokenResponse,
) -> Result<TokenSet, McpError> {
    if *response.token_type() != BasicTokenType::Bearer {
        let kind: String = response.token_type().as_ref().chars().take(32).collect();
        return Err(McpError::new(
            codes::MCP_OAUTH_TOKEN_INVALID,
            format!(
                "{} gave a token of type {kind:?}, not Bearer",
                shown(request.endpoint)
            ),
        ));
    }
    let access = admit(response.access_token().secret(), "access token")?;
    let refresh = response.refresh_token();
    let refresh = refresh.map(|token| admit(token.secret(), "refresh token"));
    let told = response.scopes().map(|scopes| {
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        scopes.join(" ")
    });
    let lifetime_ms = response.expires_in().map(millis);
    Ok(TokenSet {
        access,
        refresh: refresh.transpose()?,
        // RFC 6749, section 5.1: a scope that is not told is the one that was asked for.
        scope: told.or_else(|| request.scope.map(str::to_owned)),
        expires_at_ms: lifetime_ms.map(|life| clock.unix_ms().saturating_add(life)),
        lifetime_ms,
    })
}

fn refusal(
    error: RequestTokenError<McpError, BasicErrorResponse>,
    request: &TokenRequest<'_>,
) -> Refusal {
    let place = shown(request.endpoint);
    let invalid = |fault: &str| {
        let message = format!("the answer of {place} is no token: {fault}");
        McpError::new(codes::MCP_OAUTH_TOKEN_INVALID, message)
    };
    let (reason, error) = match error {
        RequestTokenError::Request(error) => (None, error),
        RequestTokenError::Parse(fault, _) => {
            // The parser's own words quote the answer, and with it the token.
            let place = fault.path().to_string();
            (
                None,
                invalid(&format!("the member {place} is missing or wrong")),
            )
        }
        RequestTokenError::Other(_) => (None, invalid("it is empty or not of application/json")),
        RequestTokenError::ServerResponse(told) => {
            let reason = told.error().as_ref().to_owned();
            let words = told.error_description().map_or("", String::as_str);
            let message = redacted(request, &format!("{reason}: {words}"));
            let error = McpError::new(
                codes::MCP_OAUTH_FAILED,
                format!("{place} refused: {}", message.trim_end_matches([' ', ':'])),
            );
            (Some(reason), error)
        }
    };
    Refusal { reason, error }
}

/// Makes the endpoint's words safe: it may repeat whatever it was sent.
fn redacted(request: &TokenRequest<'_>, text: &str) -> String {
    let mut secrets = request.client.secrets();
    match &request.grant {
        Grant::ClientCredentials => {}
        Grant::Code { code, verifier, .. } => secrets.extend([*code, *verifier]),
        Grant::Refresh(token) => secrets.push(token),
    }
    let redactor = Redactor::with_values(secrets);
    safe_message(&redactor.redact(text), MAX_OAUTH_MESSAGE_CHARS)
}
