//! Client credentials: tokens without a person (RFC 6749, section 4.4).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    assertion::{Claims, SigningKey},
    cell::{Acquire, Celled, Need, TokenCell},
    challenge::Challenge,
    client::{Client, Proof, check_assertion, credential, secret_method},
    discovery::{Authority, discover},
    exchange::{Grant, TokenRequest, exchange},
    health::{Monitor, OAuthEvent, OAuthHealth},
    metadata::canonical_resource,
    registry::OAuthParts,
    scope::Scopes,
    tokens::TokenSet,
    web::Web,
};
use crate::{
    codes,
    config::{EnvReference, HttpServer, OAuthCredential, SecretAuthMethod},
    error::McpError,
    names::ServerId,
    ports::BoxFuture,
};

/// Gives tokens for the client itself, and new ones when they end or are refused.
///
/// Tokens stay in memory. Credentials are read anew for every exchange, before anything is asked on the network,
/// and go only to the authorization server that took them first.
#[derive(Debug)]
pub struct ClientCredentialsTokens {
    cell: TokenCell,
    monitor: Arc<Monitor>,
}

#[derive(Debug)]
struct Exchanger {
    web: Web,
    parts: OAuthParts,
    monitor: Arc<Monitor>,
    client_id: EnvReference,
    credential: OAuthCredential,
    scope: Option<String>,
    known: Mutex<Known>,
}

/// What earlier exchanges found out.
#[derive(Debug, Default)]
struct Known {
    authority: Option<Arc<Authority>>,
    /// The authorization server that took the credentials: they are not shown to another one.
    issuer: Option<String>,
    /// The scope that was asked for last.
    asked: Scopes,
}

/// Credentials as they are now.
enum Secret {
    Text(String, Option<SecretAuthMethod>),
    Key(Box<SigningKey>, Option<String>),
}

impl ClientCredentialsTokens {
    /// Makes the source of a server's tokens; nothing is asked yet.
    pub fn new(
        id: &ServerId,
        server: &HttpServer,
        client_id: EnvReference,
        credential: OAuthCredential,
        parts: &OAuthParts,
    ) -> Self {
        let monitor = Arc::new(parts.monitor(id));
        let exchanger = Exchanger {
            web: Web::new(parts.transports.for_server(server), server.url.clone()),
            parts: parts.clone(),
            monitor: Arc::clone(&monitor),
            client_id,
            credential,
            scope: server.oauth.as_ref().and_then(|oauth| oauth.scope.clone()),
            known: Mutex::default(),
        };
        Self {
            cell: TokenCell::new(Arc::new(exchanger), Arc::clone(&monitor)),
            monitor,
        }
    }

    /// Returns what is known of the authorization.
    pub fn health(&self) -> OAuthHealth {
        self.monitor.health()
    }

    pub(super) fn monitor(&self) -> &Monitor {
        &self.monitor
    }
}

impl Celled for ClientCredentialsTokens {
    fn cell(&self) -> &TokenCell {
        &self.cell
    }
}

impl Acquire for Exchanger {
    fn acquire(&self, need: Need) -> BoxFuture<'_, Result<(TokenSet, OAuthEvent), McpError>> {
        Box::pin(async move {
            // Without credentials nothing is asked on the network.
            self.credentials()?;
            let challenge = need.challenge.as_ref();
            let wider = self.wider_scope(challenge)?;
            let authority = self.authority(need.refused, challenge).await?;
            self.check_issuer(&authority)?;
            let previous = need.previous.filter(|_| !need.refused);
            if let Some(refresh) = previous.and_then(|tokens| tokens.refresh) {
                // A refresh that fails costs nothing here: the client's own credentials give a new token.
                let renewed = self.ask(&authority, Grant::Refresh(&refresh), None).await;
                if let Ok(mut tokens) = renewed {
                    tokens.refresh.get_or_insert(refresh);
                    return Ok((tokens, OAuthEvent::TokenRefreshed));
                }
            }
            let scopes = match wider {
                Some(scopes) => scopes,
                None => self.scopes(&authority)?,
            };
            let asked = scopes.to_parameter();
            let tokens = self
                .ask(&authority, Grant::ClientCredentials, asked.as_deref())
                .await?;
            let mut known = self.known();
            known.issuer.clone_from(&authority.metadata.issuer);
            known.asked = scopes;
            Ok((tokens, OAuthEvent::TokenAcquired))
        })
    }
}

