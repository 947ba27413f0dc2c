//! `eyes answer`.

use eyes_evidence::digest::Sha256Digest;
use eyes_usage::view::UsageView;
use serde::Serialize;

/// The answer of a final model, what it rests on and what it cost.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnswerOutput<'a> {
    /// What the final model said.
    pub(crate) answer: &'a str,
    /// Why it ended: `stop`, or `max-tokens` where the rest is missing.
    pub(crate) finish: &'static str,
    /// How images reached the model: `native`, as pixels, or `bridged`, as evidence.
    pub(crate) kind: &'static str,
    /// The final model.
    #[serde(rename = "final")]
    pub(crate) last: String,
    /// Calls of the final model.
    pub(crate) calls: u32,
    /// The evidence that stood for images.
    pub(crate) images: Vec<SeenOutput<'a>>,
    /// The questions that the model asked back.
    pub(crate) looks: Vec<LookOutput<'a>>,
    /// What all of it used, and what it cost where a table of prices is set.
    pub(crate) usage: UsageView,
}

/// The evidence of one image.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SeenOutput<'a> {
    /// SHA-256 of the image.
    pub(crate) image: Sha256Digest,
    /// SHA-256 of the record.
    pub(crate) record: Sha256Digest,
    /// Who looked.
    pub(crate) route: String,
    /// Whether a stored record answered.
    pub(crate) cached: bool,
    /// Who was asked, in order.
    pub(crate) attempts: Vec<AttemptOutput<'a>>,
}

/// One route that was asked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AttemptOutput<'a> {
    /// Who.
    pub(crate) route: String,
    /// `answered`, `cached`, `passed-over` or `failed`.
    pub(crate) outcome: &'static str,
    /// The code of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'a str>,
}

/// One question that the model asked back.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LookOutput<'a> {
    /// SHA-256 of the image, where the model named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<Sha256Digest>,
    /// The question, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<&'a str>,
    /// SHA-256 of the record that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<Sha256Digest>,
    /// The code of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'a str>,
    /// Who was asked, in order; nobody where the answer was known.
    pub(crate) attempts: Vec<AttemptOutput<'a>>,
}
