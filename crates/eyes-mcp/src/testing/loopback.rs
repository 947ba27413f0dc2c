//! Connections to scripted servers.

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use serde_json::Value;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{
    ScriptedServer,
    scripted::{End, Script},
};
use crate::{
    codes::{MCP_CONNECT_FAILED, MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_TIMEOUT},
    config::ServerConfig,
    error::McpError,
    event_queue::EventQueue,
    ports::{
        BoxFuture, Connected, McpConnection, McpConnector, McpRequest, PeerInfo, RequestOptions,
    },
};

/// Connects to scripted servers by the server's id.
#[derive(Debug, Default)]
pub struct LoopbackConnector {
    servers: Mutex<BTreeMap<String, ScriptedServer>>,
}

impl LoopbackConnector {
    /// Makes a connector that knows no server.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a server, or replaces the one with this id.
    ///
    /// # Panics
    ///
    /// Panics when another thread panicked in here.
    pub fn add(&self, id: &str, server: &ScriptedServer) {
        let mut servers = self.servers.lock().expect("no thread panics in here");
        servers.insert(id.to_owned(), server.clone());
    }

    fn find(&self, server: &ServerConfig) -> Result<ScriptedServer, McpError> {
        let servers = self.servers.lock().expect("no thread panics in here");
        let found = servers.get(server.id.as_str()).cloned();
        found.ok_or_else(|| {
            let message = format!("no scripted server has the id {}", server.id);
            McpError::new(MCP_CONNECT_FAILED, message)
        })
    }
}

impl McpConnector for LoopbackConnector {
    fn connect<'a>(
        &'a self,
        server: &'a ServerConfig,
    ) -> BoxFuture<'a, Result<Connected, McpError>> {
        Box::pin(async move {
            let scripted = self.find(server)?;
            let Script { after, end, .. } = scripted.attempt();
            let limit = server.timeout;
            if matches!(end, End::Never) || after > limit {
                sleep(limit).await;
                return Err(timeout(limit));
            }
            sleep(after).await;
            match end {
                End::Answer(answer) => drop((*answer)?),
                End::Close(reason) => return Err(McpError::new(MCP_CONNECT_FAILED, reason)),
                End::Usual | End::Never => {}
            }
            let (queue, events) = EventQueue::new();
            let gone = CancellationToken::new();
            scripted.joined(queue, gone.clone());
            let connection = ScriptedConnection {
                peer: scripted.peer(),
                server: scripted,
                gone,
            };
            Ok(Connected {
                connection: std::sync::Arc::new(connection),
                events,
            })
        })
    }
}

#[derive(Debug)]
struct ScriptedConnection {
    peer: PeerInfo,
    server: ScriptedServer,
    gone: CancellationToken,
}

impl Drop for ScriptedConnection {
    fn drop(&mut self) {
        self.server.left(&self.gone, "dropped");
    }
}

/// Tells the server when a request is given up.
struct Pending<'a> {
    server: &'a ScriptedServer,
    request: Option<McpRequest>,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if let Some(request) = self.request.take() {
            self.server.gave_up(request);
        }
    }
}

impl ScriptedConnection {
    async fn answer(
        &self,
        request: &McpRequest,
        options: &RequestOptions,
    ) -> Result<Value, McpError> {
        let script = self.server.arrived(request);
        let last = Instant::now() + options.total;
        for (delay, progress) in script.progress {
            wait(delay, options, last).await?;
            if let Some(sink) = &options.progress {
                sink.progress(progress);
            }
        }
        if matches!(script.end, End::Never) {
            wait(Duration::MAX, options, last).await?;
        }
        wait(script.after, options, last).await?;
        match script.end {
            End::Usual | End::Never => self.server.usual(request),
            End::Answer(answer) => *answer,
            End::Close(reason) => {
                self.server.left(&self.gone, &reason);
                Err(unhealthy().after_sending())
            }
        }
    }
}

/// Waits as long as the server takes, but no longer than the request does.
async fn wait(delay: Duration, options: &RequestOptions, last: Instant) -> Result<(), McpError> {
    let idle = Instant::now() + options.idle;
    tokio::select! {
        biased;
        () = sleep(delay) => Ok(()),
        () = sleep_until(idle) => Err(timeout(options.idle)),
        () = sleep_until(last) => Err(timeout(options.total)),
    }
}

fn timeout(limit: Duration) -> McpError {
    McpError::new(
        MCP_REQUEST_TIMEOUT,
        format!("no answer within {} ms", limit.as_millis()),
    )
    .after_sending()
}

fn unhealthy() -> McpError {
    McpError::new(MCP_CONNECTION_UNHEALTHY, "the connection is closed")
}

impl McpConnection for ScriptedConnection {
    fn peer(&self) -> &PeerInfo {
        &self.peer
    }

    fn request(
        &self,
        request: McpRequest,
        options: RequestOptions,
    ) -> BoxFuture<'_, Result<Value, McpError>> {
        Box::pin(async move {
            if self.gone.is_cancelled() {
                return Err(unhealthy());
            }
            let mut pending = Pending {
                server: &self.server,
                request: Some(request.clone()),
            };
            let outcome = tokio::select! {
                biased;
                outcome = self.answer(&request, &options) => outcome,
                () = self.gone.cancelled() => Err(unhealthy().after_sending()),
            };
            // What ran out of time is cancelled at the server like what was dropped.
            if !matches!(&outcome, Err(error) if error.code == MCP_REQUEST_TIMEOUT) {
                pending.request = None;
            }
            outcome
        })
    }

    fn stderr_tail(&self) -> Option<String> {
        self.server.stderr()
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        Box::pin(async move {
            self.server.left(&self.gone, "closed");
            Ok(())
        })
    }
}
