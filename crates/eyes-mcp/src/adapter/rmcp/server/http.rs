//! Serving over Streamable HTTP, on loopback, to clients that have the token.

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::{
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::{JoinHandle, JoinSet},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::handler::Served;
use crate::{
    codes::MCP_SERVE_FAILED,
    error::McpError,
    limits::{
        ACCEPT_PAUSE, MAX_SERVED_BODY_BYTES, MAX_SERVED_CONNECTIONS, MAX_SERVED_SESSIONS,
        SERVED_GRACE, SERVED_HEAD_TIMEOUT, SERVED_SESSION_IDLE,
    },
    serve::{BearerToken, ServerIdentity, ToolHost},
};

/// The path of the endpoint.
const PATH: &str = "/mcp";
/// The header that carries a session's id (MCP 2025-11-25, Streamable HTTP).
const SESSION_HEADER: &str = "mcp-session-id";

/// The header that carries the revision of the protocol.
const VERSION_HEADER: &str = "mcp-protocol-version";
/// The first revision without sessions.
const STATELESS_SINCE: &[u8] = b"2026-07-28";

type Body = BoxBody<Bytes, Infallible>;

/// How the server is reached.
#[derive(Debug, Clone)]
pub struct HttpServeOptions {
    /// The port on 127.0.0.1; 0 for any that is free.
    pub port: u16,
    /// What every request must carry.
    pub token: BearerToken,
}

/// A server that runs. Dropping it ends it at once; [`stop`](Self::stop) lets requests end.
#[derive(Debug)]
pub struct HttpServing {
    address: SocketAddr,
    stop: CancellationToken,
    calls: TaskTracker,
    task: Option<JoinHandle<()>>,
}

impl HttpServing {
    /// Begins to serve on loopback.
    ///
    /// Every request needs the token, a Host that names this address, and no Origin but its own; its size, the
    /// number of sessions and connections and how long they idle are bounded. Errors: `MCP_SERVE_FAILED`.
    pub async fn start(
        host: Arc<dyn ToolHost>,
        identity: ServerIdentity,
        options: HttpServeOptions,
    ) -> Result<Self, McpError> {
        let failed = |error: std::io::Error| {
            let port = options.port;
            McpError::new(
                MCP_SERVE_FAILED,
                format!("127.0.0.1:{port} cannot be served: {error}"),
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
            .await
            .map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (stop, calls) = (CancellationToken::new(), TaskTracker::new());
        let serve = {
            let calls = calls.clone();
            move || {
                Ok(Served::new(
                    Arc::clone(&host),
                    identity.clone(),
                    calls.clone(),
                ))
            }
        };
        let door = Arc::new(Door::new(serve, &options.token, (address, &stop)));
        let task = tokio::spawn(accept(listener, door, stop.clone()));
        Ok(Self {
            address,
            stop,
            calls,
            task: Some(task),
        })
    }

    /// Returns where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address that clients are given.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Takes no more requests, lets those under way end for [`SERVED_GRACE`], and ends.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if let Some(task) = self.task.take() {
            // It ends by itself within the grace.
            drop(task.await);
        }
        self.calls.close();
        // What a host does not end when its call is dropped is left to the runtime.
        drop(timeout(SERVED_GRACE, self.calls.wait()).await);
    }
}

impl Drop for HttpServing {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// What every request passes.
struct Door {
    token: BearerToken,
    sessions: Arc<LocalSessionManager>,
    service: StreamableHttpService<Served, LocalSessionManager>,
}

impl Door {
    fn new(
        serve: impl Fn() -> std::io::Result<Served> + Send + Sync + 'static,
        token: &BearerToken,
        (address, stop): (SocketAddr, &CancellationToken),
    ) -> Self {
        let port = address.port();
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(names.map(|name| format!("{name}:{port}")))
            .with_allowed_origins(names.map(|name| format!("http://{name}:{port}")))
            .enforce_origin_validation()
            .with_max_request_body_bytes(MAX_SERVED_BODY_BYTES)
            .with_cancellation_token(stop.child_token());
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SERVED_SESSION_IDLE);
        let sessions = Arc::new(sessions);
        Self {
            token: token.clone(),
            service: StreamableHttpService::new(serve, Arc::clone(&sessions), config),
            sessions,
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let authorization = request.headers().get(header::AUTHORIZATION);
        if !self
            .token
            .admits(authorization.map(http::HeaderValue::as_bytes))
        {
            let mut refused = plain(StatusCode::UNAUTHORIZED, "a bearer token is needed");
            let challenge = http::HeaderValue::from_static("Bearer");
            refused
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
            return refused;
        }
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the endpoint is /mcp");
        }
        let headers = request.headers();
        let has_sessions = headers
            .get(VERSION_HEADER)
            .is_none_or(|version| version.as_bytes() < STATELESS_SINCE);
        let is_new = has_sessions && !headers.contains_key(SESSION_HEADER);
        if is_new && self.sessions.sessions.read().await.len() >= MAX_SERVED_SESSIONS {
            return plain(
                StatusCode::SERVICE_UNAVAILABLE,
                "there are as many sessions as may be",
            );
        }
        self.service.handle(request).await
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}

async fn accept(listener: TcpListener, door: Arc<Door>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(MAX_SERVED_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            // A client beyond the bound waits in the listener's queue.
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        tokio::select! {
            () = stop.cancelled() => break,
            (place, accepted) = next => {
                let (Ok(place), Ok((stream, _))) = (place, accepted) else {
                    // Such as no file descriptors: to try at once again would only keep the machine busy.
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                };
                let (door, stop) = (Arc::clone(&door), stop.clone());
                connections.spawn(async move {
                    serve(stream, door, stop).await;
                    drop(place);
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let ends = async { while connections.join_next().await.is_some() {} };
    // Whatever is left after the grace ends with the set.
    drop(timeout(SERVED_GRACE, ends).await);
}

async fn serve(stream: TcpStream, door: Arc<Door>, stop: CancellationToken) {
    let answer = service_fn(move |request| {
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(door.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SERVED_HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), answer);
    tokio::pin!(connection);
    tokio::select! {
        // A fault of one connection is that client's.
        ended = &mut connection => drop(ended),
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            drop(connection.await);
        }
    }
}
