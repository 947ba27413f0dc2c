//! The arguments of `eyes usage`.

use std::{num::NonZeroU64, path::PathBuf};

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use eyes_usage::view::CsvTable;

#[derive(Debug, Subcommand)]
pub(crate) enum UsageCommand {
    /// Show what was used
    Show(ShowArgs),
    /// Show it again whenever something was noted
    Watch(WatchArgs),
    /// Start all figures anew
    Reset(ResetArgs),
    /// Write the figures for other programs
    Export(ExportArgs),
}

/// Show what was used
///
/// What looking cost beyond the answers, what the final answers cost and what was only estimated stand apart and are
/// never added. A cost that is not known is `unpriced`, never 0; prices come from the file that usagePrices names. With
/// `--format json` everything is one value, whatever --by says.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ShowArgs {
    /// Tell apart by this instead of by category
    #[arg(long, value_enum)]
    pub(crate) by: Option<By>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Day,
    Session,
    Route,
}

/// Show it again whenever something was noted
///
/// A terminal is drawn anew, anything else gets one report after the other. Interrupt it to end it.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// End after this many reports
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<NonZeroU64>,
}

/// Start all figures anew
///
/// Removes the ledger. Files that were set aside, and a ledger of a newer version, stay unless --all is given. Without
/// --yes it says what would go and removes nothing. No model is called.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ResetArgs {
    /// Remove files that were set aside too, and a ledger of a newer version
    #[arg(long)]
    pub(crate) all: bool,
    /// Do it
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Write the figures for other programs
///
/// JSON is what `eyes usage show --format json` prints. CSV (RFC 4180) is one table; a cost that is not known is an empty
/// cell.
#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("form").required(true))]
pub(crate) struct ExportArgs {
    /// Write comma-separated values
    #[arg(long, group = "form")]
    pub(crate) csv: bool,
    /// Write JSON
    #[arg(long, group = "form")]
    pub(crate) json: bool,
    /// Write this table [default: days]
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) table: Option<Table>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Table {
    #[default]
    Days,
    Sessions,
    Routes,
    Counters,
}

impl From<Table> for CsvTable {
    fn from(table: Table) -> Self {
        match table {
            Table::Days => Self::Days,
            Table::Sessions => Self::Sessions,
            Table::Routes => Self::Routes,
            Table::Counters => Self::Counters,
        }
    }
}
