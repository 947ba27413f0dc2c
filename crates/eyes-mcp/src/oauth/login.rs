//! A login by a browser on this machine: a listener on loopback takes the code (RFC 8252, section 7.3).

use std::{net::Ipv4Addr, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};
use url::Url;

use super::code::AuthorizationCodeTokens;
use crate::{
    codes,
    error::McpError,
    limits::{
        LOGIN_REQUEST_TIMEOUT, LOGIN_TIMEOUT, MAX_LOGIN_CONNECTIONS, MAX_LOGIN_REQUEST_BYTES,
    },
};

const PATH: &str = "/callback";
const DONE: &str = "<!doctype html><meta charset=utf-8><title>DeepSeekEyes</title>\
    <p>The answer is here. You may close this page; the program tells how the login ended.";

impl AuthorizationCodeTokens {
    /// Logs a person in: `show` gets the address to open, then the browser's answer is waited for.
    ///
    /// Errors: those of [`begin`](Self::begin) and [`finish`](Self::finish), and `MCP_OAUTH_LOGIN_TIMEOUT`.
    pub async fn login(
        &self,
        challenge: Option<&str>,
        show: &(dyn Fn(&Url) + Send + Sync),
    ) -> Result<(), McpError> {
        self.login_within(LOGIN_TIMEOUT, challenge, show).await
    }

    pub(super) async fn login_within(
        &self,
        limit: Duration,
        challenge: Option<&str>,
        show: &(dyn Fn(&Url) + Send + Sync),
    ) -> Result<(), McpError> {
        let listener = RedirectListener::bind().await?;
        let pending = self.begin(&listener.uri, challenge).await?;
        show(pending.url());
        let callback = timeout(limit, listener.wait(pending.state())).await;
        let callback = callback.map_err(|_| {
            let message = format!("nobody came back within {} s", limit.as_secs());
            McpError::new(codes::MCP_OAUTH_LOGIN_TIMEOUT, message)
        })??;
        self.finish(pending, &callback).await
    }
}

/// Takes one answer of a browser.
#[derive(Debug)]
struct RedirectListener {
    listener: TcpListener,
    uri: Url,
}

impl RedirectListener {
    async fn bind() -> Result<Self, McpError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let bound = listener.and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
        let (port, listener) = bound.map_err(|error| {
            let message = format!("no port of this machine can be listened on: {error}");
            McpError::new(codes::MCP_OAUTH_LOGIN_FAILED, message)
        })?;
        let uri = Url::parse(&format!("http://127.0.0.1:{port}{PATH}"));
        let uri = uri.map_err(|_| {
            McpError::new(codes::MCP_OAUTH_LOGIN_FAILED, "the port makes no address")
        })?;
        Ok(Self { listener, uri })
    }

    /// Waits for the request that brings `state`; others are turned away, and browsers open idle connections.
    async fn wait(self, state: &str) -> Result<Url, McpError> {
        let mut open = JoinSet::new();
        let mut left = MAX_LOGIN_CONNECTIONS;
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if left > 0 => {
                    let Ok((stream, _)) = accepted else { continue };
                    left -= 1;
                    let (base, state) = (self.uri.clone(), state.to_owned());
                    open.spawn(timeout(LOGIN_REQUEST_TIMEOUT, serve(stream, base, state)));
                }
                Some(ended) = open.join_next() => {
                    if let Ok(Ok(Some(callback))) = ended {
                        return Ok(callback);
                    }
                }
                else => {
                    let message = format!("{MAX_LOGIN_CONNECTIONS} connections brought no answer");
                    return Err(McpError::new(codes::MCP_OAUTH_LOGIN_FAILED, message));
                }
            }
        }
    }
}

/// Reads one request and answers it; returns its address when it is the awaited one.
async fn serve(mut stream: TcpStream, base: Url, state: String) -> Option<Url> {
    let head = read_head(&mut stream).await?;
    let target = head.strip_prefix("GET ")?.split(' ').next()?;
    // A target that is an address of its own, or starts with two slashes, would leave the base.
    let callback = base
        .join(target)
        .ok()
        .filter(|url| url.origin() == base.origin());
    let callback = callback.filter(|url| {
        let brought = url
            .query_pairs()
            .any(|(name, value)| name == "state" && value == *state);
        url.path() == PATH && brought
    });
    let (status, body) = match callback {
        Some(_) => ("200 OK", DONE),
        None => ("404 Not Found", ""),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\n\
         content-security-policy: default-src 'none'\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    // The login goes on whether or not the browser reads its page.
    drop(stream.write_all(answer.as_bytes()).await);
    drop(stream.shutdown().await);
    callback
}

/// Reads up to the end of the head, within the bound; nothing when it does not come or is no text.
async fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut piece = [0; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || head.len() + read > MAX_LOGIN_REQUEST_BYTES {
            return None;
        }
        head.extend_from_slice(&piece[..read]);
    }
    String::from_utf8(head).ok()
}
