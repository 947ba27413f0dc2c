//! One source of tokens for every use of a server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    code::AuthorizationCodeTokens,
    credentials::ClientCredentialsTokens,
    health::{Monitor, OAuthEvent, OAuthEventSink, OAuthHealth},
    store::{MemoryTokens, StoredLogin, TokenStore},
    web::OAuthTransports,
};
use crate::{
    codes,
    config::{HttpServer, OAuthFlow, OAuthSettings, ServerConfig, Transport},
    error::McpError,
    names::ServerId,
    ports::{BoxFuture, Clock, RandomSource, SecretSource, TokenSource, TokenSources},
};

/// What authorizations need from outside.
#[derive(Debug, Clone)]
pub struct OAuthParts {
    /// Where credentials come from.
    pub secrets: Arc<dyn SecretSource>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where `state`, PKCE verifiers and ids of assertions come from.
    pub random: Arc<dyn RandomSource>,
    /// Who carries the requests.
    pub transports: Arc<dyn OAuthTransports>,
    /// Who hears of events.
    pub events: Option<Arc<dyn OAuthEventSink>>,
    /// The system's keyring, where there is one.
    pub keyring: Option<Arc<dyn TokenStore>>,
}

impl OAuthParts {
    pub(super) fn monitor(&self, server: &ServerId) -> Monitor {
        Monitor::new(server.clone(), Arc::clone(&self.clock), self.events.clone())
    }
}

/// The sources of tokens by server: the same one for the same id, address and settings.
#[derive(Debug)]
pub struct TokenRegistry {
    parts: OAuthParts,
    memory: Arc<MemoryTokens>,
    entries: Mutex<Vec<Entry>>,
}

#[derive(Debug)]
struct Entry {
    id: ServerId,
    server: HttpServer,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Credentials(Arc<ClientCredentialsTokens>),
    Code(Arc<AuthorizationCodeTokens>),
}

impl Source {
    fn monitor(&self) -> &Monitor {
        match self {
            Self::Credentials(tokens) => tokens.monitor(),
            Self::Code(tokens) => tokens.monitor(),
        }
    }
}

impl TokenRegistry {
    /// Makes a registry without sources.
    pub fn new(parts: OAuthParts) -> Self {
        Self {
            parts,
            memory: Arc::default(),
            entries: Mutex::default(),
        }
    }

    /// Forgets the sources of servers that are configured no more, or in another way; logins in memory are
    /// forgotten by their users, those in a keyring stay.
    pub fn retain(&self, servers: &[ServerConfig]) {
        self.entries().retain(|entry| {
            servers.iter().any(|server| match oauth(server) {
                Some((http, _)) => entry.serves(&server.id, http),
                None => false,
            })
        });
    }

    /// Returns the source of a server that a person logs in to; nothing for other servers.
    pub fn login(&self, server: &ServerConfig) -> Option<Arc<AuthorizationCodeTokens>> {
        match self.source(server)? {
            Source::Code(tokens) => Some(tokens),
            Source::Credentials(_) => None,
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn source(&self, server: &ServerConfig) -> Option<Source> {
        let (http, settings) = oauth(server)?;
        let mut entries = self.entries();
        if let Some(entry) = entries.iter().find(|entry| entry.serves(&server.id, http)) {
            return Some(entry.source.clone());
        }
        let source = self.make(&server.id, http, settings);
        entries.push(Entry {
            id: server.id.clone(),
            server: http.clone(),
            source: source.clone(),
        });
        Some(source)
    }

    fn make(&self, id: &ServerId, http: &HttpServer, settings: &OAuthSettings) -> Source {
        match &settings.flow {
            OAuthFlow::ClientCredentials {
                client_id,
                credential,
            } => Source::Credentials(Arc::new(ClientCredentialsTokens::new(
                id,
                http,
                client_id.clone(),
                credential.clone(),
                &self.parts,
            ))),
            OAuthFlow::AuthorizationCode {
                client_id,
                client_secret,
            } => {
                let client = (client_id.clone(), client_secret.clone());
                let store = self.store(settings.keyring);
                let tokens = AuthorizationCodeTokens::new(id, http, client, &self.parts, store);
                Source::Code(Arc::new(tokens))
            }
        }
    }

    fn store(&self, keyring: bool) -> Arc<dyn TokenStore> {
        if !keyring {
            let memory: Arc<dyn TokenStore> = Arc::<MemoryTokens>::clone(&self.memory);
            return memory;
        }
        let keyring = self.parts.keyring.clone();
        keyring.unwrap_or_else(|| Arc::new(NoKeyring))
    }
}

impl Entry {
    fn serves(&self, id: &ServerId, server: &HttpServer) -> bool {
        self.id == *id
            && self.server.url == server.url
            && self.server.oauth == server.oauth
            && self.server.allow_private == server.allow_private
    }
}

impl TokenSources for TokenRegistry {
    fn for_server(&self, server: &ServerConfig) -> Option<Arc<dyn TokenSource>> {
        Some(match self.source(server)? {
            Source::Credentials(tokens) => tokens,
            Source::Code(tokens) => tokens,
        })
    }

    fn health(&self, server: &ServerConfig) -> Option<OAuthHealth> {
        Some(self.source(server)?.monitor().health())
    }

    fn connected(&self, server: &ServerConfig) {
        if let Some(source) = self.source(server) {
            source.monitor().tell(&OAuthEvent::Connected);
        }
    }
}

fn oauth(server: &ServerConfig) -> Option<(&HttpServer, &OAuthSettings)> {
    match &server.transport {
        Transport::Http(http) => http.oauth.as_ref().map(|settings| (http, settings)),
        Transport::Stdio(_) => None,
    }
}

/// Stands for a keyring that was asked for and is not there: nothing is kept elsewhere in its place.
#[derive(Debug)]
struct NoKeyring;

impl NoKeyring {
    fn refuse<T: Send + 'static>() -> BoxFuture<'static, Result<T, McpError>> {
        Box::pin(async {
            Err(McpError::new(
                codes::MCP_OAUTH_STORE_UNAVAILABLE,
                "the settings ask for a keyring, and this program has none",
            ))
        })
    }
}

impl TokenStore for NoKeyring {
    fn load<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<StoredLogin>, McpError>> {
        Self::refuse()
    }

    fn save<'a>(&'a self, _: &'a str, _: &'a StoredLogin) -> BoxFuture<'a, Result<(), McpError>> {
        Self::refuse()
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), McpError>> {
        Self::refuse()
    }
}
