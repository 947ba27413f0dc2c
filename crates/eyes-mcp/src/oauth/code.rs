//! The authorization code with PKCE: tokens that a person gives (OAuth 2.1, section 4.1; RFC 7636; RFC 9207).

use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use super::{
    cell::{Acquire, Celled, Need, TokenCell},
    challenge::Challenge,
    client::{Client, Proof, credential},
    discovery::discover,
    exchange::{Grant, Refusal, TokenRequest, exchange},
    health::{Monitor, OAuthEvent, OAuthHealth},
    pending::{PendingLogin, Wish, begin, callback_code},
    registration::ConfiguredClient,
    registry::OAuthParts,
    scope::Scopes,
    store::{StoredLogin, TokenStore, login_name},
    tokens::TokenSet,
    web::Web,
};
use crate::{
    codes,
    config::{EnvReference, HttpServer, SecretAuthMethod},
    error::McpError,
    names::ServerId,
    ports::BoxFuture,
};

/// Gives tokens of a login, and renews them while the authorization server does.
///
/// Where a person is needed the error is `MCP_OAUTH_LOGIN_MISSING`, or `MCP_OAUTH_SCOPE_MISSING` when more must
/// be agreed to; [`login`](Self::login), or [`begin`](Self::begin) and [`finish`](Self::finish), are for that.
#[derive(Debug)]
pub struct AuthorizationCodeTokens {
    cell: TokenCell,
    shared: Arc<Login>,
}

/// Where a server's login is, and how it is renewed.
#[derive(Debug)]
struct Login {
    name: String,
    web: Web,
    parts: OAuthParts,
    monitor: Arc<Monitor>,
    store: Arc<dyn TokenStore>,
    client_id: Option<EnvReference>,
    client_secret: Option<EnvReference>,
    scope: Option<String>,
    state: Mutex<LoginState>,
}

#[derive(Debug, Default)]
struct LoginState {
    /// A login that could not be written: it is newer than what the store has.
    unsaved: Option<StoredLogin>,
    /// What the server said when it refused last.
    challenge: Option<Challenge>,
}

impl AuthorizationCodeTokens {
    /// Makes the source of a server's tokens; nothing is asked or read yet.
    pub fn new(
        id: &ServerId,
        server: &HttpServer,
        client: (Option<EnvReference>, Option<EnvReference>),
        parts: &OAuthParts,
        store: Arc<dyn TokenStore>,
    ) -> Self {
        let (client_id, client_secret) = client;
        let variable = client_id.as_ref().map(|reference| reference.env.as_str());
        let monitor = Arc::new(parts.monitor(id));
        let shared = Arc::new(Login {
            name: login_name(id, &server.url, variable),
            web: Web::new(parts.transports.for_server(server), server.url.clone()),
            parts: parts.clone(),
            monitor: Arc::clone(&monitor),
            store,
            client_id,
            client_secret,
            scope: server.oauth.as_ref().and_then(|oauth| oauth.scope.clone()),
            state: Mutex::default(),
        });
        let acquire: Arc<dyn Acquire> = Arc::<Login>::clone(&shared);
        Self {
            cell: TokenCell::new(acquire, monitor),
            shared,
        }
    }

    /// Returns what is known of the authorization.
    pub fn health(&self) -> OAuthHealth {
        self.shared.monitor.health()
    }

    pub(super) fn monitor(&self) -> &Monitor {
        &self.shared.monitor
    }

    /// Starts a login: finds the authorization server and the client, and makes the address for the person.
    ///
    /// `redirect_uri` is where the browser is sent afterwards; `challenge` is the server's last `WWW-Authenticate`
    /// where there is one. After `MCP_OAUTH_SCOPE_MISSING` the scope is what was granted and what is missing.
    /// Errors: those of discovery, `MCP_OAUTH_CREDENTIAL_MISSING`, `MCP_OAUTH_METHOD_UNSUPPORTED`.
    pub async fn begin(
        &self,
        redirect_uri: &Url,
        challenge: Option<&str>,
    ) -> Result<PendingLogin, McpError> {
        let login = &self.shared;
        let client = login.configured_client()?;
        let told = challenge.map(Challenge::parse);
        let remembered = login.state().challenge.clone();
        let challenge = told.or(remembered);
        let granted = if challenge.as_ref().is_some_and(Challenge::needs_scope) {
            login.stored().await?.and_then(|stored| stored.scope)
        } else {
            None
        };
        let wish = Wish {
            client,
            granted: Scopes::parse(granted.as_deref().unwrap_or_default())?,
            configured: login.scope.as_deref().map(Scopes::parse).transpose()?,
            redirect_uri: redirect_uri.clone(),
        };
        let random = login.parts.random.as_ref();
        begin(&login.web, random, challenge.as_ref(), wish)
            .await
            .inspect_err(|error| login.monitor.failed(error))
    }

