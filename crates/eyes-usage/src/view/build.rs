//! From a state to figures.

use std::collections::BTreeMap;

use super::{CallFigures, DayFigures, Figures, RouteFigures, SessionFigures, UsageView, VERSION};
use crate::{
    category::CallCategory,
    price::{CostSum, Dated, PriceTable, Prices},
    state::{Bucket, RouteKey, RouteUsage, UsageState},
    tokens::{AdditionalUsage, ExactUsage, FinalUsage},
};

/// A bucket, and when its calls were made where that is known.
type Part<'a> = (Option<Dated>, &'a Bucket);

impl UsageView {
    /// Makes the figures; costs need a table of prices.
    pub fn of(state: &UsageState, prices: Option<&PriceTable>) -> Self {
        let days = || {
            let days = state.days().iter();
            days.map(|(day, bucket)| (Some(Dated::On(*day)), bucket))
        };
        let between = state.earlier_between();
        let earlier = (!state.earlier().is_empty()).then(|| {
            let when = between.map(|(first, last)| Dated::Between(first, last));
            (when, state.earlier())
        });
        let span = state.span();
        Self {
            schema_version: VERSION,
            first_at: span.map(|(first, _)| first),
            last_at: span.map(|(_, last)| last),
            missing: state.missing(),
            currency: prices.map(|prices| prices.currency().to_owned()),
            total: figures(earlier.into_iter().chain(days()), prices),
            days: state
                .days()
                .iter()
                .zip(days())
                .map(|((day, _), part)| DayFigures {
                    day: *day,
                    figures: figures([part], prices),
                })
                .collect(),
            earlier: earlier.map(|part| figures([part], prices)),
            sessions: sessions(state, prices),
            sessions_since: state.sessions_since(),
        }
    }
}

fn sessions(state: &UsageState, prices: Option<&PriceTable>) -> Vec<SessionFigures> {
    let figures = |session: crate::state::SessionUsage<'_>| {
        let days = session.days.into_iter();
        let parts = days.map(|(day, bucket)| (Some(Dated::On(day)), bucket));
        SessionFigures {
            session: session.session,
            first_at: session.first,
            last_at: session.last,
            figures: figures(parts, prices),
        }
    };
    state.sessions().into_iter().map(figures).collect()
}

/// Use of one kind with its cost.
#[derive(Debug, Clone, Copy, Default)]
struct Sum<T> {
    usage: T,
    cost: CostSum,
}

impl<T: ExactUsage> Sum<T> {
    fn add(&mut self, usage: T, prices: Option<&Prices>) {
        self.usage += usage;
        self.cost += CostSum::of(usage.exact(), prices);
    }

    fn merge(&mut self, other: &Self) {
        self.usage += other.usage;
        self.cost += other.cost;
    }

    fn figures(&self, priced: bool) -> CallFigures {
        let usage = self.usage.exact();
        CallFigures {
            calls: usage.calls,
            unreported: usage.unreported,
            tokens: usage.tokens,
            cost: priced.then(|| self.cost.cost()),
        }
    }
}

/// Sums of one route, or of all.
#[derive(Debug, Default)]
struct RouteSums {
    categories: BTreeMap<CallCategory, Sum<AdditionalUsage>>,
    final_answers: Sum<FinalUsage>,
}

impl RouteSums {
    fn add(&mut self, usage: &RouteUsage, prices: Option<&Prices>) {
        for (category, usage) in usage.categories() {
            let sum = self.categories.entry(*category).or_default();
            sum.add(*usage, prices);
        }
        self.final_answers.add(usage.final_answers(), prices);
    }

    fn merge(&mut self, other: &Self) {
        for (category, sum) in &other.categories {
            self.categories.entry(*category).or_default().merge(sum);
        }
        self.final_answers.merge(&other.final_answers);
    }

    fn additional(&self, priced: bool) -> CallFigures {
        let mut all = Sum::default();
        for sum in self.categories.values() {
            all.merge(sum);
        }
        all.figures(priced)
    }

    fn categories(&self, priced: bool) -> BTreeMap<CallCategory, CallFigures> {
        let categories = self.categories.iter();
        categories
            .map(|(category, sum)| (*category, sum.figures(priced)))
            .collect()
    }
}

fn figures<'a>(parts: impl IntoIterator<Item = Part<'a>>, prices: Option<&PriceTable>) -> Figures {
    let mut routes = BTreeMap::<&RouteKey, RouteSums>::new();
    let mut figures = Figures::default();
    for (when, bucket) in parts {
        for (key, usage) in bucket.routes() {
            let known = match (prices, key, when) {
                (Some(prices), RouteKey::Named(route), Some(when)) => prices.prices(route, when),
                _ => None,
            };
            routes.entry(key).or_default().add(usage, known);
        }
        for (counter, by) in bucket.counters() {
            let count = figures.counters.entry(*counter).or_default();
            *count = count.saturating_add(*by);
        }
        for (estimate, tokens) in bucket.estimates() {
            *figures.estimates.entry(*estimate).or_default() += *tokens;
        }
    }
    let priced = prices.is_some();
    let mut all = RouteSums::default();
    for (key, sums) in routes {
        all.merge(&sums);
        let route = match key {
            RouteKey::Named(route) => Some(route),
            RouteKey::Other => None,
        };
        figures.routes.push(RouteFigures {
            provider: route.map(|route| route.provider.to_string()),
            model: route.map(|route| route.model.to_string()),
            additional: sums.additional(priced),
            categories: sums.categories(priced),
            final_answers: sums.final_answers.figures(priced),
        });
    }
    figures.additional = all.additional(priced);
    figures.categories = all.categories(priced);
    figures.final_answers = all.final_answers.figures(priced);
    figures
}
