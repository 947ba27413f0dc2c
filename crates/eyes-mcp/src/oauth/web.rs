//! Requests of the authorization: checked addresses, bounded answers, time limits, policed redirects.

use std::{fmt, sync::Arc};

use http::{Method, Request, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use url::Url;

use super::challenge::Challenge;
use crate::{
    codes,
    config::HttpServer,
    error::McpError,
    limits::{MAX_OAUTH_BODY_BYTES, MAX_OAUTH_REDIRECTS, OAUTH_REQUEST_TIMEOUT},
    net::is_loopback_host,
    ports::BoxFuture,
};

/// Carries the requests of one server's authorization.
///
/// Implementations connect only to addresses that the server's policy allows, and check the address that they
/// connect to, not only the name.
pub trait OAuthTransport: fmt::Debug + Send + Sync {
    /// Sends one request and reads its answer, without following redirects.
    ///
    /// At most `max_body` bytes of the body are read, more is `MCP_OAUTH_RESPONSE_LIMIT`; with 0 the body is not
    /// waited for at all. Errors besides: `MCP_ADDRESS_BLOCKED`, `MCP_CONNECT_FAILED`.
    fn send(
        &self,
        request: Request<Vec<u8>>,
        max_body: usize,
    ) -> BoxFuture<'_, Result<Response<Vec<u8>>, McpError>>;
}

/// Makes the transport of a server's authorization.
pub trait OAuthTransports: fmt::Debug + Send + Sync {
    /// Returns a transport under the server's policy; one that fails where none can be made.
    fn for_server(&self, server: &HttpServer) -> Arc<dyn OAuthTransport>;
}

/// The requests of one server's authorization.
#[derive(Debug, Clone)]
pub(super) struct Web {
    transport: Arc<dyn OAuthTransport>,
    /// The server whose authorization it is.
    pub(super) server: Url,
}

impl Web {
    pub(super) fn new(transport: Arc<dyn OAuthTransport>, server: Url) -> Self {
        Self { transport, server }
    }

    /// Checks an address that somebody else named: https, or plain http from loopback to loopback.
    ///
    /// Errors: `MCP_ADDRESS_BLOCKED`.
    pub(super) fn check(&self, url: &Url) -> Result<(), McpError> {
        let local = url.scheme() == "http" && is_loopback(url) && is_loopback(&self.server);
        let refused = if url.scheme() != "https" && !local {
            "is not behind https"
        } else if !url.username().is_empty() || url.password().is_some() {
            "holds user info"
        } else if url.fragment().is_some() {
            "has a fragment"
        } else {
            return Ok(());
        };
        Err(McpError::new(
            codes::MCP_ADDRESS_BLOCKED,
            format!("{} {refused}", shown(url)),
        ))
    }

    /// Reads an address as a document of JSON; nothing where there is none (4xx).
    ///
    /// Redirects are followed within the origin only. What is no JSON of this form is `Some(Err(..))` with the
    /// place of the fault, so that a guess that went wrong can be told from an outage.
    pub(super) async fn json<T: DeserializeOwned>(
        &self,
        url: &Url,
    ) -> Result<Option<Result<T, String>>, McpError> {
        let mut at = url.clone();
        for _ in 0..=MAX_OAUTH_REDIRECTS {
            self.check(&at)?;
            let response = self.get(&at, MAX_OAUTH_BODY_BYTES).await?;
            let status = response.status();
            if status == StatusCode::OK {
                return Ok(Some(read(response.body())));
            }
            if !status.is_redirection() {
                return absent(&at, status).map(|()| None);
            }
            let target = response.headers().get(header::LOCATION);
            let next = target
                .and_then(|target| target.to_str().ok())
                .and_then(|target| at.join(target).ok());
            at = match next {
                Some(next) if next.origin() == at.origin() => next,
                _ => {
                    return Err(McpError::new(
                        codes::MCP_ADDRESS_BLOCKED,
                        format!("{} redirects to another origin", shown(&at)),
                    ));
                }
            };
        }
        Err(McpError::new(
            codes::MCP_OAUTH_DISCOVERY_FAILED,
            format!(
                "{} redirects more than {MAX_OAUTH_REDIRECTS} times",
                shown(url)
            ),
        ))
    }

    /// Asks the server itself without a token, for its challenge.
    pub(super) async fn probe(&self) -> Result<Option<Challenge>, McpError> {
        let response = self.get(&self.server, 0).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(None);
        }
        let values: Vec<&str> = response
            .headers()
            .get_all(header::WWW_AUTHENTICATE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .collect();
        Ok(Some(Challenge::parse(&values.join(", "))))
    }

    /// Posts to an endpoint that was checked and is checked again.
    pub(super) async fn post(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<Response<Vec<u8>>, McpError> {
        let url = Url::parse(&request.uri().to_string()).map_err(|_| {
            McpError::new(codes::MCP_OAUTH_METADATA_INVALID, "an endpoint is no URL")
        })?;
        self.check(&url)?;
        self.send(&url, request, MAX_OAUTH_BODY_BYTES).await
    }

    async fn get(&self, url: &Url, max_body: usize) -> Result<Response<Vec<u8>>, McpError> {
        let accept = if max_body == 0 {
            "application/json, text/event-stream"
        } else {
            "application/json"
        };
        let request = Request::builder()
            .method(Method::GET)
            .uri(url.as_str())
            .header(header::ACCEPT, accept)
            .body(Vec::new())
            .map_err(|_| {
                let message = format!("{} is no address for a request", shown(url));
                McpError::new(codes::MCP_OAUTH_METADATA_INVALID, message)
            })?;
        self.send(url, request, max_body).await
    }

    async fn send(
        &self,
        url: &Url,
        request: Request<Vec<u8>>,
        max_body: usize,
    ) -> Result<Response<Vec<u8>>, McpError> {
        tokio::time::timeout(
            OAUTH_REQUEST_TIMEOUT,
            self.transport.send(request, max_body),
        )
        .await
        .unwrap_or_else(|_| {
            let seconds = OAUTH_REQUEST_TIMEOUT.as_secs();
            Err(McpError::new(
                codes::MCP_OAUTH_TIMEOUT,
                format!("{} did not answer within {seconds} s", shown(url)),
            ))
        })
    }
}

/// Decides what a status other than 200 and a redirect means: the document is not there, or its host is in trouble.
fn absent(url: &Url, status: StatusCode) -> Result<(), McpError> {
    let trouble = matches!(
        status,
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS
    );
    if status.is_client_error() && !trouble {
        return Ok(());
    }
    Err(McpError::new(
        codes::MCP_OAUTH_DISCOVERY_FAILED,
        format!("{} answered with status {}", shown(url), status.as_u16()),
    ))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        // The parser's own words quote the foreign value; the place is enough.
        let place = error.path().to_string();
        let inner = error.into_inner();
        format!(
            "at {place} (line {}, column {})",
            inner.line(),
            inner.column()
        )
    })
}

/// Writes an address for a message: without its query, which may hold anything.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Schemes without a host have no user info to take away.
    if url.set_username("").is_ok() && url.set_password(None).is_err() {
        url.set_path("");
    }
    url.to_string().chars().take(256).collect()
}

/// Returns whether an address names this machine and no other.
pub(super) fn is_loopback(url: &Url) -> bool {
    url.host().is_some_and(|host| is_loopback_host(&host))
}