    /// Ends a login with the address that the browser was sent to.
    ///
    /// Errors: `MCP_OAUTH_LOGIN_FAILED` for a wrong `state` and for what the person or the server refused,
    /// `MCP_OAUTH_ISSUER_MISMATCH` (RFC 9207), `MCP_OAUTH_FAILED`, `MCP_OAUTH_TOKEN_INVALID`,
    /// `MCP_OAUTH_STORE_FAILED`.
    pub async fn finish(&self, pending: PendingLogin, callback: &Url) -> Result<(), McpError> {
        let login = &self.shared;
        let finished = login.finish(pending, callback).await;
        match finished {
            Ok(tokens) => {
                login.state().challenge = None;
                self.cell.install(tokens, &OAuthEvent::LoggedIn);
                Ok(())
            }
            Err(error) => {
                login.monitor.failed(&error);
                Err(error)
            }
        }
    }

    /// Forgets the login here; the authorization server is not told.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`.
    pub async fn logout(&self) -> Result<(), McpError> {
        let login = &self.shared;
        login.state().unsaved = None;
        login.store.remove(&login.name).await?;
        self.cell.clear();
        login.monitor.tell(&OAuthEvent::CredentialsInvalidated);
        Ok(())
    }
}

impl Celled for AuthorizationCodeTokens {
    fn cell(&self) -> &TokenCell {
        &self.cell
    }
}

impl Acquire for Login {
    fn acquire(&self, need: Need) -> BoxFuture<'_, Result<(TokenSet, OAuthEvent), McpError>> {
        Box::pin(async move {
            if let Some(challenge) = &need.challenge {
                let needs_scope = challenge.needs_scope();
                let scope = challenge.scope.clone().unwrap_or_default();
                self.state().challenge = Some(challenge.clone());
                if needs_scope {
                    let needed = Scopes::parse(&scope)?;
                    return Err(McpError::new(
                        codes::MCP_OAUTH_SCOPE_MISSING,
                        format!("the server wants the scope {needed:?} that nobody agreed to"),
                    ));
                }
            }
            let stored = self
                .stored()
                .await?
                .ok_or_else(|| missing("nobody has logged in"))?;
            let before = need.previous.as_ref().map(|tokens| &*tokens.access);
            let tokens = stored.tokens();
            // Another process may have renewed it, or this one has just started.
            if before != Some(&*tokens.access) && tokens.fresh(self.monitor.now_ms()) {
                return Ok((tokens, OAuthEvent::TokenAcquired));
            }
            if need.refused {
                self.check_moved(&stored, need.challenge.as_ref()).await?;
            }
            self.renew(stored)
                .await
                .map(|tokens| (tokens, OAuthEvent::TokenRefreshed))
        })
    }
}

