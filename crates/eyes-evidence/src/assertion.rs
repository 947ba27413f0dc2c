//! Assertions: what was expected, what was there, and the verdict that follows from the two.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::{
    digest::Sha256Digest,
    provenance::Timestamp,
    report::{ReportText, RunText},
    state::StateId,
};

/// One comparison. The verdict is computed and cannot contradict it.
///
/// Texts are compared as they are, code point by code point. Something absent never satisfies an
/// expectation about its content.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// A text is exactly this one.
    TextEquals {
        /// What it should be.
        expected: RunText,
        /// What it is; nothing when there is no such thing.
        actual: Option<RunText>,
    },
    /// A text contains this one; the empty text is contained in every text.
    TextContains {
        /// What it should contain.
        expected: RunText,
        /// What it is; nothing when there is no such thing.
        actual: Option<RunText>,
    },
    /// A property such as visible, enabled or focused has this value.
    Property {
        /// What it should be.
        expected: bool,
        /// What it is; nothing when it could not be told.
        actual: Option<bool>,
    },
    /// There are so many.
    Count {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        actual: u64,
    },
    /// A model looked at the picture and judged; nothing here verifies it.
    Visual {
        /// What it was to look for.
        expected: RunText,
        /// Its judgement.
        judged: bool,
    },
}

impl Check {
    /// Returns the verdict.
    pub fn passed(&self) -> bool {
        match self {
            Self::TextEquals { expected, actual } => actual
                .as_ref()
                .is_some_and(|actual| actual.as_str() == expected.as_str()),
            Self::TextContains { expected, actual } => actual
                .as_ref()
                .is_some_and(|actual| actual.as_str().contains(expected.as_str())),
            Self::Property { expected, actual } => *actual == Some(*expected),
            Self::Count { expected, actual } => expected == actual,
            Self::Visual { judged, .. } => *judged,
        }
    }

    /// Returns who vouches for the verdict: `runtime`, or `model` for a judgement by eye.
    pub const fn verified_by(&self) -> &'static str {
        match self {
            Self::Visual { .. } => "model",
            _ => "runtime",
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::TextEquals { .. } => "text-equals",
            Self::TextContains { .. } => "text-contains",
            Self::Property { .. } => "property",
            Self::Count { .. } => "count",
            Self::Visual { .. } => "visual",
        }
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("comparison", self.name())?;
        match self {
            Self::TextEquals { expected, actual } | Self::TextContains { expected, actual } => {
                map.serialize_entry("expected", &expected.for_report())?;
                map.serialize_entry("actual", &actual.as_ref().map(RunText::for_report))?;
            }
            Self::Property { expected, actual } => {
                map.serialize_entry("expected", expected)?;
                map.serialize_entry("actual", actual)?;
            }
            Self::Count { expected, actual } => {
                map.serialize_entry("expected", expected)?;
                map.serialize_entry("actual", actual)?;
            }
            Self::Visual { expected, judged } => {
                map.serialize_entry("expected", &expected.for_report())?;
                map.serialize_entry("actual", judged)?;
            }
        }
        map.serialize_entry("passed", &self.passed())?;
        map.serialize_entry("verifiedBy", self.verified_by())?;
        map.end()
    }
}

/// One assertion with everything that proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Assertion {
    /// The kind in the words of the surface, such as `title_contains`.
    pub kind: ReportText,
    /// What it is about; nothing for the page or window itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<ReportText>,
    /// The comparison.
    #[serde(flatten)]
    pub check: Check,
    /// The state it was made in.
    pub state_id: StateId,
    /// SHA-256 of the picture of that state.
    pub screenshot_sha256: Sha256Digest,
    /// When.
    pub at: Timestamp,
}

impl Assertion {
    /// Returns the verdict.
    pub fn passed(&self) -> bool {
        self.check.passed()
    }
}
