//! Runs written down: events, assertions, pictures, the report, and what repeats the run.
//!
//! A run's folder holds `run.json` (a [`RunHeader`]), `steps.jsonl` (a [`RunStep`] a line), `replay.jsonl` (a
//! [`ReplayStep`] a line), `pictures/SHA256.png` (secrets masked), and reports by name. Typed texts stand in the
//! steps as digests; in the replay they stand as they are, except for secrets, which it refers to by the name of a
//! variable or, where they were given as text, cannot repeat.

mod check;
mod folder;
mod read;
mod record;
mod replay;
#[cfg(test)]
pub(crate) mod tests;

use eyes_evidence::report::{Report, Totals, Verdict};
pub use folder::RunFolder;
pub use read::{RunError, RunFiles};
pub use record::{Event, RUN_VERSION, Recorder, RunHeader, RunStep, StepPicture};
pub use replay::{Aimed, ReplayExpectation, ReplayStep};
pub(crate) use replay::{EventWriter, replayable};
use serde::Serialize;

/// What went wrong in the pages of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageTrouble {
    /// Exceptions that nothing caught, as far as they were listed.
    pub exceptions: u64,
    /// Errors on the console, likewise.
    pub console_errors: u64,
    /// Requests that failed.
    pub failed_requests: u64,
}

/// The report of a run of a browser.
///
/// An assertion that was made again counts once, with its last verdict. Calls that were refused or stale did nothing
/// and do not fail the run. Exceptions of the page fail it where the settings say so, and are counted always.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserReport {
    #[serde(flatten)]
    pub(super) report: Report,
    pub(super) surface: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) browser: Option<String>,
    #[serde(rename = "page")]
    pub(super) trouble: PageTrouble,
    pub(super) exceptions_fail: bool,
    pub(super) conclusion: Verdict,
}

impl BrowserReport {
    /// Returns what the run comes to, exceptions of the page included where they count.
    pub const fn conclusion(&self) -> Verdict {
        self.conclusion
    }

    /// Returns the counts.
    pub const fn totals(&self) -> Totals {
        self.report.totals()
    }

    /// Returns what went wrong in the pages.
    pub const fn trouble(&self) -> PageTrouble {
        self.trouble
    }
}

/// Makes a name of a report safe for a file: other characters than `A-Za-z0-9._-` become `-`.
pub fn file_name(name: Option<&str>) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
            c
        } else {
            '-'
        }
    };
    let name: String = name
        .unwrap_or("report")
        .chars()
        .take(80)
        .map(safe)
        .collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "report" } else { name }.to_owned()
}
