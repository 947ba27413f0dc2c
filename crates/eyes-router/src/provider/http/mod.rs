//! The HTTP client that all providers share: HTTP/1.1 and 2, TLS by rustls, no redirects.

mod config;
mod exchange;
mod failure;
#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;
mod tls;

use std::time::Duration;

pub use self::config::{HttpConfig, ProxyConfig, Timeouts};
pub(super) use self::{
    exchange::{Reply, fetch_json, open},
    failure::Context,
};
use super::{ProviderConfigError, Secret};
use crate::limits::{KEEP_ALIVE_SECONDS, POOL_IDLE_SECONDS};

/// Loopback is reached directly, whatever the proxy settings say.
const DIRECT: &str = "localhost,127.0.0.0/8,::1";

/// Names this program to servers; some refuse the names of HTTP libraries.
const USER_AGENT: &str = concat!(
    "DeepSeekEyes/",
    env!("CARGO_PKG_VERSION"),
    " (+",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);

/// A client with one pool of connections; clones share it.
///
/// Redirects are never followed, so that a key and an image go where the settings say and nowhere else.
/// The pool belongs to the tokio runtime that first uses it.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: reqwest::Client,
    secrets: Vec<Secret>,
}

impl HttpClient {
    /// Builds the client.
    ///
    /// Certificates are checked as the system does it, with the configured ones added. Errors:
    /// `PROVIDER_CONFIG_INVALID`.
    pub fn new(config: &HttpConfig) -> Result<Self, ProviderConfigError> {
        let tls = tls::client_config(&config.extra_ca)?;
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .user_agent(config.user_agent.as_deref().unwrap_or(USER_AGENT))
            .connect_timeout(config.connect_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            .pool_idle_timeout(Duration::from_secs(POOL_IDLE_SECONDS))
            .tcp_keepalive(Duration::from_secs(KEEP_ALIVE_SECONDS))
            .http2_keep_alive_interval(Duration::from_secs(KEEP_ALIVE_SECONDS))
            .http2_keep_alive_timeout(Duration::from_secs(KEEP_ALIVE_SECONDS));
        for proxy in config.proxy.proxies(DIRECT)? {
            builder = builder.proxy(proxy);
        }
        let client = builder
            .build()
            .map_err(|error| ProviderConfigError::Client {
                reason: failure::chain(&error),
            })?;
        Ok(Self {
            client,
            secrets: config.proxy.secrets(),
        })
    }

    /// Returns the values that no message may show.
    pub(super) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    pub(super) const fn inner(&self) -> &reqwest::Client {
        &self.client
    }
}
