//! What a reading used, as the ledger takes it: pure.

use eyes_usage::{
    category::{CallCategory, Counter},
    event::{UsageEntry, UsageRoute},
    tokens::TokenUsage,
};

use super::{ReadUsage, Reading};
use crate::{
    error::ReadFailure,
    route::{Attempt, Outcome, Route},
};

/// Returns what a reading used: its calls, or that a stored record answered.
///
/// `category` is [`CallCategory::VisionBase`] or [`CallCategory::VisionTarget`]. All calls are booked under the route
/// that answered. A caller that joined the reading of another one used nothing.
pub fn booked(reading: &Reading, category: CallCategory) -> Vec<UsageEntry> {
    if reading.is_cached() {
        let counter = Counter::CacheHits;
        return vec![UsageEntry::Count { counter, by: 1 }];
    }
    if reading.joined {
        return Vec::new();
    }
    calls(&reading.route, reading.usage, category, true)
}

/// Returns what a failed reading used, under the route that was called last.
pub fn booked_failure(failure: &ReadFailure, category: CallCategory) -> Vec<UsageEntry> {
    let was_called =
        |attempt: &&Attempt| !matches!(attempt.outcome, Outcome::PassedOver | Outcome::Cached);
    match failure.attempts.iter().rev().find(was_called) {
        Some(last) => calls(&last.route, failure.usage, category, false),
        None => Vec::new(),
    }
}

/// Returns what a pixel probe used, where it told tokens.
pub fn booked_probe(route: &Route, usage: ReadUsage) -> Option<UsageEntry> {
    if usage.probe == TokenUsage::default() {
        return None;
    }
    call(CallCategory::VisionProbe, route, Some(usage.probe))
}

fn calls(
    route: &Route,
    usage: ReadUsage,
    category: CallCategory,
    answered: bool,
) -> Vec<UsageEntry> {
    let mut entries: Vec<UsageEntry> = booked_probe(route, usage).into_iter().collect();
    let told = Some(usage.model).filter(|usage| *usage != TokenUsage::default());
    // A call that failed before it told tokens was most often not billed.
    if answered || told.is_some() {
        entries.extend(call(category, route, told));
    }
    entries
}

fn call(category: CallCategory, route: &Route, tokens: Option<TokenUsage>) -> Option<UsageEntry> {
    // A route's names are shorter than a ledger's may be.
    let route = UsageRoute::new(route.provider(), route.model()).ok()?;
    Some(UsageEntry::Call {
        category,
        route,
        tokens,
    })
}
