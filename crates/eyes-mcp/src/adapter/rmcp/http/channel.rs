//! The HTTP client that the protocol library runs on.

use std::sync::Arc;

use http::{
    StatusCode,
    header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER},
};
use reqwest::{RequestBuilder, Response};
use rmcp::{
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::streamable_http_client::{
        HttpStatusError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};

use super::{
    error::{Failure, HttpFault},
    events::{Events, events},
    inbound::Inbound,
    send::Sender,
};
use crate::{
    adapter::rmcp::fault,
    limits::MAX_HTTP_ERROR_BYTES,
    net::{NetError, PolicedClient},
    wire::MessageFault,
};

const SESSION_ID: &str = "mcp-session-id";
const LAST_EVENT_ID: &str = "last-event-id";
const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const BOTH: &str = "text/event-stream, application/json";

/// The protocol library's trait has this type in its signatures.
#[expect(clippy::disallowed_types, reason = "a foreign trait asks for it")]
type Headers = std::collections::HashMap<http::HeaderName, http::HeaderValue>;

/// Requests of one connection: bounded, policed, authorized.
#[derive(Debug, Clone)]
pub(in super::super) struct HttpChannel {
    pub(super) sender: Arc<Sender>,
    pub(super) inbound: Inbound,
}

/// What is needed to understand the reply to a message.
struct Posted<'a> {
    message: &'a ClientJsonRpcMessage,
    in_session: bool,
}

impl Posted<'_> {
    fn request(&self) -> Option<&RequestId> {
        match self.message {
            JsonRpcMessage::Request(request) => Some(&request.id),
            _ => None,
        }
    }

    /// The id of the probe for the newest revision, which old servers refuse in many ways.
    fn probe(&self) -> Option<&RequestId> {
        match self.message {
            JsonRpcMessage::Request(request)
                if !self.in_session
                    && matches!(request.request, ClientRequest::DiscoverRequest(_)) =>
            {
                Some(&request.id)
            }
            _ => None,
        }
    }
}

