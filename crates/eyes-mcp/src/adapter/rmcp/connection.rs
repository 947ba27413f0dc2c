//! One live connection over the protocol library.

use std::{fmt, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CancelledNotificationParam, ClientRequest, CustomRequest, NumberOrString, RequestId,
        ServerResult,
    },
    service::{Peer, PeerRequestOptions, RequestHandle, ServiceError},
};
use serde_json::{Map, Value};
use tokio::{
    runtime::Handle,
    sync::{Notify, oneshot},
    time::{Instant, sleep, sleep_until, timeout, timeout_at},
};
use tokio_util::sync::CancellationToken;

use super::{
    connector::explained,
    convert::params,
    elicit::Questions,
    failure::Failures,
    header_rules::{FIRST_REVISION, leave_out_broken},
    input::Required,
    listen::Listener,
    progress::{ProgressRegistry, number},
};
use crate::{
    codes::{
        MCP_ADAPTER_CLOSE_FAILED, MCP_CONNECTION_UNHEALTHY, MCP_INPUT_ROUND_LIMIT,
        MCP_MESSAGE_INVALID, MCP_REQUEST_TIMEOUT,
    },
    error::McpError,
    limits::{CANCEL_TIMEOUT, INPUT_RETRY, MAX_INPUT_ROUNDS, PROTOCOL_CLOSE_TIMEOUT},
    ports::{BoxFuture, McpConnection, McpRequest, PeerInfo, ProgressSink, RequestOptions},
};

/// Where results wait that came around the protocol library, undamaged.
pub(super) trait Bypass: fmt::Debug + Send + Sync {
    /// Takes the result of a request.
    fn take(&self, id: i64) -> Option<Value>;
    /// Waits no longer for a result.
    fn forget(&self, id: i64);
}

/// What runs for a connection besides it, such as a server's process.
pub(super) trait Companion: fmt::Debug + Send + Sync {
    /// Returns the newest lines of standard error.
    fn stderr_tail(&self) -> Option<String>;
    /// Waits a little for its end and says how it ended.
    fn exit(&self) -> BoxFuture<'_, Option<String>>;
    /// Ends it.
    fn close(&self) -> BoxFuture<'_, Result<(), McpError>>;
}

/// A connection to a server.
#[derive(Debug)]
pub(super) struct RmcpConnection {
    pub(super) peer: Peer<RoleClient>,
    pub(super) info: PeerInfo,
    pub(super) progress: Arc<ProgressRegistry>,
    pub(super) questions: Option<Arc<Questions>>,
    pub(super) failures: Failures,
    pub(super) bypass: Option<Arc<dyn Bypass>>,
    pub(super) companion: Option<Arc<dyn Companion>>,
    /// Only on revisions that have subscriptions of this kind.
    pub(super) listener: Option<Listener>,
    /// Ends the protocol library's work.
    pub(super) stop: CancellationToken,
    /// Cancelled when that work has ended.
    pub(super) ended: CancellationToken,
}

impl Drop for RmcpConnection {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl RmcpConnection {
    fn unhealthy() -> McpError {
        McpError::new(MCP_CONNECTION_UNHEALTHY, "the connection is closed")
    }

    /// Revisions without a handshake have no `ping` either.
    fn is_modern(&self) -> bool {
        self.listener.is_some()
    }

    async fn exchange(
        &self,
        request: McpRequest,
        options: &RequestOptions,
    ) -> Result<Value, McpError> {
        let method = match &request {
            // Tells the same, and is as small as a request can be there.
            McpRequest::Ping if self.is_modern() => "server/discover",
            other => other.method(),
        };
        let last = Instant::now() + options.total;
        let mut params = params(request);
        let mut waits = 0;
        for _ in 0..MAX_INPUT_ROUNDS {
            let mut result = self.once(method, params.clone(), options, last).await?;
            let Some(required) = Required::of(&mut result)? else {
                return Ok(result);
            };
            if required.is_empty() {
                sleep_until(last.min(Instant::now() + INPUT_RETRY * 2_u32.pow(waits))).await;
                waits += 1;
            }
            let answered = required.answer(self.questions.as_deref(), &mut params);
            timeout_at(last, answered)
                .await
                .map_err(|_| timed_out(options.total))??;
        }
        let message = format!("the server asked for input more than {MAX_INPUT_ROUNDS} times");
        Err(McpError::new(MCP_INPUT_ROUND_LIMIT, message).after_sending())
    }

    async fn once(
        &self,
        method: &str,
        params: Map<String, Value>,
        options: &RequestOptions,
        last: Instant,
    ) -> Result<Value, McpError> {
        let params = (!params.is_empty()).then_some(Value::Object(params));
        let request = ClientRequest::CustomRequest(CustomRequest::new(method, params));
        let sent = timeout(options.idle, self.send(request, options.progress.clone()));
        let (mut waiting, mut response) = sent.await.map_err(|_| timed_out(options.idle))??;
        let outcome = self
            .wait(&waiting.heard, &mut response, options, last)
            .await;
        let answered = match outcome {
            Ok(answered) => answered,
            Err(error) => {
                if error.code != MCP_REQUEST_TIMEOUT {
                    waiting.is_open = false;
                }
                return Err(error);
            }
        };
        waiting.is_open = false;
        self.result(answered, &waiting.id)
    }

