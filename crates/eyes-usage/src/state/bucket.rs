//! What adds up over one span of time.

use std::collections::BTreeMap;

use crate::{
    category::{CallCategory, Counter, Estimate},
    event::{UsageEntry, UsageRoute},
    tokens::{AdditionalUsage, CallUsage, EstimatedTokens, FinalUsage},
};

/// A route, or the routes that are not told apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RouteKey {
    /// One route.
    Named(UsageRoute),
    /// All routes beyond [`MAX_ROUTES`](crate::limits::MAX_ROUTES), together.
    Other,
}

/// What was used on one route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteUsage {
    pub(super) additional: BTreeMap<CallCategory, AdditionalUsage>,
    pub(super) final_answers: FinalUsage,
}

impl RouteUsage {
    /// Returns the additional use by category; a category without a call is not there.
    pub const fn categories(&self) -> &BTreeMap<CallCategory, AdditionalUsage> {
        &self.additional
    }

    /// Returns the additional use of all categories.
    pub fn additional(&self) -> AdditionalUsage {
        sum(self.additional.values().copied())
    }

    /// Returns the use of the final answers.
    pub const fn final_answers(&self) -> FinalUsage {
        self.final_answers
    }

    fn merge(&mut self, other: Self) {
        for (category, usage) in other.additional {
            *self.additional.entry(category).or_default() += usage;
        }
        self.final_answers += other.final_answers;
    }
}

fn sum(all: impl Iterator<Item = AdditionalUsage>) -> AdditionalUsage {
    all.fold(AdditionalUsage::default(), |mut sum, usage| {
        sum += usage;
        sum
    })
}

/// What was used over one span of time: by route and category, with counters and estimates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bucket {
    pub(super) routes: BTreeMap<RouteKey, RouteUsage>,
    pub(super) counters: BTreeMap<Counter, u64>,
    pub(super) estimates: BTreeMap<Estimate, EstimatedTokens>,
}

impl Bucket {
    /// Returns what was used on each route.
    pub const fn routes(&self) -> &BTreeMap<RouteKey, RouteUsage> {
        &self.routes
    }

    /// Returns the counters; one that was never stepped is not there.
    pub const fn counters(&self) -> &BTreeMap<Counter, u64> {
        &self.counters
    }

    /// Returns the estimates; what was never estimated is not there.
    pub const fn estimates(&self) -> &BTreeMap<Estimate, EstimatedTokens> {
        &self.estimates
    }

    /// Returns the additional use of one category on all routes.
    pub fn category(&self, category: CallCategory) -> AdditionalUsage {
        let routes = self.routes.values();
        sum(routes.filter_map(|route| route.additional.get(&category).copied()))
    }

    /// Returns the additional use of all categories on all routes.
    pub fn additional(&self) -> AdditionalUsage {
        sum(self.routes.values().map(RouteUsage::additional))
    }

    /// Returns the additional use of the three categories that call vision models.
    pub fn vision(&self) -> AdditionalUsage {
        let categories = CallCategory::ALL.iter().filter(|c| c.is_vision());
        sum(categories.map(|category| self.category(*category)))
    }

    /// Returns the use of the final answers on all routes.
    pub fn final_answers(&self) -> FinalUsage {
        let mut sum = FinalUsage::default();
        for route in self.routes.values() {
            sum += route.final_answers;
        }
        sum
    }

    /// Tells whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.counters.is_empty() && self.estimates.is_empty()
    }

    /// Adds one entry; `route` is how the state tells its route.
    pub(super) fn add(&mut self, entry: &UsageEntry, route: Option<&RouteKey>) {
        match entry {
            UsageEntry::Call {
                category, tokens, ..
            } => {
                let usage = CallUsage::of_call(*tokens).into();
                if let Some(route) = self.route(route) {
                    *route.additional.entry(*category).or_default() += usage;
                }
            }
            UsageEntry::Final { tokens, .. } => {
                let usage = CallUsage::of_call(*tokens).into();
                if let Some(route) = self.route(route) {
                    route.final_answers += usage;
                }
            }
            UsageEntry::Count { counter, by } => {
                let count = self.counters.entry(*counter).or_default();
                *count = count.saturating_add(*by);
            }
            UsageEntry::Estimate { estimate, tokens } => {
                *self.estimates.entry(*estimate).or_default() += *tokens;
            }
        }
    }

    fn route(&mut self, key: Option<&RouteKey>) -> Option<&mut RouteUsage> {
        let key = key?;
        if !self.routes.contains_key(key) {
            self.routes.insert(key.clone(), RouteUsage::default());
        }
        self.routes.get_mut(key)
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (key, usage) in other.routes {
            self.routes.entry(key).or_default().merge(usage);
        }
        for (counter, by) in other.counters {
            let count = self.counters.entry(counter).or_default();
            *count = count.saturating_add(by);
        }
        for (estimate, tokens) in other.estimates {
            *self.estimates.entry(estimate).or_default() += tokens;
        }
    }

    /// Puts a route among those that are not told apart.
    pub(super) fn pool(&mut self, key: &RouteKey) {
        if let Some(usage) = self.routes.remove(key) {
            self.routes.entry(RouteKey::Other).or_default().merge(usage);
        }
    }
}
