//! What `eyes eval` prints.

use eyes_runtime::eval::{CaseReport, Totals};
use serde::Serialize;

/// `eyes eval`: the figures of a suite.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EvalOutput<'a> {
    /// Every threshold that was asked for is reached.
    pub(crate) passed: bool,
    /// Thresholds that are not.
    pub(crate) missed: &'a [String],
    /// The figures of all pictures.
    pub(crate) total: &'a Totals,
    /// The figures of each picture, by name.
    pub(crate) cases: &'a [CaseReport],
}
