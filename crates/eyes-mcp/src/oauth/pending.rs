//! A login between the address that a person opens and the address that the browser is sent to.

use std::fmt;

use eyes_evidence::redact::safe_message;
use oauth2::{
    AuthUrl, ClientId, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    basic::BasicClient,
};
use url::Url;

use super::{
    assertion::random_text,
    challenge::Challenge,
    client::Client,
    discovery::{Authority, discover},
    metadata::ServerMetadata,
    registration::{ConfiguredClient, client},
    scope::Scopes,
    web::Web,
};
use crate::{
    codes,
    error::McpError,
    limits::{MAX_OAUTH_MESSAGE_CHARS, MAX_TOKEN_BYTES},
    ports::RandomSource,
};

/// A login that was started; `Debug` shows nothing of it.
pub struct PendingLogin {
    pub(super) url: Url,
    pub(super) state: String,
    pub(super) verifier: String,
    pub(super) redirect_uri: Url,
    pub(super) authority: Authority,
    pub(super) client: Client,
    pub(super) registered: bool,
    pub(super) scopes: Scopes,
}

impl fmt::Debug for PendingLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingLogin").finish_non_exhaustive()
    }
}

impl PendingLogin {
    /// Returns the address that the person opens.
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// Returns what the browser must bring back as `state`.
    pub fn state(&self) -> &str {
        &self.state
    }
}

/// What a login is started with.
pub(super) struct Wish {
    pub(super) client: ConfiguredClient,
    /// The scope that was granted before and is widened now; else empty.
    pub(super) granted: Scopes,
    /// The scope of the settings.
    pub(super) configured: Option<Scopes>,
    pub(super) redirect_uri: Url,
}

/// Finds the authorization server and the client, and makes the address.
pub(super) async fn begin(
    web: &Web,
    random: &dyn RandomSource,
    challenge: Option<&Challenge>,
    wish: Wish,
) -> Result<PendingLogin, McpError> {
    let authority = discover(web, challenge).await?;
    let endpoint = check_flow(&authority.metadata)?.clone();
    let scopes = scopes(&authority, challenge, wish.granted, wish.configured)?;
    let asked = scopes.to_parameter();
    let (client, registered) = client(
        web,
        &authority,
        wish.client,
        &wish.redirect_uri,
        asked.as_deref(),
    )
    .await?;
    let verifier = PkceCodeVerifier::new(random_text(random, 4));
    let proof = PkceCodeChallenge::from_code_verifier_sha256(&verifier);
    let state = random_text(random, 2);
    let builder = BasicClient::new(ClientId::new(client.id.clone()))
        .set_auth_uri(AuthUrl::from_url(endpoint))
        .set_redirect_uri(RedirectUrl::from_url(wish.redirect_uri.clone()));
    let csrf = CsrfToken::new(state.clone());
    let mut request = builder
        .authorize_url(|| csrf)
        .set_pkce_challenge(proof)
        .add_extra_param("resource", &authority.resource);
    for scope in asked.iter().flat_map(|asked| asked.split(' ')) {
        request = request.add_scope(Scope::new(scope.to_owned()));
    }
    let (url, _) = request.url();
    Ok(PendingLogin {
        url,
        state,
        verifier: verifier.into_secret(),
        redirect_uri: wish.redirect_uri,
        authority,
        client,
        registered,
        scopes,
    })
}

/// Checks that the authorization server has this flow; without a word about S256 it gets it anyway.
fn check_flow(metadata: &ServerMetadata) -> Result<&Url, McpError> {
    let unsupported = |what: &str| {
        let message = format!("the authorization server offers no {what}");
        McpError::new(codes::MCP_OAUTH_METHOD_UNSUPPORTED, message)
    };
    let responses = metadata.response_types_supported.as_ref();
    if ServerMetadata::offers(responses, "code") == Some(false) {
        return Err(unsupported("authorization code"));
    }
    let methods = metadata.code_challenge_methods_supported.as_ref();
    if ServerMetadata::offers(methods, "S256") == Some(false) {
        return Err(unsupported("PKCE with S256"));
    }
    let endpoint = metadata.authorization_endpoint.as_ref();
    endpoint.ok_or_else(|| unsupported("authorization_endpoint"))
}

/// Chooses the scope: of the settings, else of the challenge, else what the server publishes; with what was granted
/// before when that is not enough, and with `offline_access` where the authorization server knows it.
fn scopes(
    authority: &Authority,
    challenge: Option<&Challenge>,
    granted: Scopes,
    configured: Option<Scopes>,
) -> Result<Scopes, McpError> {
    let wanted = Scopes::of(&authority.scopes);
    let scopes = match configured {
        Some(configured) if !challenge.is_some_and(Challenge::needs_scope) => configured,
        Some(configured) => granted.union(&configured)?.union(&wanted)?,
        None => granted.union(&wanted)?,
    };
    let supported = authority.metadata.scopes_supported.as_ref();
    let offline = ServerMetadata::offers(supported, "offline_access") == Some(true);
    if scopes.is_empty() || !offline {
        return Ok(scopes);
    }
    scopes.and("offline_access")
}

/// Reads the code of the address that the browser was sent to, after it was shown to come from this login.
pub(super) fn callback_code(pending: &PendingLogin, callback: &Url) -> Result<String, McpError> {
    let failed = |message: &str| McpError::new(codes::MCP_OAUTH_LOGIN_FAILED, message);
    let mut found = [const { None }; 5];
    for (name, value) in callback.query_pairs() {
        let names = ["state", "iss", "code", "error", "error_description"];
        let Some(slot) = names.iter().position(|known| *known == name) else {
            continue;
        };
        if found[slot].replace(value.into_owned()).is_some() {
            return Err(failed("the browser brought a parameter twice"));
        }
    }
    let [state, issuer, code, error, description] = found;
    if state.as_deref() != Some(&pending.state) {
        return Err(failed("the browser came back from another login"));
    }
    check_issuer(&pending.authority.metadata, issuer.as_deref())?;
    if let Some(error) = error {
        let words = format!("{error}: {}", description.unwrap_or_default());
        let words = safe_message(&words, MAX_OAUTH_MESSAGE_CHARS);
        let words = words.trim_end_matches([' ', ':']);
        return Err(failed(&format!(
            "the authorization server refused: {words}"
        )));
    }
    code.filter(|code| !code.is_empty() && code.len() <= MAX_TOKEN_BYTES)
        .ok_or_else(|| failed("the browser brought no code"))
}

/// Compares the issuer of the answer as text (RFC 9207, section 2.4).
fn check_issuer(metadata: &ServerMetadata, told: Option<&str>) -> Result<(), McpError> {
    let fault = match (told, &metadata.issuer) {
        (Some(told), Some(issuer)) if told == issuer => return Ok(()),
        (None, _) if !metadata.authorization_response_iss_parameter_supported => return Ok(()),
        (None, _) => "the answer does not say which authorization server it is of".to_owned(),
        (Some(told), _) => {
            let told: String = told.chars().take(128).collect();
            format!("the answer is of the authorization server {told:?}, which was not asked")
        }
    };
    Err(McpError::new(codes::MCP_OAUTH_ISSUER_MISMATCH, fault))
}
