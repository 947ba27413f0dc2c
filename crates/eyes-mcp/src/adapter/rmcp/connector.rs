//! Making connections.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleClient,
    model::ProtocolVersion,
    service::{
        ClientCacheConfig, ClientInitializeError, ClientLifecycleMode, QuitReason, RunningService,
        serve_client_with_lifecycle_and_ct,
    },
    transport::Transport as RmcpTransport,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    connection::{Bypass, Companion, RmcpConnection},
    convert::peer_info,
    elicit::Questions,
    failure::Failures,
    handler::Handler,
    handshake::Handshake,
    listen::Listener,
    progress::ProgressRegistry,
};
#[cfg(feature = "http")]
use crate::net::NetConfig;
use crate::{
    codes::{MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_TIMEOUT},
    config::{ResolvedSecrets, ServerConfig, Transport},
    error::McpError,
    event_queue::EventQueue,
    limits::MAX_START_STDERR_CHARS,
    ports::{
        BoxFuture, Connected, ConnectionEvent, Elicitor, McpConnector, SecretSource, TokenSources,
    },
};

/// What connections are made with.
#[derive(Debug, Clone)]
pub struct RmcpParts {
    /// Where the values of references in settings come from.
    pub secrets: Arc<dyn SecretSource>,
    /// Who answers questions of servers; without it they are told that nobody does.
    pub elicitor: Option<Arc<dyn Elicitor>>,
    /// Where tokens come from; without it no server is authorized with OAuth.
    pub tokens: Option<Arc<dyn TokenSources>>,
    /// Settings of the network.
    #[cfg(feature = "http")]
    pub net: NetConfig,
}

/// Connects to servers over standard streams and Streamable HTTP.
///
/// Revisions 2024-11-05 to 2026-07-28: the newest is tried first. A server that ends the connection over that is
/// connected to a second time in the old way, and from then on at once.
#[derive(Debug)]
pub struct RmcpConnector {
    parts: RmcpParts,
    /// Servers that need the old way, with the settings for which that was found.
    legacy: Mutex<BTreeMap<String, Transport>>,
}

/// What a transport brings along.
pub(super) struct Opened<T> {
    pub(super) transport: T,
    pub(super) bypass: Option<Arc<dyn Bypass>>,
    pub(super) companion: Option<Arc<dyn Companion>>,
}

impl<T> fmt::Debug for Opened<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").finish_non_exhaustive()
    }
}

/// What every attempt to connect to a server has in common.
struct Attempt<'a> {
    server: &'a ServerConfig,
    resolved: ResolvedSecrets,
    failures: Failures,
}

/// Why a handshake failed.
pub(super) struct Refused {
    pub(super) error: McpError,
    /// Whether the server hung up on the newest handshake, as some old ones do on everything but `initialize`.
    hung_up: bool,
}

impl RmcpConnector {
    /// Makes a connector.
    pub const fn new(parts: RmcpParts) -> Self {
        Self {
            parts,
            legacy: Mutex::new(BTreeMap::new()),
        }
    }

    async fn open(&self, server: &ServerConfig) -> Result<Connected, McpError> {
        let resolved = ResolvedSecrets::of(server, &*self.parts.secrets)?;
        let attempt = Attempt {
            server,
            failures: Failures {
                redactor: Arc::new(resolved.redactor().clone()),
            },
            resolved,
        };
        if self.is_legacy(server) {
            let refused = match self.attempt(&attempt, true).await {
                Ok(connected) => return Ok(connected),
                Err(refused) => refused,
            };
            self.remember(server, false);
            return Err(refused.error);
        }
        let refused = match self.attempt(&attempt, false).await {
            Ok(connected) => return Ok(connected),
            Err(refused) => refused,
        };
        if !refused.hung_up {
            return Err(refused.error);
        }
        match self.attempt(&attempt, true).await {
            Ok(connected) => {
                self.remember(server, true);
                Ok(connected)
            }
            Err(again) => Err(again.error),
        }
    }

    async fn attempt(&self, attempt: &Attempt<'_>, legacy: bool) -> Result<Connected, Refused> {
        let Attempt {
            server,
            resolved,
            failures,
        } = attempt;
        let failed = |error| Refused {
            error: failures.redacted(error),
            hung_up: false,
        };
        match &server.transport {
            #[cfg(feature = "stdio")]
            Transport::Stdio(stdio) => {
                let opened = super::program::open(stdio, resolved).map_err(failed)?;
                self.shake_hands(opened, failures, legacy).await
            }
            #[cfg(feature = "http")]
            Transport::Http(http) => {
                let opened =
                    super::http::open(server, http, resolved, &self.parts).map_err(failed)?;
                self.shake_hands(opened, failures, legacy).await
            }
            #[cfg(not(all(feature = "http", feature = "stdio")))]
            _ => Err(failed(McpError::new(
                crate::codes::MCP_CONNECT_FAILED,
                "this program was built without the server's transport",
            ))),
        }
    }

