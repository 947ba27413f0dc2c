//! Where the kinds are.

use std::path::{Path, PathBuf};

use super::DataKind;
use crate::{
    attempts,
    data::{BROWSER_RUNS, EVIDENCE, MCP_AUDIT, MCP_PINS, MCP_RESULTS, small_models},
    marker_key,
    runtime::HEALTH_FILE,
    settings::{Place, Settings},
    usage,
};

/// Where data is, or was: the places that the settings name, and the usual ones beside them.
///
/// A setting that moves something leaves what was kept before at its usual place, so both are looked at. All paths
/// are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub(super) data_dir: Option<PathBuf>,
    pub(super) stores: Vec<PathBuf>,
    pub(super) logs: Vec<PathBuf>,
    pub(super) ledgers: Vec<PathBuf>,
    pub(super) mcp_results: Vec<PathBuf>,
    pub(super) mcp_pins: Vec<PathBuf>,
    pub(super) mcp_audits: Vec<PathBuf>,
    pub(super) browser_runs: Vec<PathBuf>,
    pub(super) settings_file: Option<PathBuf>,
    pub(super) prices: Option<PathBuf>,
}

impl Places {
    /// Takes them from the settings, the directory for data and the file that the settings were read from.
    pub fn new(settings: &Settings, data_dir: Option<&Path>, settings_file: Option<&Path>) -> Self {
        let data_dir = data_dir.map(absolute);
        let both = |named: &Place, usual: &str| {
            let usual = data_dir.as_ref().map(|directory| directory.join(usual));
            let named = match named {
                Place::At(path) => Some(absolute(path)),
                _ => None,
            };
            let mut places: Vec<PathBuf> = named.into_iter().chain(usual).collect();
            places.dedup();
            places
        };
        Self {
            stores: both(&settings.cache_dir, EVIDENCE),
            logs: both(&settings.vision_attempt_log_path, attempts::FILE),
            ledgers: both(&settings.usage_stats_path, usage::FILE),
            mcp_results: both(&settings.mcp_artifact_dir, MCP_RESULTS),
            mcp_pins: both(&settings.mcp_pins_path, MCP_PINS),
            mcp_audits: both(&settings.mcp_audit_path, MCP_AUDIT),
            browser_runs: both(&settings.browser_artifacts_dir, BROWSER_RUNS),
            settings_file: settings_file.map(absolute),
            prices: settings.usage_prices.as_deref().map(absolute),
            data_dir,
        }
    }

    /// Returns the directory for data, where one is known.
    pub fn data_dir(&self) -> Option<&Path> {
        self.data_dir.as_deref()
    }

    /// Returns where a kind is looked for, the place of the settings first.
    pub fn of(&self, kind: DataKind) -> Vec<PathBuf> {
        let below = |name: &str| {
            let data_dir = self.data_dir.iter();
            data_dir.map(|directory| directory.join(name)).collect()
        };
        match kind {
            DataKind::Evidence => self.stores.clone(),
            DataKind::Attempts => self.logs.clone(),
            DataKind::Usage => self.ledgers.clone(),
            DataKind::McpResults => self.mcp_results.clone(),
            DataKind::McpPins => self.mcp_pins.clone(),
            DataKind::McpAudit => self.mcp_audits.clone(),
            DataKind::BrowserRuns => self.browser_runs.clone(),
            DataKind::Health => below(HEALTH_FILE),
            DataKind::Markers => below(marker_key::FILE),
            DataKind::Models => self.data_dir.iter().map(|dir| small_models(dir)).collect(),
            DataKind::Temporary => self.data_dir.iter().cloned().collect(),
            DataKind::Settings => self.settings_file.iter().cloned().collect(),
            DataKind::Prices => self.prices.iter().cloned().collect(),
            DataKind::Results => Vec::new(),
        }
    }
}

/// Makes paths comparable; one that cannot be made absolute stays as it is.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
