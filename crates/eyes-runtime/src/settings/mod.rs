//! Settings: one strict contract for every frontend.
//!
//! The file is TOML. Every member has a default, so an empty file and no file mean the same; a member that is not
//! listed here is refused with its path.

mod load;
#[cfg(test)]
mod tests;

use std::{num::NonZeroUsize, path::PathBuf};

use eyes_evidence::{
    limits::{DEFAULT_STORE_BYTES, DEFAULT_STORE_ITEMS},
    store::StoreBounds,
};
use eyes_router::limits::DEFAULT_FAILOVERS;
pub use load::SettingsError;
use serde::{Deserialize, Serialize};

/// The JSON Schema (2020-12) of the settings, made from the types below.
pub const SETTINGS_SCHEMA: &str = include_str!("settings.schema.json");

/// Everything that can be configured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Settings {
    /// The directory of evidence and installed models; the user's data directory where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<PathBuf>,
    /// Which models look.
    pub vision: VisionSettings,
    /// The embedded local eyes.
    pub local: LocalSettings,
    /// Which images are admitted.
    pub images: ImageSettings,
    /// What is kept.
    pub store: StoreSettings,
}

/// Which models look, and in what order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VisionSettings {
    /// Routes as `provider/model`, asked in order; the local eyes where empty. At most 32.
    #[cfg_attr(test, schemars(length(max = crate::limits::MAX_ROUTES)))]
    pub routes: Vec<String>,
    /// Further routes after the first failure, 0 to 8.
    #[cfg_attr(test, schemars(range(max = eyes_router::limits::MAX_FAILOVERS)))]
    pub failovers: u32,
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

/// What is kept of the readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StoreSettings {
    /// Whether records are kept and reused.
    pub enabled: bool,
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

impl Default for VisionSettings {
    fn default() -> Self {
        Self {
            routes: Vec::new(),
            failovers: DEFAULT_FAILOVERS,
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
            enabled: true,
            max_records: NonZeroUsize::new(DEFAULT_STORE_ITEMS).unwrap_or(NonZeroUsize::MIN),
            max_bytes: DEFAULT_STORE_BYTES,
        }
    }
}