impl StreamableHttpClient for HttpChannel {
    type Error = HttpFault;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.inbound.answers.expect(&message);
        let body = serde_json::to_vec(&message)?;
        let build = |client: &reqwest::Client| {
            let request = client.post(&*uri).header(ACCEPT, BOTH);
            with_headers(request, session_id.as_deref(), &custom_headers)
                .header(CONTENT_TYPE, JSON)
                .body(body.clone())
        };
        let response = self.sender.send(build).await?;
        let posted = Posted {
            message: &message,
            in_session: session_id.is_some(),
        };
        self.reply(response, &posted).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Failure> {
        let build = |client: &reqwest::Client| {
            with_headers(client.delete(&*uri), Some(&session_id), &custom_headers)
        };
        let response = self.sender.send(build).await?;
        if response.status().is_success() {
            return Ok(());
        }
        Err(StreamableHttpError::ServerDoesNotSupportDeleteSession)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, Failure> {
        let build = |client: &reqwest::Client| {
            let mut request = client.get(&*uri).header(ACCEPT, BOTH);
            if let Some(id) = &last_event_id {
                request = request.header(LAST_EVENT_ID, id);
            }
            with_headers(request, session_id.as_deref(), &custom_headers)
        };
        let response = self.sender.send(build).await?;
        let status = response.status();
        let is_over = last_event_id.is_some() && is_refused_for_good(status);
        if status == StatusCode::METHOD_NOT_ALLOWED || is_over {
            // Anything else is asked for again and again, and the call that waits for it never told.
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        if !status.is_success() {
            return Err(status_error(&response).into());
        }
        if !is_of(&response, EVENT_STREAM) {
            return Err(StreamableHttpError::UnexpectedContentType(kind(&response)));
        }
        Ok(events(response, self.inbound.clone(), None))
    }
}

impl HttpChannel {
    async fn reply(
        &self,
        response: Response,
        posted: &Posted<'_>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && posted.in_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refusal(response, posted).await;
        }
        let session = response.headers().get(SESSION_ID);
        let session = session.and_then(|value| value.to_str().ok());
        let session = session.map(str::to_owned);
        let request = posted.request();
        if is_of(&response, EVENT_STREAM) {
            let stream = events(response, self.inbound.clone(), request.cloned());
            return Ok(StreamableHttpPostResponse::Sse(stream, session));
        }
        let Some(request) = request else {
            // Nothing is awaited; whatever else a server answers is as good as an acceptance.
            return Ok(StreamableHttpPostResponse::Accepted);
        };
        if !is_of(&response, JSON) {
            return Err(StreamableHttpError::UnexpectedContentType(kind(&response)));
        }
        let message = self.message(response, request).await?;
        Ok(StreamableHttpPostResponse::Json(message, session))
    }

    /// Reads the message that is the body of a reply.
    async fn message(
        &self,
        response: Response,
        request: &RequestId,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        let max = self.inbound.limits.bytes;
        let body = match PolicedClient::read_body(response, max).await {
            Ok(body) => body,
            Err(NetError::TooLarge { .. }) => {
                return Ok(self.inbound.failed(request, MessageFault::Bytes));
            }
            Err(error) => return Err(HttpFault::from(error).into()),
        };
        let text = String::from_utf8(body).ok();
        let seen = text.and_then(|text| self.inbound.take(text, Some(request)));
        let decoded = seen.and_then(|text| serde_json::from_str(&text).ok());
        Ok(decoded.unwrap_or_else(|| self.inbound.failed(request, MessageFault::Invalid)))
    }

    /// Reads a reply with a status of failure; some servers put an error of the protocol into it.
    async fn refusal(
        &self,
        response: Response,
        posted: &Posted<'_>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        let failure = status_error(&response);
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
        let has_message = is_of(&response, JSON) && !is_busy;
        if !has_message && (is_busy || status.is_server_error()) {
            return Err(failure.into());
        }
        let body = beginning(response).await;
        if has_message
            && let Ok(JsonRpcMessage::Error(mut error)) =
                serde_json::from_slice::<ServerJsonRpcMessage>(&body)
        {
            fault::disown(&mut error.error);
            // What stands in front of a server cannot know the probe's id.
            if let Some(id) = posted.probe() {
                error.id = Some(id.clone());
            }
            let error = JsonRpcMessage::Error(error);
            return Ok(StreamableHttpPostResponse::Json(error, None));
        }
        let text = String::from_utf8_lossy(&body);
        if let Some(id) = posted.probe()
            && status.is_client_error()
            && status != StatusCode::FORBIDDEN
        {
            let error = ErrorData::invalid_request(format!("HTTP {status}: {text}"), None);
            let error = JsonRpcMessage::error(error, Some(id.clone()));
            return Ok(StreamableHttpPostResponse::Json(error, None));
        }
        if status.is_server_error() {
            return Err(failure.into());
        }
        let text = format!("the server answered with HTTP {status}: {text}");
        Err(StreamableHttpError::UnexpectedServerResponse(text.into()))
    }
}

fn with_headers(
    mut request: RequestBuilder,
    session: Option<&str>,
    headers: &Headers,
) -> RequestBuilder {
    if let Some(session) = session {
        request = request.header(SESSION_ID, session);
    }
    for (name, value) in headers {
        request = request.header(name, value);
    }
    request
}

/// Whether it is of no use to ask once more for the rest of a stream: its session ended, or the server knows it not.
fn is_refused_for_good(status: StatusCode) -> bool {
    let may_pass = [
        StatusCode::REQUEST_TIMEOUT,
        StatusCode::TOO_EARLY,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    status.is_client_error() && !may_pass.contains(&status)
}

/// Whether the content type is this one, whatever its parameters.
fn is_of(response: &Response, expected: &str) -> bool {
    kind(response).is_some_and(|kind| {
        let essence = kind.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case(expected)
    })
}

fn kind(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?;
    value.to_str().ok().map(str::to_owned)
}

fn status_error(response: &Response) -> HttpStatusError {
    let after = response.headers().get(RETRY_AFTER);
    let after = after.and_then(|value| value.to_str().ok());
    HttpStatusError::new(response.status().as_u16(), after.map(str::to_owned))
}

/// Reads the beginning of a body, and no more than that.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < MAX_HTTP_ERROR_BYTES {
        let Ok(Some(chunk)) = response.chunk().await else {
            break;
        };
        let room = MAX_HTTP_ERROR_BYTES - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    body
}
