//! Parts of a run's report that browser and desktop share.
//!
//! A report is for people and files, so it carries no typed values: texts that may be secret stand as
//! length and SHA-256, all others are redacted and cut.

mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
pub use text::{ReportText, RunText, ValueDigest, WrittenText};

use crate::{
    assertion::Assertion,
    code::ErrorCode,
    digest::Sha256Digest,
    image::MediaType,
    limits::MAX_REPORT_ARGUMENTS,
    provenance::Timestamp,
    state::{RunId, StateId},
};

/// The version of the report that this crate writes.
pub const REPORT_VERSION: u64 = 1;

/// One argument of an action, as a report shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ReportArgument {
    /// A typed value: length and digest only.
    Hidden(ValueDigest),
    /// A number, a boolean or null.
    Plain(Plain),
    /// A text, redacted and cut.
    Text(ReportText),
}

/// A scalar that says nothing secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Plain {
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// Null.
    Null,
}

/// The arguments of an action; at most [`MAX_REPORT_ARGUMENTS`], in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
#[cfg_attr(feature = "schema", schemars(extend("maxProperties" = MAX_REPORT_ARGUMENTS)))]
pub struct ReportArguments(BTreeMap<ReportText, ReportArgument>);

impl ReportArguments {
    /// Takes the arguments of a call; those named in `hidden`, and every list or object, become a digest.
    pub fn redacted(arguments: &Map<String, Value>, hidden: &[&str]) -> Self {
        let shown = arguments
            .iter()
            .take(MAX_REPORT_ARGUMENTS)
            .map(|(name, value)| {
                let argument = match value {
                    Value::String(text) if hidden.contains(&name.as_str()) => {
                        ReportArgument::Hidden(ValueDigest::of(text))
                    }
                    Value::String(text) => ReportArgument::Text(ReportText::new(text)),
                    other if hidden.contains(&name.as_str()) => {
                        ReportArgument::Hidden(ValueDigest::of(&other.to_string()))
                    }
                    Value::Null => ReportArgument::Plain(Plain::Null),
                    Value::Bool(value) => ReportArgument::Plain(Plain::Bool(*value)),
                    Value::Number(value) => ReportArgument::Plain(Plain::Number(value.clone())),
                    container => ReportArgument::Hidden(ValueDigest::of(&container.to_string())),
                };
                (ReportText::new(name), argument)
            });
        Self(shown.collect())
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "status", rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub enum Outcome {
    /// The action was done and its effect seen.
    Confirmed,
    /// The action was sent; its effect could not be told.
    Unverified,
    /// A rule said no before anything was done outside.
    Refused {
        /// The rule's code.
        code: ReportCode,
    },
    /// The call was grounded in an older state; nothing was done, a new state was observed instead.
    Stale,
    /// Something failed after the action may have begun.
    Failed {
        /// The failure's code.
        code: ReportCode,
        /// What happened.
        message: ReportText,
    },
}

/// A code of the registry, as a report shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportCode(ErrorCode);

impl From<ErrorCode> for ReportCode {
    fn from(code: ErrorCode) -> Self {
        Self(code)
    }
}

impl Serialize for ReportCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

/// One call of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ReportEvent {
    /// The number of the call, counted from 1.
    pub sequence: u64,
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The action.
    pub action: ReportText,
    /// Its arguments.
    pub arguments: ReportArguments,
    /// How it ended.
    pub outcome: Outcome,
    /// The state it was grounded in, for actions that need one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grounded_in: Option<StateId>,
    /// The state that was observed afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<StateId>,
}

/// A file that belongs to a run, by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportArtifact {
    /// SHA-256 of the bytes; the name in the artifact store.
    pub sha256: Sha256Digest,
    /// SHA-256 of the decoded pixels, for pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixel_sha256: Option<Sha256Digest>,
    /// Length in bytes.
    pub bytes: u64,
    /// The format, for pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<MediaType>,
    /// The state it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_id: Option<StateId>,
}

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least one assertion, all of them hold, and no call failed.
    Passed,
    /// An assertion does not hold, or a call failed.
    Failed,
    /// Nothing was asserted and nothing failed: it proves nothing.
    Unasserted,
}

/// Counts over a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Totals {
    /// Calls.
    pub actions: usize,
    /// Calls that failed.
    pub failures: usize,
    /// Calls that were refused or stale; they did nothing, and do not fail the run.
    pub withheld: usize,
    /// Assertions.
    pub assertions: usize,
    /// Assertions that do not hold.
    pub assertion_failures: usize,
    /// Artifacts.
    pub artifacts: usize,
}

/// The report of one run; totals and verdict follow from its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Report {
    #[serde(rename = "reportVersion")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = REPORT_VERSION)))]
    version: u64,
    run_id: RunId,
    created_at: Timestamp,
    generated_at: Timestamp,
    verdict: Verdict,
    totals: Totals,
    events: Vec<ReportEvent>,
    assertions: Vec<Assertion>,
    artifacts: Vec<ReportArtifact>,
}

/// What a report is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportParts {
    /// The run.
    pub run_id: RunId,
    /// When the run began.
    pub created_at: Timestamp,
    /// When the report is made.
    pub generated_at: Timestamp,
    /// Its calls, in order.
    pub events: Vec<ReportEvent>,
    /// Its assertions, in order.
    pub assertions: Vec<Assertion>,
    /// Its files, in order.
    pub artifacts: Vec<ReportArtifact>,
}

impl From<ReportParts> for Report {
    fn from(parts: ReportParts) -> Self {
        let count = |accept: fn(&Outcome) -> bool| {
            parts
                .events
                .iter()
                .filter(|event| accept(&event.outcome))
                .count()
        };
        let totals = Totals {
            actions: parts.events.len(),
            failures: count(|outcome| matches!(outcome, Outcome::Failed { .. })),
            withheld: count(|outcome| matches!(outcome, Outcome::Refused { .. } | Outcome::Stale)),
            assertions: parts.assertions.len(),
            assertion_failures: parts.assertions.iter().filter(|a| !a.passed()).count(),
            artifacts: parts.artifacts.len(),
        };
        let verdict = match totals {
            Totals {
                failures: 0,
                assertions: 0,
                ..
            } => Verdict::Unasserted,
            Totals {
                failures: 0,
                assertion_failures: 0,
                ..
            } => Verdict::Passed,
            _ => Verdict::Failed,
        };
        Self {
            version: REPORT_VERSION,
            run_id: parts.run_id,
            created_at: parts.created_at,
            generated_at: parts.generated_at,
            verdict,
            totals,
            events: parts.events,
            assertions: parts.assertions,
            artifacts: parts.artifacts,
        }
    }
}

impl Report {
    /// Returns what the run comes to.
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the counts.
    pub const fn totals(&self) -> Totals {
        self.totals
    }
}

#[cfg(test)]
mod tests;
