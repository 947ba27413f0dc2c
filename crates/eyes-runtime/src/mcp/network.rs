//! The network settings as servers need them.

use std::time::Duration;

use eyes_mcp::net::{NetConfig, ProxyConfig};

use crate::{
    environment::Environment,
    providers::{ProviderError, ca_files, proxy_text, text},
    settings::Settings,
};

/// Takes times, certificates and the proxy.
///
/// Servers are asked over `https` or on this machine, so one proxy is enough: the named variable, else
/// `HTTPS_PROXY`, else `ALL_PROXY`.
pub(super) fn net_config(
    settings: &Settings,
    environment: &Environment,
) -> Result<NetConfig, ProviderError> {
    let network = &settings.network;
    let url = match &network.proxy_env {
        Some(variable) => text(environment, variable),
        None => {
            proxy_text(environment, "HTTPS_PROXY").or_else(|| proxy_text(environment, "ALL_PROXY"))
        }
    };
    Ok(NetConfig {
        connect_timeout: Duration::from_millis(network.connect_timeout_ms),
        extra_ca: ca_files(network)?,
        proxy: url.map(|url| ProxyConfig {
            url,
            no_proxy: proxy_text(environment, "NO_PROXY"),
        }),
    })
}
