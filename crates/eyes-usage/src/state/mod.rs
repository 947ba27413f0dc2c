//! The fold of events: totals, days, routes and sessions, bounded and the same in any order.

mod bucket;
#[cfg(any(test, feature = "fs"))]
mod checkpoint;
mod sessions;

use std::collections::{BTreeMap, BTreeSet};

pub use bucket::{Bucket, RouteKey, RouteUsage};
#[cfg(any(test, feature = "fs"))]
pub(crate) use checkpoint::Checkpoint;
use serde::{Deserialize, Serialize};
use sessions::SessionRows;

use crate::{
    event::{UsageEvent, UsageRoute},
    limits::{MAX_DAY_SESSIONS, MAX_DAYS, MAX_ROUTES, MAX_SESSION_ROWS, MAX_SESSIONS},
    session::SessionDigest,
    time::{Day, UnixTime},
};

/// How much a state tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    days: usize,
    routes: usize,
    sessions: usize,
    session_rows: usize,
    /// At least `sessions`: a full day alone then holds as many as are listed.
    day_sessions: usize,
}

impl Bounds {
    const DEFAULT: Self = Self {
        days: MAX_DAYS,
        routes: MAX_ROUTES,
        sessions: MAX_SESSIONS,
        session_rows: MAX_SESSION_ROWS,
        day_sessions: MAX_DAY_SESSIONS,
    };
}

/// What is known to be missing in every figure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Missing {
    /// Events for which there was no room before they could be written.
    pub lost_events: u64,
    /// Unfinished lines; their events were never told to be written. The last line of a ledger may be one that
    /// is just being written.
    pub torn_lines: u64,
    /// Lines of a ledger that cannot be read.
    pub damaged_lines: u64,
}

impl Missing {
    /// Tells whether nothing is.
    pub const fn is_none(&self) -> bool {
        self.lost_events == 0 && self.torn_lines == 0 && self.damaged_lines == 0
    }
}

/// What a set of events adds up to.
///
/// It is bounded, and depends on which events there are, not on their order or on when they were merged:
/// what is told apart is chosen by keys that an event never changes. The newest [`MAX_DAYS`] days are told
/// apart; of the routes the first [`MAX_ROUTES`] in the order of their names. Whatever is not told apart is
/// still in the totals. Sums end at the largest number there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageState {
    bounds: Bounds,
    span: Option<(UnixTime, UnixTime)>,
    missing: Missing,
    routes: BTreeSet<UsageRoute>,
    days: BTreeMap<Day, Bucket>,
    earlier: Bucket,
    sessions: SessionRows,
}

impl Default for UsageState {
    fn default() -> Self {
        Self::with_bounds(Bounds::DEFAULT)
    }
}

impl UsageState {
    fn with_bounds(bounds: Bounds) -> Self {
        Self {
            bounds,
            span: None,
            missing: Missing::default(),
            routes: BTreeSet::new(),
            days: BTreeMap::new(),
            earlier: Bucket::default(),
            sessions: SessionRows::default(),
        }
    }

    /// Adds one event.
    pub fn fold(&mut self, event: &UsageEvent) {
        let time = UnixTime::from(&event.at);
        self.extend_span((time, time));
        let route = event.entry.route().map(|route| self.route_key(route));
        self.day(time.day()).add(&event.entry, route.as_ref());
        if let Some(session) = event.session
            && let Some(row) = self.sessions.row(session, time, &self.bounds)
        {
            row.bucket.add(&event.entry, route.as_ref());
        }
    }

    /// Notes what else is missing.
    pub fn miss(&mut self, missing: Missing) {
        let sum = &mut self.missing;
        sum.lost_events = sum.lost_events.saturating_add(missing.lost_events);
        sum.torn_lines = sum.torn_lines.saturating_add(missing.torn_lines);
        sum.damaged_lines = sum.damaged_lines.saturating_add(missing.damaged_lines);
    }

    /// Adds everything another state adds up to; its events must be other ones.
    pub fn merge(&mut self, mut other: Self) {
        if let Some(span) = other.span {
            self.extend_span(span);
        }
        self.miss(other.missing);
        for route in &other.routes {
            self.route_key(route);
        }
        let routes = std::mem::take(&mut other.routes);
        for route in routes.into_iter().filter(|r| !self.routes.contains(r)) {
            other.pool(route);
        }
        for (day, bucket) in other.days {
            self.day(day).merge(bucket);
        }
        self.earlier.merge(other.earlier);
        self.sessions.merge(other.sessions, &self.bounds);
    }