impl Login {
    fn state(&self) -> std::sync::MutexGuard<'_, LoginState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn stored(&self) -> Result<Option<StoredLogin>, McpError> {
        let unsaved = self.state().unsaved.clone();
        match unsaved {
            Some(login) => Ok(Some(login)),
            None => self.store.load(&self.name).await,
        }
    }

    fn configured_client(&self) -> Result<ConfiguredClient, McpError> {
        let secrets = self.parts.secrets.as_ref();
        let read = |reference: &Option<EnvReference>, member| {
            let found = reference
                .as_ref()
                .map(|name| credential(secrets, name, member));
            found.transpose()
        };
        Ok(ConfiguredClient {
            id: read(&self.client_id, "clientId")?,
            secret: read(&self.client_secret, "clientSecret")?,
        })
    }

    async fn finish(&self, pending: PendingLogin, callback: &Url) -> Result<TokenSet, McpError> {
        let code = callback_code(&pending, callback)?;
        let scope = pending.scopes.to_parameter();
        let request = TokenRequest {
            endpoint: &pending.authority.token_endpoint,
            client: &pending.client,
            grant: Grant::Code {
                code: &code,
                verifier: &pending.verifier,
                redirect_uri: &pending.redirect_uri,
            },
            scope: scope.as_deref(),
            resource: Some(&pending.authority.resource),
        };
        let tokens = exchange(&self.web, self.parts.clock.as_ref(), request).await;
        let tokens = tokens.map_err(|refusal| refusal.error)?;
        let (secret, method) = match &pending.client.proof {
            Proof::Secret(secret, method) => (Some(secret.clone()), *method),
            _ => (None, SecretAuthMethod::Basic),
        };
        let mut login = StoredLogin {
            version: StoredLogin::VERSION,
            issuer: pending.authority.metadata.issuer.clone(),
            token_endpoint: pending.authority.token_endpoint.clone(),
            resource: pending.authority.resource.clone(),
            client_id: pending.client.id.clone(),
            client_secret: secret.filter(|_| pending.registered),
            secret_in_header: method == SecretAuthMethod::Basic,
            access_token: String::new(),
            refresh_token: None,
            scope: None,
            expires_at_ms: None,
            lifetime_ms: None,
        };
        login.renew(&tokens);
        self.keep(login).await?;
        Ok(tokens)
    }

    /// Finds out whether the server has gone to another authorization server: what the one before renews is worth
    /// nothing then.
    async fn check_moved(
        &self,
        stored: &StoredLogin,
        challenge: Option<&Challenge>,
    ) -> Result<(), McpError> {
        match discover(&self.web, challenge).await {
            Ok(found) if found.metadata.issuer != stored.issuer => {
                Err(missing("the server names another authorization server now"))
            }
            // An outage of the documents is none of the tokens.
            _ => Ok(()),
        }
    }

    /// Writes a login; one that cannot be written stays in memory, because what it replaces may be spent.
    async fn keep(&self, login: StoredLogin) -> Result<(), McpError> {
        let saved = self.store.save(&self.name, &login).await;
        self.state().unsaved = saved.is_err().then_some(login);
        saved
    }

    async fn renew(&self, mut stored: StoredLogin) -> Result<TokenSet, McpError> {
        let Some(refresh) = stored.refresh_token.clone() else {
            return Err(missing("the login has ended and cannot be renewed"));
        };
        match self.refresh(&stored, &refresh).await {
            Ok(tokens) => {
                stored.renew(&tokens);
                let tokens = stored.tokens();
                if let Err(error) = self.keep(stored).await {
                    self.monitor.failed(&error);
                }
                Ok(tokens)
            }
            Err(refusal) if refusal.reason.as_deref() == Some("invalid_grant") => {
                // Another process may have spent the refresh token, and written what came for it.
                let again = self
                    .store
                    .load(&self.name)
                    .await?
                    .map(|login| login.tokens());
                let now = self.monitor.now_ms();
                again
                    .filter(|tokens| *tokens.access != *stored.access_token && tokens.fresh(now))
                    .ok_or_else(|| missing("the authorization server renews the login no more"))
            }
            Err(refusal) => Err(refusal.error),
        }
    }

    async fn refresh(&self, stored: &StoredLogin, refresh: &str) -> Result<TokenSet, Refusal> {
        let client = self.stored_client(stored).map_err(|error| Refusal {
            reason: None,
            error,
        })?;
        let request = |resource| TokenRequest {
            endpoint: &stored.token_endpoint,
            client: &client,
            grant: Grant::Refresh(refresh),
            scope: None,
            resource,
        };
        let clock = self.parts.clock.as_ref();
        match exchange(&self.web, clock, request(Some(&stored.resource))).await {
            // Some servers refuse the resource when a token is renewed, though they want it when it is made.
            Err(refusal) if refusal.reason.as_deref() == Some("invalid_target") => {
                exchange(&self.web, clock, request(None)).await
            }
            outcome => outcome,
        }
    }

    fn stored_client(&self, stored: &StoredLogin) -> Result<Client, McpError> {
        let method = if stored.secret_in_header {
            SecretAuthMethod::Basic
        } else {
            SecretAuthMethod::Post
        };
        let secret = match &stored.client_secret {
            Some(secret) => Some(secret.clone()),
            None => self.configured_client()?.secret,
        };
        let proof = secret.map_or(Proof::None, |secret| Proof::Secret(secret, method));
        Ok(Client {
            id: stored.client_id.clone(),
            proof,
        })
    }
}

fn missing(why: &str) -> McpError {
    McpError::new(codes::MCP_OAUTH_LOGIN_MISSING, why)
}
