//! The requests of authorization over the policed client.

use std::sync::Arc;

use eyes_evidence::code::Coded as _;
use http::{Request, Response};

use super::web::{OAuthTransport, OAuthTransports};
use crate::{
    codes,
    config::HttpServer,
    error::McpError,
    net::{NetConfig, NetError, NetPolicy, PolicedClient, Redirects},
    ports::BoxFuture,
};

/// Carries authorizations over [`PolicedClient`], each under the policy of its server.
#[derive(Debug, Default)]
pub struct PolicedTransports {
    config: NetConfig,
}

impl PolicedTransports {
    /// Uses these settings of the network.
    pub fn new(config: NetConfig) -> Self {
        Self { config }
    }
}

impl OAuthTransports for PolicedTransports {
    fn for_server(&self, server: &HttpServer) -> Arc<dyn OAuthTransport> {
        let policy = NetPolicy::for_url(&server.url, server.allow_private);
        let client = PolicedClient::new(policy, &self.config, Redirects::Never);
        Arc::new(PolicedTransport {
            client: client.map_err(McpError::from),
        })
    }
}

#[derive(Debug)]
struct PolicedTransport {
    client: Result<PolicedClient, McpError>,
}

impl OAuthTransport for PolicedTransport {
    fn send(
        &self,
        request: Request<Vec<u8>>,
        max_body: usize,
    ) -> BoxFuture<'_, Result<Response<Vec<u8>>, McpError>> {
        Box::pin(async move {
            let client = self.client.as_ref().map_err(Clone::clone)?;
            let host = request.uri().host().unwrap_or_default().to_owned();
            let fault = |error: NetError| McpError::new(error.code(), format!("{host}: {error}"));
            let request = reqwest::Request::try_from(request)
                .map_err(|error| fault(NetError::from_reqwest(error)))?;
            let mut response = client.execute(request).await.map_err(fault)?;
            let mut answer = Response::builder().status(response.status());
            if let Some(headers) = answer.headers_mut() {
                *headers = std::mem::take(response.headers_mut());
            }
            let body =
                match max_body {
                    0 => Vec::new(),
                    max => PolicedClient::read_body(response, max)
                        .await
                        .map_err(|error| match error {
                            NetError::TooLarge { .. } => McpError::new(
                                codes::MCP_OAUTH_RESPONSE_LIMIT,
                                format!("{host} answered with more than {max} bytes"),
                            ),
                            error => fault(error),
                        })?,
                };
            answer.body(body).map_err(|_| {
                McpError::new(
                    codes::MCP_CONNECT_FAILED,
                    format!("the answer of {host} is none"),
                )
            })
        })
    }
}
