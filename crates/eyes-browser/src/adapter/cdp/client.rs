//! One connection to a browser: requests with their answers, and events as they come.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Message, protocol::WebSocketConfig},
};
use tokio_util::sync::CancellationToken;

use crate::limits::{CALL_TIMEOUT, MAX_MESSAGE_BYTES, MAX_OUTGOING};

/// A request did not get what it asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum CdpError {
    #[error("the connection is closed")]
    Closed,
    #[error("{0} took too long")]
    Timeout(&'static str),
    #[error("{method}: {message}")]
    Refused {
        method: &'static str,
        code: i64,
        message: String,
    },
}

/// Something that the browser tells without being asked.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) session: Option<String>,
    pub(super) method: String,
    pub(super) params: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Incoming {
    id: Option<u64>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
    session_id: Option<String>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

type Outcome = Result<Value, Refusal>;
/// Nothing once the connection is closed.
type Waiting = Arc<Mutex<Option<BTreeMap<u64, oneshot::Sender<Outcome>>>>>;

/// A connection; dropping it closes it.
pub(super) struct Client {
    next: AtomicU64,
    out: mpsc::Sender<String>,
    waiting: Waiting,
    closed: CancellationToken,
    tasks: [JoinHandle<()>; 2],
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.closed.cancel();
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// An answer that is under way; dropping it forgets it.
pub(super) struct Reply {
    id: u64,
    method: &'static str,
    answer: oneshot::Receiver<Outcome>,
    waiting: Waiting,
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(waiting) = lock(&self.waiting).as_mut() {
            waiting.remove(&self.id);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reply {
    /// Waits for it as long as is usual.
    pub(super) async fn get(self) -> Result<Value, CdpError> {
        self.within(CALL_TIMEOUT).await
    }

    /// Waits for it at most `time`.
    pub(super) async fn within(mut self, time: Duration) -> Result<Value, CdpError> {
        match tokio::time::timeout(time, &mut self.answer).await {
            Err(_) => Err(CdpError::Timeout(self.method)),
            Ok(Err(_)) => Err(CdpError::Closed),
            Ok(Ok(Err(refusal))) => Err(CdpError::Refused {
                method: self.method,
                code: refusal.code,
                message: refusal.message,
            }),
            Ok(Ok(Ok(value))) => Ok(value),
        }
    }
}

impl Client {
    /// Connects to `ws://HOST:PORT/PATH`; `handler` gets every event, in order, and must not block.
    pub(super) async fn connect(
        address: &str,
        handler: impl Fn(Event) + Send + 'static,
    ) -> Result<Self, String> {
        let authority = address
            .strip_prefix("ws://")
            .and_then(|rest| rest.split('/').next())
            .ok_or_else(|| format!("{address} is no ws: address"))?;
        let stream = TcpStream::connect(authority)
            .await
            .map_err(|error| format!("{authority}: {error}"))?;
        stream
            .set_nodelay(true)
            .map_err(|error| error.to_string())?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE_BYTES))
            .max_frame_size(Some(MAX_MESSAGE_BYTES));
        let (socket, _) = client_async_with_config(address, stream, Some(config))
            .await
            .map_err(|error| error.to_string())?;
        let waiting: Waiting = Arc::new(Mutex::new(Some(BTreeMap::new())));
        let closed = CancellationToken::new();
        let (out, outgoing) = mpsc::channel(MAX_OUTGOING);
        let (sink, source) = socket.split();
        let writer = tokio::spawn(write(sink, outgoing, closed.clone()));
        let reader = tokio::spawn(read(source, Arc::clone(&waiting), closed.clone(), handler));
        Ok(Self {
            next: AtomicU64::new(1),
            out,
            waiting,
            closed,
            tasks: [writer, reader],
        })
    }

    /// Returns what is cancelled when the connection is closed.
    pub(super) const fn closed(&self) -> &CancellationToken {
        &self.closed
    }

    /// Sends a request whose answer nobody needs.
    pub(super) fn post(&self, session: Option<&str>, method: &'static str, params: &Value) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(id, session, method, params);
    }

    /// Sends a request now, to be waited for later: requests of one session are answered in order.
    pub(super) fn start(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
    ) -> Reply {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (done, answer) = oneshot::channel();
        if let Some(waiting) = lock(&self.waiting).as_mut() {
            waiting.insert(id, done);
        }
        self.send(id, session, method, params);
        Reply {
            id,
            method,
            answer,
            waiting: Arc::clone(&self.waiting),
        }
    }

    /// Sends a request and waits for its answer as long as is usual.
    pub(super) async fn call(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
    ) -> Result<Value, CdpError> {
        self.start(session, method, params).get().await
    }

    fn send(&self, id: u64, session: Option<&str>, method: &'static str, params: &Value) {
        let message = match session {
            Some(session) => {
                json!({"id": id, "method": method, "params": params, "sessionId": session})
            }
            None => json!({"id": id, "method": method, "params": params}),
        };
        // A browser that takes nothing any more is as good as gone.
        if self.out.try_send(message.to_string()).is_err() {
            self.closed.cancel();
        }
    }
}

type Socket = WebSocketStream<TcpStream>;

async fn write(
    mut sink: futures_util::stream::SplitSink<Socket, Message>,
    mut outgoing: mpsc::Receiver<String>,
    closed: CancellationToken,
) {
    while let Some(text) = outgoing.recv().await {
        let mut sent = sink.feed(Message::text(text)).await;
        while let (true, Ok(text)) = (sent.is_ok(), outgoing.try_recv()) {
            sent = sink.feed(Message::text(text)).await;
        }
        if sent.is_err() || sink.flush().await.is_err() {
            break;
        }
    }
    closed.cancel();
}

async fn read(
    mut source: futures_util::stream::SplitStream<Socket>,
    waiting: Waiting,
    closed: CancellationToken,
    handler: impl Fn(Event),
) {
    loop {
        let message = tokio::select! {
            message = source.next() => message,
            () = closed.cancelled() => None,
        };
        let Some(Ok(message)) = message else { break };
        let Message::Text(text) = message else {
            continue;
        };
        let Ok(incoming) = serde_json::from_str::<Incoming>(text.as_str()) else {
            break;
        };
        if let Some(id) = incoming.id {
            let answer = lock(&waiting)
                .as_mut()
                .and_then(|waiting| waiting.remove(&id));
            if let Some(answer) = answer {
                drop(answer.send(incoming.error.map_or(Ok(incoming.result), Err)));
            }
        } else if let Some(method) = incoming.method {
            handler(Event {
                session: incoming.session_id,
                method,
                params: incoming.params,
            });
        }
    }
    // Whoever waits learns it by the end of the channel.
    drop(lock(&waiting).take());
    closed.cancel();
}
