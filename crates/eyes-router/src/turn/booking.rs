//! What a turn used, as the ledger takes it.

use eyes_usage::{
    category::{CallCategory, Counter, Estimate},
    event::{UsageEntry, UsageEvent, UsageRoute},
    session::SessionDigest,
    tokens::{EstimatedTokens, TokenUsage},
};

use super::work::Work;
use crate::{
    error::ReadFailure,
    route::Route,
    vision::{ReadUsage, Reading, booked, booked_failure, booked_probe},
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
    pub(super) fn book_reading(&mut self, reading: &Reading, category: CallCategory) {
        // Who looks on this machine is paid by nobody.
        if reading.is_cached() || !self.engine.reader.is_local(&reading.route) {
            self.book.entries.extend(booked(reading, category));
        }
    }

    /// Books a reading that failed; what it cost was spent all the same.
    pub(super) fn book_failure(&mut self, failure: &ReadFailure, category: CallCategory) {
        self.book.entries.extend(booked_failure(failure, category));
    }

    /// Books a probe of the final model.
    pub(super) fn book_probe(&mut self, route: &Route, usage: ReadUsage) {
        self.book.entries.extend(booked_probe(route, usage));
    }

    /// Books a call of the final model: of `category`, or as the final answer itself.
    pub(super) fn book_final(
        &mut self,
        route: &Route,
        category: Option<CallCategory>,
        tokens: Option<TokenUsage>,
    ) {
        // A route's names are shorter than a ledger's may be.
        let Ok(route) = UsageRoute::new(route.provider(), route.model()) else {
            return;
        };
        self.book.entries.push(match category {
            Some(category) => UsageEntry::Call {
                category,
                route,
                tokens,
            },
            None => UsageEntry::Final { route, tokens },
        });
    }

    /// Tells the ledger what it was not told yet.
    pub(super) fn flush(&mut self) {
        let at = self.engine.clock.now();
        let session = self.session_id.map(SessionDigest::of);
        let entries = self.book.entries.get(self.book.told..).unwrap_or_default();
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