    /// Returns the times of the first and the last event.
    pub const fn span(&self) -> Option<(UnixTime, UnixTime)> {
        self.span
    }

    /// Returns what is missing in all figures.
    pub const fn missing(&self) -> Missing {
        self.missing
    }

    /// Returns the days that are told apart.
    pub const fn days(&self) -> &BTreeMap<Day, Bucket> {
        &self.days
    }

    /// Returns the days before those, together.
    pub const fn earlier(&self) -> &Bucket {
        &self.earlier
    }

    /// Returns the first and the last day that can be among those; nothing where there are none.
    pub fn earlier_between(&self) -> Option<(Day, Day)> {
        let (first, _) = self.span?;
        let oldest = self.days.keys().next()?;
        (!self.earlier.is_empty()).then(|| (first.day(), oldest.before()))
    }

    /// Returns everything, added up.
    pub fn total(&self) -> Bucket {
        let mut total = self.earlier.clone();
        for bucket in self.days.values() {
            total.merge(bucket.clone());
        }
        total
    }

    /// Returns the newest [`MAX_SESSIONS`] sessions, the one with the latest event first.
    ///
    /// What a session used before [`sessions_since`](Self::sessions_since) is not in its figures.
    pub fn sessions(&self) -> Vec<SessionUsage<'_>> {
        let mut sessions = BTreeMap::<SessionDigest, SessionUsage<'_>>::new();
        for (day, rows) in &self.sessions.days {
            for (session, row) in rows {
                let found = sessions.entry(*session).or_insert_with(|| SessionUsage {
                    session: *session,
                    first: row.first,
                    last: row.last,
                    days: Vec::new(),
                });
                found.last = row.last;
                found.days.push((*day, &row.bucket));
            }
        }
        let mut sessions: Vec<_> = sessions.into_values().collect();
        sessions.sort_by(|one, other| (other.last, one.session).cmp(&(one.last, other.session)));
        sessions.truncate(self.bounds.sessions);
        sessions
    }

    /// Returns the first day whose sessions are kept, where those of earlier days are not.
    pub fn sessions_since(&self) -> Option<Day> {
        let first = self.sessions.days.keys().next().copied();
        first.filter(|_| self.sessions.incomplete)
    }

    fn extend_span(&mut self, (first, last): (UnixTime, UnixTime)) {
        let span = self.span.get_or_insert((first, last));
        *span = (span.0.min(first), span.1.max(last));
    }

    /// Returns the bucket of a day; the oldest day makes room where there is none.
    fn day(&mut self, day: Day) -> &mut Bucket {
        if self.days.len() >= self.bounds.days && !self.days.contains_key(&day) {
            let oldest = self.days.keys().next().copied();
            if oldest.is_none_or(|oldest| day < oldest) {
                return &mut self.earlier;
            }
            if let Some((_, bucket)) = self.days.pop_first() {
                self.earlier.merge(bucket);
            }
        }
        self.days.entry(day).or_default()
    }

    /// Returns how a route is told; the last one by name makes room where there is none.
    fn route_key(&mut self, route: &UsageRoute) -> RouteKey {
        if self.routes.contains(route) {
            return RouteKey::Named(route.clone());
        }
        if self.routes.len() >= self.bounds.routes {
            if self.routes.last().is_none_or(|last| route > last) {
                return RouteKey::Other;
            }
            if let Some(last) = self.routes.pop_last() {
                self.pool(last);
            }
        }
        self.routes.insert(route.clone());
        RouteKey::Named(route.clone())
    }

    fn pool(&mut self, route: UsageRoute) {
        let key = RouteKey::Named(route);
        let days = self.days.values_mut();
        for bucket in days
            .chain([&mut self.earlier])
            .chain(self.sessions.buckets_mut())
        {
            bucket.pool(&key);
        }
    }
}

/// What one session used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionUsage<'a> {
    /// Which session.
    pub session: SessionDigest,
    /// Its first event that is kept.
    pub first: UnixTime,
    /// Its last event.
    pub last: UnixTime,
    /// What it used on each day, the oldest first.
    pub days: Vec<(Day, &'a Bucket)>,
}

#[cfg(test)]
mod tests;
