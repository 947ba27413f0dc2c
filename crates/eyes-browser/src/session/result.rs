//! What a call comes to.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    state::StateId,
};
use serde::{Serialize, Serializer};

use crate::{
    action::ActionName,
    assertion::AssertionKind,
    driver::Point,
    error::BrowserError,
    picture::{Delivery, Picture},
    state::{BrowserState, StateChange},
};

/// What is known of the effect of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It was seen; for a call that only looks: it looked.
    Confirmed,
    /// Something may have been done; whether it had an effect could not be told.
    Unverifiable,
    /// It was done, and nothing at all came of it.
    SuspectedNoOp,
    /// Nothing was done.
    Refused,
}

impl Effect {
    /// Returns the word of the JSON form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Unverifiable => "unverifiable",
            Self::SuspectedNoOp => "suspected-no-op",
            Self::Refused => "refused",
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn code<S: Serializer>(code: &ErrorCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// Why a call is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The code of the registry.
    #[serde(serialize_with = "code")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub code: ErrorCode,
    /// What was wrong.
    pub message: String,
    /// What to do next.
    pub hint: String,
}

impl Failure {
    /// Describes an error.
    pub fn of(error: &impl Coded) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
        }
    }
}

/// An assertion with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AssertionRecord {
    /// What was compared.
    pub assertion: AssertionKind,
    /// Of what; absent for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// With what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// Whether it holds.
    pub passed: bool,
    /// What a reader has to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// How often it was looked at.
    pub looks: u32,
}

/// One step of a batch that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BatchStep {
    /// The action.
    pub action: ActionName,
    /// Whether it did what was asked.
    pub ok: bool,
    /// What is known of its effect.
    pub effect: Effect,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The verdict of an assertion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<AssertionRecord>,
}

/// What else a call comes to, by its action.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Outcome {
    /// Nothing.
    #[default]
    None,
    /// Which options are selected.
    Selected {
        /// Their labels or values.
        options: Vec<String>,
    },
    /// How long a condition took.
    Waited {
        /// Milliseconds.
        ms: u64,
    },
    /// The verdict of an assertion.
    Assertion(AssertionRecord),
    /// A PDF.
    Pdf {
        /// SHA-256 of the file.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        sha256: Sha256Digest,
        /// Its length.
        bytes: u64,
        /// The file; not part of the JSON form.
        #[serde(skip)]
        file: Vec<u8>,
    },
    /// A picture of a part.
    Zoom {
        /// Where its left upper corner is in the viewport, in CSS pixels.
        origin: Point,
        /// Pixels of it for one CSS pixel.
        scale: f64,
    },
    /// A report.
    Report {
        /// The file, where there is a folder.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// `passed`, `failed` or `unasserted`.
        verdict: &'static str,
        /// Assertions that count.
        assertions: usize,
        /// Those that do not hold.
        failures: usize,
    },
    /// The steps of a batch that ran.
    Batch {
        /// They, in order.
        steps: Vec<BatchStep>,
        /// How many there were to run.
        total: usize,
        /// Why it stopped before the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<&'static str>,
    },
    /// The session ended.
    Closed,
}

/// What a call comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The action; absent where the call named none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<ActionName>,
    /// Whether it did what was asked for.
    pub ok: bool,
    /// What is known of its effect.
    pub effect: Effect,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What else it comes to.
    pub outcome: Outcome,
    /// The state that is the newest now, where another one is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub current: Option<StateId>,
    /// The fresh state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<BrowserState>,
    /// What changed since the state that was told before; the text tells it instead of the whole state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<StateChange>,
    /// Whether a picture is delivered, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Delivery>,
    /// The parts of the picture, in order; not part of the JSON form.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
    /// Bytes that its text has at most.
    #[serde(skip)]
    pub(super) max_bytes: usize,
    /// Whether the text tells boxes and addresses.
    #[serde(skip)]
    pub(super) rich: bool,
}

impl StepResult {
    /// Makes a result without a state.
    pub(super) fn bare(
        action: Option<ActionName>,
        effect: Effect,
        failure: Option<Failure>,
    ) -> Self {
        Self {
            action,
            ok: failure.is_none(),
            effect,
            failure,
            outcome: Outcome::None,
            current: None,
            state: None,
            change: None,
            delivery: None,
            pictures: Vec::new(),
            max_bytes: crate::limits::DEFAULT_STATE_BYTES,
            rich: false,
        }
    }

    /// Makes the result of an error without a state.
    pub(super) fn failed(action: ActionName, error: &BrowserError) -> Self {
        let effect = if error.began() {
            Effect::Unverifiable
        } else {
            Effect::Refused
        };
        Self::bare(Some(action), effect, Some(Failure::of(error)))
    }

    /// Returns the code of the failure.
    pub fn code(&self) -> Option<ErrorCode> {
        self.failure.as_ref().map(|failure| failure.code)
    }

    /// Returns the id of the state that the next action is grounded in.
    pub fn state_id(&self) -> Option<StateId> {
        self.state
            .as_ref()
            .map(|state| state.state_id)
            .or(self.current)
    }
}
