//! Settings of the network.

use std::time::Duration;

use reqwest::{NoProxy, Proxy, Url};

use super::super::{ProviderConfigError, Secret};
use crate::limits::{
    DEFAULT_CATALOG_SECONDS, DEFAULT_CONNECT_SECONDS, DEFAULT_FIRST_BYTE_SECONDS,
    DEFAULT_IDLE_SECONDS, DEFAULT_TOTAL_SECONDS,
};

/// Settings of [`HttpClient`](super::HttpClient).
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// How long a connection may take, over all addresses of a host and with TLS.
    pub connect_timeout: Duration,
    /// Which proxies are used.
    pub proxy: ProxyConfig,
    /// Additional CA certificates, each a PEM file's bytes; a file may hold several certificates.
    pub extra_ca: Vec<Vec<u8>>,
    /// The user agent; this program's own where absent.
    pub user_agent: Option<String>,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(DEFAULT_CONNECT_SECONDS),
            proxy: ProxyConfig::default(),
            extra_ca: Vec::new(),
            user_agent: None,
        }
    }
}

/// How long each part of one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the call to the first byte of the reply's body: sending the images, loading the
    /// model and reading the prompt.
    pub first_byte: Duration,
    /// Between two pieces of the reply; comments and pings count as pieces.
    pub idle: Duration,
    /// The whole reply.
    pub total: Duration,
    /// One listing of models.
    pub catalog: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_byte: Duration::from_secs(DEFAULT_FIRST_BYTE_SECONDS),
            idle: Duration::from_secs(DEFAULT_IDLE_SECONDS),
            total: Duration::from_secs(DEFAULT_TOTAL_SECONDS),
            catalog: Duration::from_secs(DEFAULT_CATALOG_SECONDS),
        }
    }
}

/// Which proxies are used; none by default.
///
/// The fields mean what the variables of the same names mean to curl; whoever reads the environment passes
/// the values on. Loopback addresses are always reached directly.
#[derive(Debug, Clone, Default)]
pub struct ProxyConfig {
    /// The proxy for `http` URLs, as `HTTP_PROXY` has it.
    pub http: Option<Secret>,
    /// The proxy for `https` URLs, as `HTTPS_PROXY` has it.
    pub https: Option<Secret>,
    /// The proxy for every URL that has none of its own, as `ALL_PROXY` has it.
    pub all: Option<Secret>,
    /// Hosts, domains, addresses and networks that are reached directly, as `NO_PROXY` has it.
    pub no_proxy: Option<String>,
}

impl ProxyConfig {
    /// Uses one proxy for everything: `http`, `https`, `socks5` or `socks5h`, user info allowed.
    pub fn all(url: Secret) -> Self {
        Self {
            all: Some(url),
            ..Self::default()
        }
    }

    pub(super) fn proxies(&self, direct: &str) -> Result<Vec<Proxy>, ProviderConfigError> {
        let exceptions = match &self.no_proxy {
            Some(list) => format!("{direct},{list}"),
            None => direct.to_owned(),
        };
        let make = [Proxy::http::<Url>, Proxy::https, Proxy::all];
        let mut proxies = Vec::new();
        for (secret, make) in [&self.http, &self.https, &self.all].into_iter().zip(make) {
            // An empty variable means none, as it does to curl.
            let Some(text) = secret.as_ref().map(Secret::expose).map(str::trim) else {
                continue;
            };
            if text.is_empty() {
                continue;
            }
            let proxy = proxy_url(text).and_then(|url| make(url).ok());
            let proxy = proxy.ok_or(ProviderConfigError::Proxy)?;
            proxies.push(proxy.no_proxy(NoProxy::from_string(&exceptions)));
        }
        Ok(proxies)
    }

    /// Returns what no message may show: the proxies' passwords.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        [&self.http, &self.https, &self.all]
            .into_iter()
            .flatten()
            .filter_map(|secret| {
                proxy_url(secret.expose().trim())?
                    .password()
                    .map(Secret::new)
            })
            .collect()
    }
}

/// Reads a proxy's URL; `host:port` alone is an HTTP proxy.
fn proxy_url(text: &str) -> Option<Url> {
    let full = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    let url = Url::parse(&full).ok()?;
    let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    (known.contains(&url.scheme()) && url.has_host()).then_some(url)
}
