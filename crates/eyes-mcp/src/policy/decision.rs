//! The decision whether a tool may be used, and why not.

use std::fmt;

use eyes_evidence::code::ErrorCode;
use serde::{Deserialize, Serialize};

use super::{Candidates, Risk, Selectors};
use crate::{
    catalog::CatalogTool,
    codes,
    config::{RiskPolicy, ServerConfig},
    pins::PinState,
};

/// Whether something may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It may.
    Allowed,
    /// It may not.
    Blocked(BlockedReason),
}

impl Decision {
    /// Tells whether it may be used.
    pub const fn is_allowed(self) -> bool {
        matches!(self, Self::Allowed)
    }

    /// Returns why not.
    pub const fn blocked(self) -> Option<BlockedReason> {
        match self {
            Self::Allowed => None,
            Self::Blocked(reason) => Some(reason),
        }
    }
}

/// Why a tool is not used, or not exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlockedReason {
    /// A deny glob matches.
    Denylist,
    /// No allow glob matches.
    NotAllowlisted,
    /// The server is read-only by policy and the tool may write.
    RiskPolicyReadOnly,
    /// Nobody approved the tool yet.
    NotApproved,
    /// The definition is not the one that was approved.
    Changed,
    /// The server no longer has the tool.
    Removed,
    /// Another tool has the public name.
    DuplicatePublicName,
    /// As many tools as may be are exposed.
    MaxTools,
    /// Its definition does not fit into the tokens for schemas.
    SchemaTokenBudget,
    /// Its schema cannot be made fit for the model's API.
    SchemaUnfit,
    /// The host has a tool of that name.
    RegistryConflict,
}

impl BlockedReason {
    /// Returns the name that is shown, such as `not-allowlisted`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Denylist => "denylist",
            Self::NotAllowlisted => "not-allowlisted",
            Self::RiskPolicyReadOnly => "risk-policy-read-only",
            Self::NotApproved => "not-approved",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::DuplicatePublicName => "duplicate-public-name",
            Self::MaxTools => "max-tools",
            Self::SchemaTokenBudget => "schema-token-budget",
            Self::SchemaUnfit => "schema-unfit",
            Self::RegistryConflict => "registry-conflict",
        }
    }

    /// Returns the code of a call that is refused for it.
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::RiskPolicyReadOnly => codes::MCP_TOOL_RISK_BLOCKED,
            Self::NotApproved | Self::Changed => codes::MCP_TOOL_NOT_APPROVED,
            Self::Removed => codes::MCP_TOOL_UNAVAILABLE,
            _ => codes::MCP_TOOL_NOT_ALLOWED,
        }
    }
}

impl fmt::Display for BlockedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Decides about a tool: deny globs, then allow globs, then the risk policy, then the pin.
///
/// Whether a new tool is trusted at once is decided where it is pinned
/// ([`pins::observe`](crate::pins::observe)): here only [`PinState::Approved`] passes.
pub fn decide(server: &ServerConfig, tool: &CatalogTool, pin: PinState) -> Decision {
    let listed = decide_selected(&server.tools, &tool.candidates(server));
    if !listed.is_allowed() {
        return listed;
    }
    if server.risk_policy == RiskPolicy::ReadOnly && tool.risk != Risk::Read {
        return Decision::Blocked(BlockedReason::RiskPolicyReadOnly);
    }
    match pin {
        PinState::Approved => Decision::Allowed,
        PinState::New => Decision::Blocked(BlockedReason::NotApproved),
        PinState::Changed => Decision::Blocked(BlockedReason::Changed),
        PinState::Removed => Decision::Blocked(BlockedReason::Removed),
    }
}

/// Decides by globs alone: deny before allow, and what nobody allowed is not allowed.
pub fn decide_selected(selectors: &Selectors, names: &Candidates) -> Decision {
    if selectors.denies(names) {
        Decision::Blocked(BlockedReason::Denylist)
    } else if selectors.allows(names) {
        Decision::Allowed
    } else {
        Decision::Blocked(BlockedReason::NotAllowlisted)
    }
}
