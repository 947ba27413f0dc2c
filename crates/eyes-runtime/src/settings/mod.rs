//! Settings: one strict contract for every frontend.
//!
//! The file is TOML or JSON. The vision members stand at the top under the reference plugin's names, so that one
//! vocabulary serves command line and plugin; what is new has names of its own. Every member has a default, so an
//! empty file and no file mean the same; a member that is not listed here is refused with its path. Environment
//! variables weigh more than the file, and a command's own options more than both.

mod document;
mod load;
mod network;
mod place;
mod provider;
mod routes;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, num::NonZeroUsize, path::PathBuf};

pub use eyes_browser::config::BrowserSettings;
use eyes_evidence::{
    limits::{DEFAULT_STORE_BYTES, DEFAULT_STORE_ITEMS},
    store::StoreBounds,
};
pub use eyes_mcp::config::McpSettings;
pub use eyes_router::config::{TurnSettings, VisionSettings, ZoomMode};
pub use load::{SettingsError, VARIABLES};
pub use network::NetworkSettings;
pub use place::Place;
pub use provider::{
    InputKind, ModelSettings, ProviderKind, ProviderSettings, WELL_KNOWN, WellKnown, well_known,
};
use serde::{Deserialize, Serialize};

use crate::limits::DEFAULT_ATTEMPTS_KEPT;

/// The JSON Schema (2020-12) of the settings, made from the types below.
pub const SETTINGS_SCHEMA: &str = include_str!("settings.schema.json");

/// The provider of the final model unless one is named.
pub const DEFAULT_UPSTREAM_PROVIDER: &str = "deepseek-official";

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Settings {
    /// Which models look, and how: members at the top, beside those below.
    #[serde(skip)]
    pub vision: VisionSettings,
    /// How the final model is told what was seen: members at the top as well.
    #[serde(skip)]
    pub turn: TurnSettings,
    /// Which MCP servers are used, and how: members at the top as well.
    #[serde(skip)]
    pub mcp_settings: McpSettings,
    /// Which browser is driven, and how: members at the top as well.
    #[serde(skip)]
    pub browser: BrowserSettings,
    /// The directory of browser runs; `false` keeps none.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub browser_artifacts_dir: Place,
    /// The directory of whole results of MCP servers; `false` keeps none.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub mcp_artifact_dir: Place,
    /// The file of approved tool definitions; `false` keeps them in memory only.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub mcp_pins_path: Place,
    /// The audit of MCP servers; `false` keeps its newest events in memory only.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub mcp_audit_path: Place,
    /// The provider of the final model.
    pub upstream_provider: String,
    /// The final model; a command or a host that names none uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_model: Option<String>,
    /// Whether it is noted what was used.
    pub usage_stats: bool,
    /// The file in which it is noted; `false` keeps none.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub usage_stats_path: Place,
    /// A file of prices, TOML or JSON; without one nothing is priced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_prices: Option<PathBuf>,
    /// The directory of evidence, logs and installed models; the user's data directory where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<PathBuf>,
    /// Whether evidence is kept and reused.
    pub persistent_evidence: bool,
    /// The directory of the evidence; `false` keeps none.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub cache_dir: Place,
    /// Whether attempts are logged.
    pub vision_attempt_log: bool,
    /// The file of the attempts log; `false` keeps none.
    #[serde(skip_serializing_if = "Place::is_usual")]
    pub vision_attempt_log_path: Place,
    /// Attempts that are kept, 10 to 10,000.
    #[cfg_attr(test, schemars(range(min = crate::limits::MIN_ATTEMPTS_KEPT, max = crate::limits::MAX_ATTEMPTS_KEPT)))]
    pub vision_attempt_limit: u32,
    /// Providers of models by their ids; well-known ones need no entry. At most 64.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Time limits, proxies and certificates.
    pub network: NetworkSettings,
    /// The embedded local eyes.
    pub local: LocalSettings,
    /// Which images are admitted.
    pub images: ImageSettings,
    /// How much is kept.
    pub store: StoreSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            vision: VisionSettings::default(),
            turn: TurnSettings::default(),
            mcp_settings: McpSettings::default(),
            browser: BrowserSettings::default(),
            browser_artifacts_dir: Place::Usual,
            mcp_artifact_dir: Place::Usual,
            mcp_pins_path: Place::Usual,
            mcp_audit_path: Place::Usual,
            upstream_provider: DEFAULT_UPSTREAM_PROVIDER.to_owned(),
            upstream_model: None,
            usage_stats: true,
            usage_stats_path: Place::Usual,
            usage_prices: None,
            data_dir: None,
            persistent_evidence: true,
            cache_dir: Place::Usual,
            vision_attempt_log: true,
            vision_attempt_log_path: Place::Usual,
            vision_attempt_limit: DEFAULT_ATTEMPTS_KEPT,
            providers: BTreeMap::new(),
            network: NetworkSettings::default(),
            local: LocalSettings::default(),
            images: ImageSettings::default(),
            store: StoreSettings::default(),
        }
    }
}

/// Which weights of the local eyes read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LocalTier {
    /// The embedded weights.
    #[default]
    Tiny,
    /// The larger weights, installed by `eyes models install small`.
    Small,
}

impl LocalTier {
    /// Returns `tiny` or `small`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Small => "small",
        }
    }
}

/// How closely the local eyes look.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LocalDetail {
    /// Right for screens up to full HD and for larger ones with usual print.
    #[default]
    Standard,
    /// For 4K screens with small print; several times slower.
    High,
}

/// The embedded local eyes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct LocalSettings {
    /// Whether they may look at all.
    pub enabled: bool,
    /// Which weights read.
    pub tier: LocalTier,
    /// How closely to look, unless a command says otherwise.
    pub detail: LocalDetail,
    /// Threads that compute, 1 to 64; the machine's parallelism where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1, max = crate::limits::MAX_LOCAL_THREADS)))]
    pub threads: Option<NonZeroUsize>,
}

/// Which images are admitted; each bound can only be lowered from the built-in one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ImageSettings {
    /// Bytes of the encoded image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// Pixels of one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_side: Option<u32>,
    /// Pixels of the whole image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<u64>,
}

/// How much is kept of the readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StoreSettings {
    /// Records that are kept, the newest; at least 1.
    pub max_records: NonZeroUsize,
    /// Bytes that are kept, at least 1 MiB.
    #[cfg_attr(test, schemars(range(min = crate::limits::MIN_STORE_BYTES)))]
    pub max_bytes: u64,
}

impl StoreSettings {
    /// Returns the bounds of a store.
    pub const fn bounds(&self) -> StoreBounds {
        StoreBounds {
            max_items: self.max_records.get(),
            max_bytes: self.max_bytes,
        }
    }
}

impl Default for LocalSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            tier: LocalTier::default(),
            detail: LocalDetail::default(),
            threads: None,
        }
    }
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            max_records: NonZeroUsize::new(DEFAULT_STORE_ITEMS).unwrap_or(NonZeroUsize::MIN),
            max_bytes: DEFAULT_STORE_BYTES,
        }
    }
}
