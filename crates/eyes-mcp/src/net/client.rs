//! The one HTTP client of servers and of their authorization.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{NoProxy, Proxy, Request, Response, StatusCode, redirect};
use url::Url;

use super::{NetError, NetPolicy, resolve::PolicedResolver, tls};
use crate::limits::{HTTP_CONNECT_TIMEOUT, HTTP_KEEP_ALIVE, MAX_REDIRECTS};

const USER_AGENT: &str = concat!("eyes-mcp/", env!("CARGO_PKG_VERSION"));
/// What a proxy never gets.
const DIRECT: &str = "localhost,.localhost,127.0.0.0/8,::1";

/// Settings of the network.
#[derive(Debug, Clone)]
pub struct NetConfig {
    /// How long a connection may take, over all addresses of a host and with TLS.
    pub connect_timeout: Duration,
    /// Additional CA certificates, each a PEM file's bytes.
    pub extra_ca: Vec<Vec<u8>>,
    /// The proxy, where there is one.
    pub proxy: Option<ProxyConfig>,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self {
            connect_timeout: HTTP_CONNECT_TIMEOUT,
            extra_ca: Vec::new(),
            proxy: None,
        }
    }
}

/// A proxy for everything but this machine.
///
/// Behind it names are resolved by the proxy, so that only hosts that are addresses are checked here.
#[derive(Clone)]
pub struct ProxyConfig {
    /// Its URL: `http`, `https` or `socks5h`, user info allowed.
    pub url: String,
    /// Hosts, domains, addresses and networks that are reached directly, as `NO_PROXY` has it.
    pub no_proxy: Option<String>,
}

impl fmt::Debug for ProxyConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyConfig").finish_non_exhaustive()
    }
}

/// Which redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// None: the redirect itself is the reply.
    Never,
    /// Those with 307 and 308, which keep method and body, to the same origin; a few in a row.
    SameOrigin,
}

/// A client that reaches only what its policy allows, also behind redirects and names.
#[derive(Debug, Clone)]
pub struct PolicedClient {
    client: reqwest::Client,
    policy: NetPolicy,
}

impl PolicedClient {
    /// Makes a client; certificates are checked as the system does it.
    ///
    /// Errors: `MCP_CONNECT_FAILED` for certificates and proxies that cannot be used.
    pub fn new(
        policy: NetPolicy,
        config: &NetConfig,
        redirects: Redirects,
    ) -> Result<Self, NetError> {
        let mut resolver = PolicedResolver {
            policy,
            proxy: None,
        };
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::client_config(&config.extra_ca)?)
            .user_agent(USER_AGENT)
            .connect_timeout(config.connect_timeout)
            .redirect(redirect_policy(policy, redirects))
            .referer(false)
            .no_proxy()
            .tcp_keepalive(HTTP_KEEP_ALIVE)
            .http2_keep_alive_interval(HTTP_KEEP_ALIVE)
            .http2_keep_alive_timeout(HTTP_KEEP_ALIVE);
        if let Some(config) = &config.proxy {
            let (proxy, host) = proxy(config)?;
            resolver.proxy = host;
            builder = builder.proxy(proxy);
        }
        let client = builder
            .dns_resolver(Arc::new(resolver))
            .build()
            .map_err(|error| NetError::Setup {
                reason: error.without_url().to_string(),
            })?;
        Ok(Self { client, policy })
    }

    /// Returns the client underneath, for building requests.
    ///
    /// What is sent with it directly is checked where names are resolved and redirects followed, but not where
    /// the host is an address; [`execute`](Self::execute) checks that too.
    pub const fn inner(&self) -> &reqwest::Client {
        &self.client
    }

    /// Returns what may be reached.
    pub const fn policy(&self) -> NetPolicy {
        self.policy
    }

    /// Sends a request and waits for the head of its reply.
    ///
    /// Errors: `MCP_ADDRESS_BLOCKED` by policy, else `MCP_CONNECT_FAILED`.
    pub async fn execute(&self, request: Request) -> Result<Response, NetError> {
        self.policy.check_url(request.url())?;
        let sent = self.client.execute(request).await;
        sent.map_err(NetError::from_reqwest)
    }

    /// Reads the body of a reply, counted as it comes out of its encoding.
    ///
    /// Errors: `MCP_MESSAGE_SIZE_LIMIT` for more than `max` bytes, else `MCP_CONNECT_FAILED`.
    pub async fn read_body(mut response: Response, max: usize) -> Result<Vec<u8>, NetError> {
        if response
            .content_length()
            .is_some_and(|length| length > max as u64)
        {
            return Err(NetError::TooLarge { max });
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(NetError::from_reqwest)? {
            if chunk.len() > max - body.len() {
                return Err(NetError::TooLarge { max });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

fn redirect_policy(policy: NetPolicy, redirects: Redirects) -> redirect::Policy {
    if redirects == Redirects::Never {
        return redirect::Policy::none();
    }
    redirect::Policy::custom(move |attempt| {
        let keeps_body = matches!(
            attempt.status(),
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
        );
        let first = attempt.previous().first();
        let is_same = first.is_some_and(|first| first.origin() == attempt.url().origin());
        if !keeps_body || !is_same || attempt.previous().len() > MAX_REDIRECTS {
            return attempt.stop();
        }
        match policy.check_url(attempt.url()) {
            Ok(()) => attempt.follow(),
            Err(refusal) => attempt.error(refusal),
        }
    })
}

fn proxy(config: &ProxyConfig) -> Result<(Proxy, Option<Arc<str>>), NetError> {
    let refused = || NetError::Setup {
        reason: "the proxy's URL cannot be used".to_owned(),
    };
    let url = Url::parse(config.url.trim()).map_err(|_| refused())?;
    let known = ["http", "https", "socks5h"].contains(&url.scheme()) && url.has_host();
    if !known {
        return Err(refused());
    }
    let host = url.host_str().map(Arc::from);
    let exceptions = match &config.no_proxy {
        Some(list) => format!("{DIRECT},{list}"),
        None => DIRECT.to_owned(),
    };
    let proxy = Proxy::all(url).map_err(|_| refused())?;
    Ok((proxy.no_proxy(NoProxy::from_string(&exceptions)), host))
}
