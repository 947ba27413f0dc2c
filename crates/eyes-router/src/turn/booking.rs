//! What a turn used, as the ledger takes it.

use eyes_usage::{
    category::{CallCategory, Counter, Estimate},
    event::{UsageEntry, UsageEvent, UsageRoute},
    session::SessionDigest,
    tokens::{EstimatedTokens, TokenUsage},
};

use super::work::Work;
use crate::{
    attempts::Operation,
    error::ReadFailure,
    route::{Attempt, Outcome, Route},
    vision::{ReadUsage, Reading},
};

/// What was used and not yet told to the ledger.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) entries: Vec<UsageEntry>,
    told: usize,
}

impl Work<'_> {
    pub(super) fn count(&mut self, counter: Counter) {
        self.book.entries.push(UsageEntry::Count { counter, by: 1 });
    }

    pub(super) fn estimate(&mut self, estimate: Estimate, tokens: u64) {
        if tokens > 0 {
            let tokens = EstimatedTokens(tokens);
            self.book
                .entries
                .push(UsageEntry::Estimate { estimate, tokens });
        }
    }

    /// Books a reading that gave evidence.
    pub(super) fn book_reading(&mut self, reading: &Reading, operation: Operation) {
        if reading.is_cached() {
            self.count(Counter::CacheHits);
        } else if !reading.joined {
            let called = Some(&reading.route);
            self.book_calls(called, &reading.attempts, reading.usage, operation);
        }
    }

    /// Books a reading that failed; what it cost was spent all the same.
    pub(super) fn book_failure(&mut self, failure: &ReadFailure, operation: Operation) {
        let called = failure
            .attempts
            .iter()
            .rev()
            .find(|attempt| was_called(attempt));
        let called = called.map(|attempt| attempt.route.clone());
        self.book_calls(called.as_ref(), &failure.attempts, failure.usage, operation);
    }

    fn book_calls(
        &mut self,
        route: Option<&Route>,
        attempts: &[Attempt],
        usage: ReadUsage,
        operation: Operation,
    ) {
        let Some(route) = route else { return };
        self.book_probe(route, usage);
        let is_target = matches!(operation, Operation::Target | Operation::LookTarget);
        let category = if is_target {
            CallCategory::VisionTarget
        } else {
            CallCategory::VisionBase
        };
        let told = Some(usage.model).filter(|usage| *usage != TokenUsage::default());
        if told.is_some() || attempts.iter().any(was_called) {
            self.call(category, route, told);
        }
    }

    /// Books a probe of the final model.
    pub(super) fn book_probe(&mut self, route: &Route, usage: ReadUsage) {
        if usage.probe != TokenUsage::default() {
            self.call(CallCategory::VisionProbe, route, Some(usage.probe));
        }
    }

    /// Books a call of the final model: of `category`, or as the final answer itself.
    pub(super) fn book_final(
        &mut self,
        route: &Route,
        category: Option<CallCategory>,
        tokens: Option<TokenUsage>,
    ) {
        match category {
            Some(category) => self.call(category, route, tokens),
            None => {
                if let Some(route) = named(route) {
                    self.book.entries.push(UsageEntry::Final { route, tokens });
                }
            }
        }
    }

    fn call(&mut self, category: CallCategory, route: &Route, tokens: Option<TokenUsage>) {
        if let Some(route) = named(route) {
            self.book.entries.push(UsageEntry::Call {
                category,
                route,
                tokens,
            });
        }
    }

    /// Tells the ledger what it was not told yet.
    pub(super) fn flush(&mut self) {
        let at = self.engine.clock.now();
        let session = self.session_id.map(SessionDigest::of);
        let entries = &self.book.entries[self.book.told..];
        let events: Vec<UsageEvent> = entries
            .iter()
            .map(|entry| UsageEvent {
                at: at.clone(),
                session,
                entry: entry.clone(),
            })
            .collect();
        self.book.told = self.book.entries.len();
        if !events.is_empty() {
            self.engine.usage.record(&events);
        }
    }
}

fn was_called(attempt: &Attempt) -> bool {
    !matches!(attempt.outcome, Outcome::PassedOver | Outcome::Cached)
}

/// A route's names are shorter than a ledger's may be.
fn named(route: &Route) -> Option<UsageRoute> {
    UsageRoute::new(route.provider(), route.model()).ok()
}
