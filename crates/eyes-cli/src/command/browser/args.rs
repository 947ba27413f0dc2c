//! The arguments of `eyes browser`.
#![expect(
    clippy::doc_markdown,
    reason = "these lines are printed as help, where backticks are noise"
)]

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::input::Input;

#[derive(Debug, Subcommand)]
pub(crate) enum BrowserCommand {
    /// Run a script of actions
    Run(RunArgs),
    /// Drive a browser line by line
    Repl(ReplArgs),
    /// Open one address and tell what is there
    Open(OpenArgs),
    /// Show the files of a run, or make a page of them
    Report(ReportArgs),
    /// Run a run again, and tell whether it comes out the same
    Replay(ReplayArgs),
}

/// Which browser, beside what the settings say
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Browser options")]
pub(crate) struct LaunchArgs {
    /// Show no window
    #[arg(long, conflicts_with = "window")]
    pub(crate) headless: bool,
    /// Show a window
    #[arg(long)]
    pub(crate) window: bool,
    /// Use this program
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
    /// Attach to a browser that runs with this debugging port or address, and leave it running
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) attach: Option<String>,
    /// Use the profile in this folder and keep it
    #[arg(long, value_name = "DIR")]
    pub(crate) profile: Option<PathBuf>,
    /// Write delivered pictures into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,
}

/// Run a script of actions
///
/// The script has one action as JSON a line, such as {"action": "open", "url": "https://example.com/"}; empty lines and
/// lines that begin with # are skipped. Each action is grounded in the state after the one before it. Stops at the
/// first that does not do what it says. Ends with 1 when an assertion does not hold.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// File of the script; `-` reads standard input
    #[arg(value_name = "FILE", value_parser = Input::parser())]
    pub(crate) script: Input,
    /// Go on after an action that did not do what it says
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
}

/// Drive a browser line by line
///
/// Reads lines from standard input: an action as JSON, or its short form: `open URL`, `observe`, `click e3`,
/// `type e4 some text`, `press Enter`, `select e5 Option`, `check e6`, `scroll 600`, `wait TEXT`, `back`, `close`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReplArgs {
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
}

/// Open one address and tell what is there
#[derive(Debug, Clone, Args)]
pub(crate) struct OpenArgs {
    /// Address, such as https://example.com/
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Tell the elements and the text of the page, not only where it ended
    #[arg(long)]
    pub(crate) observe: bool,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
}

/// Show the files of a run, or make a page of them
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// Id of a run, or its folder
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Write a page that a person can read
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Run a run again, and tell whether it comes out the same
///
/// Secrets come from the environment variables that the run named. Ends with 1 when a step comes out differently or
/// cannot be repeated.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReplayArgs {
    /// Id of a run, or its folder
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
}
