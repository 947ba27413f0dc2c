//! Sending requests with what authorizes them.

use std::sync::Arc;

use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use reqwest::{Request, RequestBuilder, Response};

use super::error::HttpFault;
use crate::{
    codes::{MCP_AUTHORIZATION_MISSING, MCP_CONNECT_FAILED, MCP_OAUTH_LOGIN_MISSING},
    error::McpError,
    limits::MAX_CHALLENGE_BYTES,
    net::PolicedClient,
    ports::TokenSource,
};

/// Sends requests to one server.
#[derive(Debug)]
pub(super) struct Sender {
    pub(super) client: PolicedClient,
    pub(super) headers: HeaderMap,
    pub(super) tokens: Option<Arc<dyn TokenSource>>,
}

impl Sender {
    /// Sends a request; refused for its token, it is sent once more with a newer one.
    ///
    /// Where a person has to agree first it is sent without a token: what the server then asks for is handed to the
    /// source of tokens.
    pub(super) async fn send(
        &self,
        build: impl Fn(&reqwest::Client) -> RequestBuilder + Send,
    ) -> Result<Response, HttpFault> {
        let mut token = match &self.tokens {
            Some(tokens) => match tokens.token().await {
                Ok(token) => Some(token),
                Err(error) if error.code == MCP_OAUTH_LOGIN_MISSING => None,
                Err(error) => return Err(error.into()),
            },
            None => None,
        };
        let mut is_first = true;
        loop {
            let request = self.request(build(self.client.inner()), token.as_deref())?;
            let response = self.client.execute(request).await?;
            let Some(refusal) = refusal(&response) else {
                return Ok(response);
            };
            let Some(tokens) = self.tokens.as_ref().filter(|_| is_first) else {
                return Err(unauthorized(&response).into());
            };
            is_first = false;
            let before = token.take().unwrap_or_else(|| Arc::from(""));
            token = Some(
                tokens
                    .refused(&before, refusal.challenge.as_deref())
                    .await?,
            );
        }
    }

    fn request(&self, built: RequestBuilder, token: Option<&str>) -> Result<Request, HttpFault> {
        let unusable = || {
            McpError::new(
                MCP_CONNECT_FAILED,
                "the request or its token cannot be sent",
            )
        };
        let mut request = built.build().map_err(|_| unusable())?;
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        if let Some(token) = token {
            let value = HeaderValue::from_str(&format!("Bearer {token}"));
            let mut value = value.map_err(|_| unusable())?;
            value.set_sensitive(true);
            request.headers_mut().insert(AUTHORIZATION, value);
        }
        Ok(request)
    }
}

/// A server wants other authorization.
struct Refusal {
    /// What it asks for, where it says so.
    challenge: Option<String>,
}

fn refusal(response: &Response) -> Option<Refusal> {
    let text = response
        .headers()
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .filter(|value| value.len() <= MAX_CHALLENGE_BYTES)
        .collect::<Vec<_>>()
        .join(", ");
    let is_refused = match response.status() {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => text.contains("insufficient_scope"),
        _ => false,
    };
    is_refused.then(|| Refusal {
        challenge: Some(text).filter(|text| !text.is_empty()),
    })
}

fn unauthorized(response: &Response) -> McpError {
    let status = response.status().as_u16();
    let message = format!("the server answered with HTTP {status}: it wants other authorization");
    McpError::new(MCP_AUTHORIZATION_MISSING, message)
}
