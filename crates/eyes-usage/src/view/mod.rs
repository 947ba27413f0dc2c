//! Figures for people and programs: by day, by session, by route and category, with what they cost.

mod build;
mod csv;

use std::collections::BTreeMap;

pub use csv::{CsvTable, csv};
use serde::Serialize;

use crate::{
    category::{CallCategory, Counter, Estimate},
    price::Cost,
    session::SessionDigest,
    state::Missing,
    time::{Day, UnixTime},
    tokens::{EstimatedTokens, TokenUsage},
};

/// The JSON Schema (2020-12) of a view, made from its types.
pub const USAGE_VIEW_SCHEMA: &str = include_str!("usage-view.schema.json");

/// The version of the view's form.
const VERSION: u32 = 1;

/// Everything that a state tells, priced where there is a table of prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct UsageView {
    /// The version of this form.
    #[cfg_attr(feature = "schema", schemars(range(min = VERSION, max = VERSION)))]
    pub schema_version: u32,
    /// When the first event was; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<UnixTime>,
    /// When the last event was; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<UnixTime>,
    /// What is known to be missing in every figure.
    pub missing: Missing,
    /// The code of the currency of all amounts; absent without a table of prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// All events.
    pub total: Figures,
    /// The days that are told apart, the oldest first.
    pub days: Vec<DayFigures>,
    /// The days before those, together; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Figures>,
    /// The newest sessions, the one with the latest event first.
    pub sessions: Vec<SessionFigures>,
    /// The first day whose sessions are told, where those of earlier days are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions_since: Option<Day>,
}

/// Figures of one span of time. What is exact, what is the final answers' and what is estimated are never
/// added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Figures {
    /// What looking cost beyond the answers: the sum of all categories.
    pub additional: CallFigures,
    /// The same by category; one without a call is absent.
    pub categories: BTreeMap<CallCategory, CallFigures>,
    /// What the final answers cost.
    pub final_answers: CallFigures,
    /// The same by route.
    pub routes: Vec<RouteFigures>,
    /// Counters; one that was never stepped is absent.
    pub counters: BTreeMap<Counter, u64>,
    /// Estimates in tokens; what was never estimated is absent.
    pub estimates: BTreeMap<Estimate, EstimatedTokens>,
}

/// Calls, their tokens and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct CallFigures {
    /// Calls.
    pub calls: u64,
    /// Calls whose provider told no tokens.
    pub unreported: u64,
    /// Tokens of the other calls.
    pub tokens: TokenUsage,
    /// What they cost; absent without a table of prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// Figures of one route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct RouteFigures {
    /// Its provider; absent for the routes that are not told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Its model; absent for the routes that are not told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What looking cost beyond the answers.
    pub additional: CallFigures,
    /// The same by category; one without a call is absent.
    pub categories: BTreeMap<CallCategory, CallFigures>,
    /// What the final answers cost.
    pub final_answers: CallFigures,
}

/// Figures of one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct DayFigures {
    /// The day, in UTC.
    pub day: Day,
    /// Its figures.
    pub figures: Figures,
}

/// Figures of one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct SessionFigures {
    /// The digest of its id.
    pub session: SessionDigest,
    /// When its first event was, from `sessionsSince` on.
    pub first_at: UnixTime,
    /// When its last event was.
    pub last_at: UnixTime,
    /// Its figures, from `sessionsSince` on.
    pub figures: Figures,
}

#[cfg(test)]
mod tests;
