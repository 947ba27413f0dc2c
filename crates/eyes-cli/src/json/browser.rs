//! What `eyes browser` prints.

use eyes_browser::{report::RunFiles, session::StepResult};
use eyes_runtime::browser::ReplayReport;
use serde::Serialize;

/// `eyes browser run`, `repl` and `open`: what one call came to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BrowserOutput<'a> {
    /// The call.
    pub(crate) step: &'a StepResult,
}

/// `eyes browser replay`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayOutput<'a> {
    /// What the repetition came to.
    pub(crate) replay: &'a ReplayReport,
}

/// `eyes browser report`: the files of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RunOutput<'a> {
    /// The id of the run.
    run_id: &'a str,
    /// When it began.
    created_at: String,
    /// The browser and its version.
    browser: &'a str,
    /// Its steps.
    steps: Vec<RunStepOutput<'a>>,
}

/// One step of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunStepOutput<'a> {
    /// Counted from 1.
    sequence: u64,
    /// The action with its arguments; typed texts are digests.
    action: &'a serde_json::Value,
    /// Whether it did what was asked for.
    ok: bool,
    /// What is known of its effect.
    effect: &'a str,
    /// The code of its failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    /// What was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// The address afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    /// SHA-256 of the files of its pictures.
    pictures: Vec<&'a str>,
}

impl<'a> RunOutput<'a> {
    pub(crate) fn of(files: &'a RunFiles) -> Self {
        let step = |step: &'a eyes_browser::report::RunStep| RunStepOutput {
            sequence: step.sequence,
            action: &step.action,
            ok: step.ok,
            effect: &step.effect,
            code: step.code.as_deref(),
            message: step.message.as_deref(),
            url: step.url.as_deref(),
            pictures: step.pictures.iter().map(|p| p.sha256.as_str()).collect(),
        };
        Self {
            run_id: files.header.run_id.as_str(),
            created_at: files.header.created_at.to_string(),
            browser: &files.header.browser,
            steps: files.steps.iter().map(step).collect(),
        }
    }
}
