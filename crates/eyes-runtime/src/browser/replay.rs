//! Running a run again as a regression test.

use eyes_browser::{
    action::{ParseMode, parse},
    report::{ReplayExpectation, ReplayStep},
    session::Session,
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// A step that came out differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReplayDifference {
    /// The number of the step in its run.
    pub sequence: u64,
    /// What it came to then.
    pub expected: ReplayExpectation,
    /// What it comes to now.
    pub actual: ReplayExpectation,
}

/// What a repetition comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReplayReport {
    /// Steps that were repeated.
    pub repeated: usize,
    /// Steps that cannot be repeated, and why.
    pub skipped: Vec<(u64, String)>,
    /// The first step that came out differently; the rest was not run.
    pub difference: Option<ReplayDifference>,
}

impl ReplayReport {
    /// Returns whether every step was repeated and came out the same.
    pub const fn is_same(&self) -> bool {
        self.difference.is_none() && self.skipped.is_empty()
    }
}

/// Repeats the steps of a run, each grounded in the state after the step before it; stops at the first that comes
/// out differently.
pub async fn replay(
    session: &Session,
    steps: &[ReplayStep],
    cancel: &CancellationToken,
) -> ReplayReport {
    let mut report = ReplayReport::default();
    for step in steps {
        let request = match (&step.action, &step.not_replayable) {
            (Some(action), _) => {
                parse(action, ParseMode::Script).map_err(|error| error.to_string())
            }
            (None, why) => Err(why.clone().unwrap_or_else(|| "it was not kept".to_owned())),
        };
        let request = match request {
            Ok(request) => request,
            Err(why) => {
                report.skipped.push((step.sequence, why));
                continue;
            }
        };
        let result = session.run_newest(request, cancel).await;
        let actual = ReplayExpectation::of(&result);
        report.repeated += 1;
        if actual != step.expect {
            report.difference = Some(ReplayDifference {
                sequence: step.sequence,
                expected: step.expect.clone(),
                actual,
            });
            break;
        }
    }
    report
}
