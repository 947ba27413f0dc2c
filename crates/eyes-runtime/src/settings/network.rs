//! The network as all providers use it.

use std::path::PathBuf;

use eyes_router::limits::{
    DEFAULT_CATALOG_SECONDS, DEFAULT_CONNECT_SECONDS, DEFAULT_FIRST_BYTE_SECONDS,
    DEFAULT_IDLE_SECONDS, DEFAULT_TOTAL_SECONDS,
};
use serde::{Deserialize, Serialize};

/// Time limits, proxies and certificates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NetworkSettings {
    /// Milliseconds to connect, over all addresses of a host and with TLS, 100 to 3,600,000.
    pub connect_timeout_ms: u64,
    /// Milliseconds from the start of a call to the first byte of its reply, 100 to 3,600,000.
    pub first_byte_timeout_ms: u64,
    /// Milliseconds between two pieces of a reply, 100 to 3,600,000; silence of a model that thinks is no fault.
    pub idle_timeout_ms: u64,
    /// Milliseconds of a whole reply, 100 to 3,600,000.
    pub total_timeout_ms: u64,
    /// Milliseconds of one listing of models, 100 to 3,600,000.
    pub catalog_timeout_ms: u64,
    /// The environment variable that holds a proxy's URL for everything; `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
    /// `NO_PROXY` are followed where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_env: Option<String>,
    /// PEM files of further certification authorities; at most 16.
    #[cfg_attr(test, schemars(length(max = crate::limits::MAX_CA_FILES)))]
    pub ca_files: Vec<PathBuf>,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            connect_timeout_ms: DEFAULT_CONNECT_SECONDS * 1000,
            first_byte_timeout_ms: DEFAULT_FIRST_BYTE_SECONDS * 1000,
            idle_timeout_ms: DEFAULT_IDLE_SECONDS * 1000,
            total_timeout_ms: DEFAULT_TOTAL_SECONDS * 1000,
            catalog_timeout_ms: DEFAULT_CATALOG_SECONDS * 1000,
            proxy_env: None,
            ca_files: Vec::new(),
        }
    }
}

impl NetworkSettings {
    /// Returns each limit with its name.
    pub(super) const fn timeouts(&self) -> [(&'static str, u64); 5] {
        [
            ("network.connectTimeoutMs", self.connect_timeout_ms),
            ("network.firstByteTimeoutMs", self.first_byte_timeout_ms),
            ("network.idleTimeoutMs", self.idle_timeout_ms),
            ("network.totalTimeoutMs", self.total_timeout_ms),
            ("network.catalogTimeoutMs", self.catalog_timeout_ms),
        ]
    }
}
