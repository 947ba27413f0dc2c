//! Servers behind Streamable HTTP.

mod answers;
mod channel;
mod error;
mod events;
mod inbound;
mod send;
mod sse;

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};
use rmcp::transport::{
    StreamableHttpClientTransport, common::client_side_sse::ExponentialBackoff,
    streamable_http_client::StreamableHttpClientTransportConfig,
};

pub(super) use self::error::own_error;
use self::{answers::Answers, channel::HttpChannel, inbound::Inbound, send::Sender};
use super::connector::{Opened, RmcpParts};
use crate::{
    codes::MCP_CONFIG_INVALID,
    config::{HttpServer, ResolvedSecrets, ServerConfig, is_own_header},
    error::McpError,
    limits::{HTTP_RECONNECT_PAUSE, MAX_HTTP_ERROR_BYTES, MAX_HTTP_REQUESTS},
    net::{NetPolicy, PolicedClient, Redirects},
    wire::MessageLimits,
};

pub(super) type HttpTransport = StreamableHttpClientTransport<HttpChannel>;

/// Makes the transport to a server; nothing is connected to yet.
///
/// Errors: `MCP_CONFIG_INVALID`, `MCP_ADDRESS_BLOCKED`, `MCP_CONNECT_FAILED`.
pub(super) fn open(
    config: &ServerConfig,
    server: &HttpServer,
    resolved: &ResolvedSecrets,
    parts: &RmcpParts,
) -> Result<Opened<HttpTransport>, McpError> {
    open_within((config, server), resolved, parts, MessageLimits::default())
}

/// Does what [`open`] does within other bounds.
pub(super) fn open_within(
    (config, server): (&ServerConfig, &HttpServer),
    resolved: &ResolvedSecrets,
    parts: &RmcpParts,
    limits: MessageLimits,
) -> Result<Opened<HttpTransport>, McpError> {
    let policy = NetPolicy::for_url(&server.url, server.allow_private);
    policy.check_url(&server.url)?;
    let sender = Sender {
        client: PolicedClient::new(policy, &parts.net, Redirects::SameOrigin)?,
        headers: headers(server, resolved)?,
        tokens: parts
            .tokens
            .as_ref()
            .and_then(|tokens| tokens.for_server(config)),
    };
    let answers = Arc::<Answers>::default();
    let channel = HttpChannel {
        sender: Arc::new(sender),
        inbound: Inbound {
            answers: Arc::clone(&answers),
            limits,
        },
    };
    let mut settings = StreamableHttpClientTransportConfig::with_uri(resolved.url(server).as_str())
        .max_concurrent_requests(MAX_HTTP_REQUESTS)
        .max_json_response_size(limits.bytes)
        .max_sse_event_size(limits.bytes)
        .max_error_response_size(MAX_HTTP_ERROR_BYTES);
    let mut backoff = ExponentialBackoff::default();
    backoff.max_delay = Some(HTTP_RECONNECT_PAUSE);
    settings.retry_config = Arc::new(backoff);
    Ok(Opened {
        transport: StreamableHttpClientTransport::with_client(channel, settings),
        bypass: Some(answers),
        companion: None,
    })
}

/// Makes the configured headers; their values are never shown.
fn headers(server: &HttpServer, resolved: &ResolvedSecrets) -> Result<HeaderMap, McpError> {
    let mut headers = HeaderMap::new();
    for (name, value) in resolved.headers(server) {
        let invalid =
            |what: &str| McpError::new(MCP_CONFIG_INVALID, format!("headers.{name} {what}"));
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| invalid("is no name of a header"))?;
        if is_own_header(header.as_str()) {
            return Err(invalid("is set by the protocol"));
        }
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| invalid("refers to a value that no header can have"))?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
