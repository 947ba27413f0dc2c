//! One thing that happened.

use std::fmt;

use eyes_evidence::provenance::{NameError, RouteName, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    category::{CallCategory, Counter, Estimate},
    session::SessionDigest,
    tokens::{EstimatedTokens, TokenUsage},
};

/// Provider and model of a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsageRoute {
    /// The provider's name in the settings.
    pub provider: RouteName,
    /// The provider's name of the model.
    pub model: RouteName,
}

impl UsageRoute {
    /// Checks both names.
    pub fn new(
        provider: impl Into<Box<str>>,
        model: impl Into<Box<str>>,
    ) -> Result<Self, NameError> {
        Ok(Self {
            provider: RouteName::new(provider)?,
            model: RouteName::new(model)?,
        })
    }
}

impl fmt::Display for UsageRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

/// What happened, when and in which session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsageEvent {
    /// When it ended.
    pub at: Timestamp,
    /// The session, where the caller named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionDigest>,
    /// What happened.
    pub entry: UsageEntry,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum UsageEntry {
    /// A call beyond the final answer.
    Call {
        /// What it is for.
        category: CallCategory,
        /// Who was called.
        route: UsageRoute,
        /// What it used; nothing where the provider told nothing, as after a broken connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<TokenUsage>,
    },
    /// The call that gave the final answer.
    Final {
        /// Who was called.
        route: UsageRoute,
        /// What it used; nothing where the provider told nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<TokenUsage>,
    },
    /// A step of a counter.
    Count {
        /// Which one.
        counter: Counter,
        /// By how much.
        by: u64,
    },
    /// An estimate.
    Estimate {
        /// Of what.
        estimate: Estimate,
        /// How many tokens.
        tokens: EstimatedTokens,
    },
}

impl UsageEntry {
    /// Returns who was called, for a call.
    pub const fn route(&self) -> Option<&UsageRoute> {
        match self {
            Self::Call { route, .. } | Self::Final { route, .. } => Some(route),
            Self::Count { .. } | Self::Estimate { .. } => None,
        }
    }
}
