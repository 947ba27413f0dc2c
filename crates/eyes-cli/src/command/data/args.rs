//! The arguments of `eyes data`.

use std::collections::BTreeSet;

use clap::{ArgGroup, Args, Subcommand};
use eyes_runtime::retention::{DataKind, RETAINED};

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Show every file that is kept: where, what it holds, for how long, how to remove it
    Show,
    /// Remove what is kept
    Erase(EraseArgs),
}

/// Remove what is kept
///
/// Without --yes it says what would go and removes nothing. Files that this program did not make stay and are named, and
/// so do empty lock files, because another process may wait for them. Symbolic links are not followed.
#[derive(Debug, Clone, Copy, Args)]
#[command(group = ArgGroup::new("kinds").required(true).multiple(true))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct EraseArgs {
    /// The evidence store: what models said of images
    #[arg(long, group = "kinds")]
    pub(crate) evidence: bool,
    /// The log of attempts
    #[arg(long, group = "kinds")]
    pub(crate) attempts: bool,
    /// The usage ledger, with files that were set aside
    #[arg(long, group = "kinds")]
    pub(crate) usage: bool,
    /// Which routes failed lately
    #[arg(long, group = "kinds")]
    pub(crate) health: bool,
    /// Installed weights of the local eyes
    #[arg(long, group = "kinds")]
    pub(crate) models: bool,
    /// The key of markers
    #[arg(long, group = "kinds")]
    pub(crate) markers: bool,
    /// Whole results of MCP servers
    #[arg(long, group = "kinds")]
    pub(crate) mcp_results: bool,
    /// Approved definitions of MCP servers' tools
    #[arg(long, group = "kinds")]
    pub(crate) mcp_pins: bool,
    /// The log of calls of MCP servers
    #[arg(long, group = "kinds")]
    pub(crate) mcp_audit: bool,
    /// Runs of a browser, with pictures and downloads
    #[arg(long, group = "kinds")]
    pub(crate) browser_runs: bool,
    /// What processes left that died while they wrote
    #[arg(long, group = "kinds")]
    pub(crate) temporary: bool,
    /// All of it
    #[arg(long, group = "kinds", conflicts_with_all = ["evidence", "attempts", "usage", "health", "models", "markers", "mcp_results", "mcp_pins", "mcp_audit", "browser_runs", "temporary"])]
    pub(crate) all: bool,
    /// Do it
    #[arg(long)]
    pub(crate) yes: bool,
}

impl EraseArgs {
    /// Returns what is asked for.
    pub(crate) fn kinds(self) -> BTreeSet<DataKind> {
        let asked = |kind: DataKind| match kind {
            DataKind::Evidence => self.evidence,
            DataKind::Attempts => self.attempts,
            DataKind::Usage => self.usage,
            DataKind::Health => self.health,
            DataKind::Models => self.models,
            DataKind::Markers => self.markers,
            DataKind::McpResults => self.mcp_results,
            DataKind::McpPins => self.mcp_pins,
            DataKind::McpAudit => self.mcp_audit,
            DataKind::BrowserRuns => self.browser_runs,
            DataKind::Temporary => self.temporary,
            _ => false,
        };
        let kinds = RETAINED.iter().map(|row| row.kind);
        kinds
            .filter(|&kind| kind.is_erasable() && (self.all || asked(kind)))
            .collect()
    }
}