impl Exchanger {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one request with credentials as they are now; a signed assertion holds for one.
    async fn ask(
        &self,
        authority: &Authority,
        grant: Grant<'_>,
        scope: Option<&str>,
    ) -> Result<TokenSet, McpError> {
        let (id, secret) = self.credentials()?;
        let client = self.client(id, secret, authority)?;
        let request = TokenRequest {
            endpoint: &authority.token_endpoint,
            client: &client,
            grant,
            scope,
            resource: Some(&authority.resource),
        };
        let tokens = exchange(&self.web, self.parts.clock.as_ref(), request).await;
        tokens.map_err(|refusal| refusal.error)
    }

    fn credentials(&self) -> Result<(String, Secret), McpError> {
        let secrets = self.parts.secrets.as_ref();
        let id = credential(secrets, &self.client_id, "clientId")?;
        let secret = match &self.credential {
            OAuthCredential::Secret { secret, method } => {
                Secret::Text(credential(secrets, secret, "clientSecret")?, *method)
            }
            OAuthCredential::PrivateKey {
                key,
                algorithm,
                key_id,
            } => {
                let pem = credential(secrets, key, "privateKey")?;
                let key = SigningKey::from_pem(&pem, algorithm.as_deref())?;
                Secret::Key(Box::new(key), key_id.clone())
            }
        };
        Ok((id, secret))
    }

    /// Widens the scope when the server says that it is not enough; asking for the same again would not end.
    fn wider_scope(&self, challenge: Option<&Challenge>) -> Result<Option<Scopes>, McpError> {
        let Some(challenge) = challenge.filter(|challenge| challenge.needs_scope()) else {
            return Ok(None);
        };
        let needed = Scopes::parse(challenge.scope.as_deref().unwrap_or_default())?;
        let asked = self.known().asked.clone();
        let union = asked.clone().union(&needed)?;
        if union == asked {
            return Err(McpError::new(
                codes::MCP_OAUTH_SCOPE_MISSING,
                format!("the server wants the scope {needed:?}, which was asked for already"),
            ));
        }
        Ok(Some(union))
    }

    fn scopes(&self, authority: &Authority) -> Result<Scopes, McpError> {
        match &self.scope {
            Some(scope) => Scopes::parse(scope),
            None => Ok(Scopes::of(&authority.scopes)),
        }
    }

    /// Returns the authorization server, looked for anew after a refusal: it may have moved.
    async fn authority(
        &self,
        refused: bool,
        challenge: Option<&Challenge>,
    ) -> Result<Arc<Authority>, McpError> {
        let known = self.known().authority.clone();
        if let Some(authority) = known.filter(|_| !refused) {
            return Ok(authority);
        }
        let authority = Arc::new(discover(&self.web, challenge).await?);
        self.known().authority = Some(Arc::clone(&authority));
        self.monitor.tell(&OAuthEvent::DiscoveryCached);
        Ok(authority)
    }

    fn check_issuer(&self, authority: &Authority) -> Result<(), McpError> {
        let known = self.known();
        match (&known.issuer, &authority.metadata.issuer) {
            (Some(before), now) if now.as_ref() != Some(before) => Err(McpError::new(
                codes::MCP_OAUTH_ISSUER_MISMATCH,
                format!(
                    "the credentials were given to {before:?}; the server now names another authorization server"
                ),
            )),
            (_, Some(_)) => Ok(()),
            // Addresses that nobody published are no place for credentials.
            (_, None) => Err(McpError::new(
                codes::MCP_OAUTH_DISCOVERY_FAILED,
                format!(
                    "{} publishes no authorization server",
                    canonical_resource(&self.web.server)
                ),
            )),
        }
    }

    fn client(
        &self,
        id: String,
        secret: Secret,
        authority: &Authority,
    ) -> Result<Client, McpError> {
        let metadata = &authority.metadata;
        let proof = match secret {
            Secret::Text(secret, forced) => Proof::Secret(secret, secret_method(metadata, forced)?),
            Secret::Key(key, key_id) => {
                check_assertion(metadata)?;
                let claims = Claims {
                    client: &id,
                    audience: metadata.issuer.as_deref().unwrap_or_default(),
                    key_id: key_id.as_deref(),
                };
                let (clock, random) = (&self.parts.clock, &self.parts.random);
                Proof::Assertion(key.sign(&claims, clock.as_ref(), random.as_ref())?)
            }
        };
        Ok(Client { id, proof })
    }
}
