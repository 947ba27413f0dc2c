//! Authorization with nobody there: the suite's servers agree to everything.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use eyes_mcp::{
    codes::{MCP_OAUTH_LOGIN_FAILED, MCP_OAUTH_LOGIN_MISSING, MCP_OAUTH_SCOPE_MISSING},
    config::{
        EnvReference, OAuthCredential, OAuthFlow, OAuthSettings, SecretAuthMethod, ServerConfig,
    },
    error::McpError,
    net::{NetConfig, NetPolicy, PolicedClient, Redirects},
    oauth::{AuthorizationCodeTokens, OAuthParts, PolicedTransports, TokenRegistry},
    ports::{BoxFuture, SecretSource, TokenSource, TokenSources},
};
use eyes_runtime::{SystemClock, SystemRandom};
use serde_json::Value;

/// The suite's document of a client; it is never fetched.
const CLIENT_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
const CALLBACK: &str = "http://127.0.0.1:3000/callback";
/// How often one run logs in, at most: a server that wants ever more scopes is given up.
const MAX_LOGINS: usize = 3;

/// What the suite tells a client, by name.
#[derive(Debug)]
pub(crate) struct Context(pub(crate) Value);

impl SecretSource for Context {
    fn resolve(&self, variable: &str) -> Option<String> {
        if variable == "client_document" {
            return Some(CLIENT_DOCUMENT.to_owned());
        }
        self.0[variable].as_str().map(str::to_owned)
    }
}

fn reference(name: &str) -> EnvReference {
    EnvReference {
        env: name.to_owned(),
    }
}

/// Chooses the settings of a scenario.
pub(crate) fn settings(scenario: &str, context: &Value) -> Option<OAuthSettings> {
    if !scenario.starts_with("auth/") {
        return None;
    }
    let told = |name: &str| context[name].is_string().then(|| reference(name));
    let flow = match scenario {
        "auth/client-credentials-basic" => OAuthFlow::ClientCredentials {
            client_id: reference("client_id"),
            credential: OAuthCredential::Secret {
                secret: reference("client_secret"),
                method: Some(SecretAuthMethod::Basic),
            },
        },
        "auth/client-credentials-jwt" => OAuthFlow::ClientCredentials {
            client_id: reference("client_id"),
            credential: OAuthCredential::PrivateKey {
                key: reference("private_key_pem"),
                algorithm: context["signing_algorithm"].as_str().map(str::to_owned),
                key_id: None,
            },
        },
        "auth/basic-cimd" => OAuthFlow::AuthorizationCode {
            client_id: Some(reference("client_document")),
            client_secret: None,
        },
        _ => OAuthFlow::AuthorizationCode {
            client_id: told("client_id"),
            client_secret: told("client_secret"),
        },
    };
    Some(OAuthSettings {
        flow,
        scope: None,
        keyring: false,
    })
}

/// The tokens of the run, with logins wherever a person would be asked.
#[derive(Debug)]
pub(crate) struct Authorizations {
    registry: TokenRegistry,
}

impl Authorizations {
    pub(crate) fn new(secrets: Arc<dyn SecretSource>) -> Self {
        Self {
            registry: TokenRegistry::new(OAuthParts {
                secrets,
                clock: Arc::new(SystemClock),
                random: Arc::new(SystemRandom),
                transports: Arc::new(PolicedTransports::new(NetConfig::default())),
                events: None,
                keyring: None,
            }),
        }
    }
}

impl TokenSources for Authorizations {
    fn for_server(&self, server: &ServerConfig) -> Option<Arc<dyn TokenSource>> {
        match self.registry.login(server) {
            Some(tokens) => Some(Arc::new(Agreeing {
                tokens,
                logins: AtomicUsize::new(0),
            })),
            None => self.registry.for_server(server),
        }
    }
}

/// Agrees to what is asked, a few times.
#[derive(Debug)]
struct Agreeing {
    tokens: Arc<AuthorizationCodeTokens>,
    logins: AtomicUsize,
}

impl Agreeing {
    async fn log_in(&self, challenge: Option<&str>) -> Result<Arc<str>, McpError> {
        let failed = |message: String| McpError::new(MCP_OAUTH_LOGIN_FAILED, message);
        if self.logins.fetch_add(1, Ordering::Relaxed) == MAX_LOGINS {
            return Err(failed(format!("logged in {MAX_LOGINS} times already")));
        }
        let callback = CALLBACK
            .parse()
            .map_err(|_| failed("no address".to_owned()))?;
        let pending = self.tokens.begin(&callback, challenge).await?;
        let policy = NetPolicy::for_url(pending.url(), false);
        let client = PolicedClient::new(policy, &NetConfig::default(), Redirects::Never)?;
        let request = client.inner().get(pending.url().as_str()).build();
        let request = request.map_err(|error| failed(error.to_string()))?;
        let reply = client.execute(request).await?;
        let location = reply.headers().get("location");
        let location = location.and_then(|value| value.to_str().ok());
        let answer = location.and_then(|location| callback.join(location).ok());
        let answer = answer.ok_or_else(|| failed(format!("no redirect: {}", reply.status())))?;
        self.tokens.finish(pending, &answer).await?;
        self.tokens.token().await
    }
}

impl TokenSource for Agreeing {
    fn token(&self) -> BoxFuture<'_, Result<Arc<str>, McpError>> {
        self.tokens.token()
    }

    fn refused<'a>(
        &'a self,
        token: &'a str,
        challenge: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Arc<str>, McpError>> {
        Box::pin(async move {
            match self.tokens.refused(token, challenge).await {
                Err(error)
                    if [MCP_OAUTH_LOGIN_MISSING, MCP_OAUTH_SCOPE_MISSING].contains(&error.code) =>
                {
                    self.log_in(challenge).await
                }
                told => told,
            }
        })
    }
}