    pub(super) async fn shake_hands<T>(
        &self,
        opened: Opened<T>,
        failures: &Failures,
        legacy: bool,
    ) -> Result<Connected, Refused>
    where
        T: RmcpTransport<RoleClient> + 'static,
    {
        let (events, received) = EventQueue::new();
        let progress = Arc::<ProgressRegistry>::default();
        let questions =
            self.parts.elicitor.as_ref().map(|elicitor| {
                Arc::new(Questions::new(Arc::clone(elicitor), Arc::clone(&progress)))
            });
        let handler = Handler {
            events: events.clone(),
            progress: Arc::clone(&progress),
            questions: questions.clone(),
        };
        let stop = CancellationToken::new();
        let transport = Handshake::new(opened.transport);
        let served =
            serve_client_with_lifecycle_and_ct(handler, transport, lifecycle(legacy), stop.clone());
        let service = match served.await {
            Ok(service) => service,
            Err(error) => {
                let hung_up = !legacy && is_hang_up(&error);
                let error = explained(failures.connect(&error), opened.companion.as_deref()).await;
                let error = failures.redacted(error);
                return Err(Refused { error, hung_up });
            }
        };
        let peer = service.peer().clone();
        // What is asked for is wanted as it is now.
        peer.set_response_cache_config(ClientCacheConfig::disabled())
            .await;
        let negotiated = peer.peer_info();
        let info = negotiated.as_deref().map(peer_info).unwrap_or_default();
        let is_modern = negotiated.is_some_and(|info| !info.protocol_version.has_initialize());
        let listener = is_modern.then(|| {
            let (peer, stop) = (peer.clone(), stop.clone());
            Listener::start(peer, &info, events.clone(), failures.clone(), stop)
        });
        let ended = CancellationToken::new();
        let companion = opened.companion.clone();
        drop(tokio::spawn(watch(
            service,
            companion,
            events,
            ended.clone(),
        )));
        let connection = RmcpConnection {
            peer,
            info,
            progress,
            questions,
            failures: failures.clone(),
            bypass: opened.bypass,
            companion: opened.companion,
            listener,
            stop,
            ended,
        };
        Ok(Connected {
            connection: Arc::new(connection),
            events: received,
        })
    }

    fn is_legacy(&self, server: &ServerConfig) -> bool {
        let legacy = self.legacy.lock().unwrap_or_else(PoisonError::into_inner);
        legacy.get(server.id.as_str()) == Some(&server.transport)
    }

    fn remember(&self, server: &ServerConfig, is_legacy: bool) {
        let mut legacy = self.legacy.lock().unwrap_or_else(PoisonError::into_inner);
        let id = server.id.as_str().to_owned();
        if is_legacy {
            legacy.insert(id, server.transport.clone());
        } else {
            legacy.remove(&id);
        }
    }
}

impl McpConnector for RmcpConnector {
    fn connect<'a>(
        &'a self,
        server: &'a ServerConfig,
    ) -> BoxFuture<'a, Result<Connected, McpError>> {
        Box::pin(async move {
            let opened = timeout(server.timeout, Box::pin(self.open(server))).await;
            opened.map_err(|_| {
                let limit = server.timeout.as_millis();
                let message = format!("the server did not answer the handshake within {limit} ms");
                McpError::new(MCP_REQUEST_TIMEOUT, message)
            })?
        })
    }
}

fn lifecycle(legacy: bool) -> ClientLifecycleMode {
    if legacy {
        return ClientLifecycleMode::Initialize;
    }
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

/// Whether a server may speak the old way although it did not answer the new one properly.
fn is_hang_up(error: &ClientInitializeError) -> bool {
    matches!(
        error,
        ClientInitializeError::ConnectionClosed(_)
            | ClientInitializeError::ExpectedInitResponse(_)
            | ClientInitializeError::ExpectedInitResult(_)
            | ClientInitializeError::NoCompatibleProtocolVersion { .. }
    )
}

/// Adds how a server's process ended and what it said.
pub(super) async fn explained(mut error: McpError, companion: Option<&dyn Companion>) -> McpError {
    let Some(companion) = companion else {
        return error;
    };
    if let Some(exit) = companion.exit().await {
        error.message.push_str("; the program ended with ");
        error.message.push_str(&exit);
    }
    if let Some(said) = last_words(companion) {
        error.message.push_str("; it wrote: ");
        error.message.push_str(&said);
    }
    error
}

/// Returns the end of what a server's process wrote to standard error, printable, redacted and on one line.
fn last_words(companion: &dyn Companion) -> Option<String> {
    let said = companion.stderr_tail()?;
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    let start = said.chars().count().saturating_sub(MAX_START_STDERR_CHARS);
    Some(said.chars().skip(start).collect()).filter(|said: &String| !said.is_empty())
}

/// Waits for the end of the protocol library's work and tells it.
async fn watch(
    service: RunningService<RoleClient, Handler>,
    companion: Option<Arc<dyn Companion>>,
    events: EventQueue,
    ended: CancellationToken,
) {
    let quit = service.waiting().await;
    ended.cancel();
    let reason = match quit {
        Ok(QuitReason::Cancelled) => "closed".to_owned(),
        Ok(QuitReason::Closed) => {
            let ended = McpError::new(MCP_CONNECTION_UNHEALTHY, "the server ended the connection");
            explained(ended, companion.as_deref()).await.message
        }
        Ok(_) | Err(_) => "the connection failed".to_owned(),
    };
    events.push(ConnectionEvent::Closed { reason });
}