    async fn send(
        &self,
        request: ClientRequest,
        sink: Option<Arc<dyn ProgressSink>>,
    ) -> Result<(Waiting, Response), McpError> {
        let order = self.progress.order.lock().await;
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_cancellable_request(request, options).await;
        let handle = sent.map_err(|_| Self::unhealthy())?;
        let RequestHandle {
            rx,
            id,
            progress_token,
            ..
        } = handle;
        let token = number(&progress_token).unwrap_or_default();
        let heard = self.progress.enter(token, sink);
        drop(order);
        let waiting = Waiting {
            peer: self.peer.clone(),
            progress: Arc::clone(&self.progress),
            bypass: self.bypass.clone(),
            runtime: Handle::current(),
            id,
            token,
            heard,
            is_open: true,
        };
        Ok((waiting, rx))
    }

    async fn wait(
        &self,
        heard: &Notify,
        response: &mut Response,
        options: &RequestOptions,
        last: Instant,
    ) -> Result<ServerResult, McpError> {
        let idle = sleep(options.idle);
        tokio::pin!(idle);
        loop {
            tokio::select! {
                biased;
                answered = &mut *response => {
                    return match answered {
                        Ok(Ok(result)) => Ok(result),
                        Ok(Err(error)) => Err(self.failures.request(&error)),
                        Err(_) => Err(Self::unhealthy().after_sending()),
                    };
                }
                () = sleep_until(last) => return Err(timed_out(options.total)),
                () = heard.notified() => idle.as_mut().reset(Instant::now() + options.idle),
                () = &mut idle => {
                    // The server waits for a person; that is no silence of the server.
                    if !self.progress.has_question() {
                        return Err(timed_out(options.idle));
                    }
                    idle.as_mut().reset(Instant::now() + options.idle);
                }
            }
        }
    }

    /// Takes the result as the server wrote it.
    fn result(&self, answered: ServerResult, id: &RequestId) -> Result<Value, McpError> {
        let NumberOrString::Number(id) = id else {
            return typed(answered);
        };
        let Some(mut raw) = self.bypass.as_ref().and_then(|bypass| bypass.take(*id)) else {
            return typed(answered);
        };
        if matches!(answered, ServerResult::ListToolsResult(_))
            && self.peer().protocol_version.as_str() >= FIRST_REVISION
        {
            leave_out_broken(&mut raw);
        }
        Ok(raw)
    }

    async fn end(&self) -> Result<(), McpError> {
        self.stop.cancel();
        let closed = match &self.companion {
            Some(companion) => companion.close().await,
            None => Ok(()),
        };
        let ended = timeout(PROTOCOL_CLOSE_TIMEOUT, self.ended.cancelled()).await;
        closed.map_err(|error| self.failures.redacted(error))?;
        ended.map_err(|_| {
            let message = format!("the connection did not end within {PROTOCOL_CLOSE_TIMEOUT:?}");
            McpError::new(MCP_ADAPTER_CLOSE_FAILED, message)
        })
    }
}

type Response = oneshot::Receiver<Result<ServerResult, ServiceError>>;

fn typed(result: ServerResult) -> Result<Value, McpError> {
    match result {
        ServerResult::CustomResult(raw) => Ok(raw.0),
        other => serde_json::to_value(other)
            .map_err(|error| McpError::new(MCP_MESSAGE_INVALID, error.to_string()).after_sending()),
    }
}

fn timed_out(limit: Duration) -> McpError {
    let message = format!("no answer within {} ms", limit.as_millis());
    McpError::new(MCP_REQUEST_TIMEOUT, message).after_sending()
}

/// A request that was sent; dropped while it is open, it is cancelled at the server.
struct Waiting {
    peer: Peer<RoleClient>,
    progress: Arc<ProgressRegistry>,
    bypass: Option<Arc<dyn Bypass>>,
    runtime: Handle,
    id: RequestId,
    token: i64,
    heard: Arc<Notify>,
    is_open: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.progress.forget(self.token);
        if !self.is_open {
            return;
        }
        if let (Some(bypass), NumberOrString::Number(id)) = (&self.bypass, &self.id) {
            bypass.forget(*id);
        }
        let peer = self.peer.clone();
        let reason = "nobody waits for the answer any more".to_owned();
        let cancelled = CancelledNotificationParam::new(Some(self.id.clone()), Some(reason));
        drop(self.runtime.spawn(async move {
            // A server that does not read is not waited for.
            drop(timeout(CANCEL_TIMEOUT, peer.notify_cancelled(cancelled)).await);
        }));
    }
}

impl McpConnection for RmcpConnection {
    fn peer(&self) -> &PeerInfo {
        &self.info
    }

    fn request(
        &self,
        request: McpRequest,
        options: RequestOptions,
    ) -> BoxFuture<'_, Result<Value, McpError>> {
        Box::pin(async move {
            if self.ended.is_cancelled() || self.stop.is_cancelled() {
                return Err(Self::unhealthy());
            }
            match (request, &self.listener) {
                (McpRequest::Subscribe { uri }, Some(listener)) => {
                    within(options.total, listener.change(uri, true)).await
                }
                (McpRequest::Unsubscribe { uri }, Some(listener)) => {
                    within(options.total, listener.change(uri, false)).await
                }
                (request, _) => match self.exchange(request, &options).await {
                    // A program that is gone may have said why.
                    Err(error) if error.code == MCP_CONNECTION_UNHEALTHY => {
                        let error = explained(error, self.companion.as_deref()).await;
                        Err(self.failures.redacted(error))
                    }
                    answered => answered,
                },
            }
        })
    }

    fn stderr_tail(&self) -> Option<String> {
        self.companion.as_ref()?.stderr_tail()
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        Box::pin(self.end())
    }
}

async fn within(
    limit: Duration,
    change: impl Future<Output = Result<Value, McpError>>,
) -> Result<Value, McpError> {
    timeout(limit, change).await.map_err(|_| timed_out(limit))?
}
