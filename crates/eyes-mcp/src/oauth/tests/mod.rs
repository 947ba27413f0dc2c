//! Behaviour of the authorization, against an authorization server on loopback.

mod code;
mod credentials;
mod discovery;
mod keyring;
mod parts;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use eyes_evidence::{
    provenance::Timestamp,
    testing::{CountingRandom, FixedClock},
};
use http::{Request, Response};

use super::{
    OAuthEvent, OAuthEventSink, OAuthParts, OAuthTransport, OAuthTransports, PolicedTransports,
};
use crate::{
    config::{
        EnvReference, HttpServer, OAuthCredential, OAuthFlow, OAuthSettings, SecretAuthMethod,
    },
    error::McpError,
    names::ServerId,
    ports::{BoxFuture, Clock, SecretSource},
    testing::LoopbackAuthorization,
};

/// A clock that is set by hand.
#[derive(Debug)]
struct HandClock(AtomicU64);

impl Default for HandClock {
    fn default() -> Self {
        Self(AtomicU64::new(FixedClock.unix_ms()))
    }
}

impl HandClock {
    fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1000, Ordering::Relaxed);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        FixedClock.now()
    }

    fn unix_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
struct Variables(Mutex<BTreeMap<String, String>>);

impl Variables {
    fn set(&self, name: &str, value: &str) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(name.to_owned(), value.to_owned());
    }
}

impl SecretSource for Variables {
    fn resolve(&self, variable: &str) -> Option<String> {
        self.0.lock().unwrap().get(variable).cloned()
    }
}

#[derive(Debug, Default)]
struct Events(Mutex<Vec<String>>);

impl OAuthEventSink for Events {
    fn record(&self, server: &ServerId, event: &OAuthEvent) {
        assert_eq!(server.as_str(), "one");
        let mut names = self.0.lock().unwrap();
        names.push(event.name().to_owned());
    }
}

impl Events {
    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Everything that an authorization needs, and handles on it.
struct Bench {
    server: LoopbackAuthorization,
    clock: Arc<HandClock>,
    variables: Arc<Variables>,
    events: Arc<Events>,
    parts: OAuthParts,
}

impl Bench {
    async fn start() -> Self {
        let clock = Arc::new(HandClock::default());
        let variables = Arc::new(Variables::default());
        variables.set("ID", "client-one");
        variables.set("SECRET", "secret-of-client-one");
        let events = Arc::new(Events::default());
        Self {
            server: LoopbackAuthorization::start().await.unwrap(),
            parts: OAuthParts {
                secrets: Arc::<Variables>::clone(&variables),
                clock: Arc::<HandClock>::clone(&clock),
                random: Arc::new(CountingRandom::default()),
                transports: Arc::new(PolicedTransports::default()),
                events: Some(Arc::<Events>::clone(&events)),
                keyring: None,
            },
            clock,
            variables,
            events,
        }
    }

    fn http(&self, flow: OAuthFlow) -> HttpServer {
        HttpServer {
            url: self.server.url(),
            query: BTreeMap::new(),
            headers: BTreeMap::new(),
            oauth: Some(OAuthSettings {
                flow,
                scope: None,
                keyring: false,
            }),
            allow_private: false,
        }
    }
}

fn id() -> ServerId {
    "one".parse().unwrap()
}

fn variable(name: &str) -> EnvReference {
    EnvReference {
        env: name.to_owned(),
    }
}

fn secret(method: Option<SecretAuthMethod>) -> OAuthCredential {
    OAuthCredential::Secret {
        secret: variable("SECRET"),
        method,
    }
}

fn code(error: &McpError) -> &'static str {
    error.code.as_str()
}

/// A network on which nobody answers.
#[derive(Debug)]
struct Silence;

impl OAuthTransport for Silence {
    fn send(
        &self,
        _: Request<Vec<u8>>,
        _: usize,
    ) -> BoxFuture<'_, Result<Response<Vec<u8>>, McpError>> {
        Box::pin(std::future::pending())
    }
}

impl OAuthTransports for Silence {
    fn for_server(&self, _: &HttpServer) -> Arc<dyn OAuthTransport> {
        Arc::new(Self)
    }
}
