//! A state as it is written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Bucket, Missing, RouteKey, RouteUsage, UsageState,
    sessions::{SessionRow, SessionRows},
};
use crate::{
    category::{CallCategory, Counter, Estimate},
    event::UsageRoute,
    session::SessionDigest,
    time::{Day, UnixTime},
    tokens::{AdditionalUsage, EstimatedTokens, FinalUsage},
};

/// A state as one line of a ledger; routes are written once and then meant by their place in the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Checkpoint {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(UnixTime, UnixTime)>,
    missing: Missing,
    routes: Vec<UsageRoute>,
    days: BTreeMap<Day, WrittenBucket>,
    earlier: WrittenBucket,
    sessions: BTreeMap<Day, BTreeMap<SessionDigest, WrittenRow>>,
    sessions_incomplete: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenBucket {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    routes: Vec<WrittenRoute>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    counters: BTreeMap<Counter, u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    estimates: BTreeMap<Estimate, EstimatedTokens>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenRoute {
    /// Its place in the list; none for the routes that are not told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    route: Option<usize>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    additional: BTreeMap<CallCategory, AdditionalUsage>,
    #[serde(default, skip_serializing_if = "FinalUsage::is_none")]
    final_answers: FinalUsage,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenRow {
    first: UnixTime,
    last: UnixTime,
    used: WrittenBucket,
}

impl From<&UsageState> for Checkpoint {
    fn from(state: &UsageState) -> Self {
        let places: BTreeMap<&UsageRoute, usize> = state.routes.iter().zip(0..).collect();
        let write = |bucket: &Bucket| WrittenBucket {
            routes: bucket
                .routes
                .iter()
                .map(|(key, usage)| WrittenRoute {
                    route: match key {
                        RouteKey::Named(route) => places.get(route).copied(),
                        RouteKey::Other => None,
                    },
                    additional: usage.additional.clone(),
                    final_answers: usage.final_answers,
                })
                .collect(),
            counters: bucket.counters.clone(),
            estimates: bucket.estimates.clone(),
        };
        let row = |row: &SessionRow| WrittenRow {
            first: row.first,
            last: row.last,
            used: write(&row.bucket),
        };
        let sessions = state.sessions.days.iter().map(|(day, rows)| {
            let rows = rows.iter().map(|(session, kept)| (*session, row(kept)));
            (*day, rows.collect())
        });
        Self {
            span: state.span,
            missing: state.missing,
            routes: state.routes.iter().cloned().collect(),
            days: state.days.iter().map(|(day, b)| (*day, write(b))).collect(),
            earlier: write(&state.earlier),
            sessions: sessions.collect(),
            sessions_incomplete: state.sessions.incomplete,
        }
    }
}

impl Checkpoint {
    /// Adds what was written to a state; nothing where a route is meant that is not in the list, or a row
    /// stands on another day than its own.
    pub(crate) fn merge_into(self, state: &mut UsageState) -> Option<()> {
        let routes = self.routes;
        let read = |bucket: WrittenBucket| {
            let mut read = Bucket {
                counters: bucket.counters,
                estimates: bucket.estimates,
                ..Bucket::default()
            };
            for written in bucket.routes {
                let key = match written.route {
                    Some(place) => RouteKey::Named(routes.get(place)?.clone()),
                    None => RouteKey::Other,
                };
                let usage = RouteUsage {
                    additional: written.additional,
                    final_answers: written.final_answers,
                };
                read.routes.insert(key, usage);
            }
            Some(read)
        };
        let mut sessions = SessionRows {
            incomplete: self.sessions_incomplete,
            ..SessionRows::default()
        };
        for (day, rows) in self.sessions {
            for (session, row) in rows {
                let (first, last) = (row.first, row.last);
                if first.day() != day || last.day() != day {
                    return None;
                }
                let bucket = read(row.used)?;
                let rows = sessions.days.entry(day).or_default();
                rows.insert(
                    session,
                    SessionRow {
                        first,
                        last,
                        bucket,
                    },
                );
            }
        }
        let days = self.days.into_iter();
        let other = UsageState {
            span: self.span,
            missing: self.missing,
            days: days
                .map(|(day, bucket)| Some((day, read(bucket)?)))
                .collect::<Option<_>>()?,
            earlier: read(self.earlier)?,
            sessions,
            routes: routes.iter().cloned().collect(),
            ..UsageState::with_bounds(state.bounds)
        };
        state.merge(other);
        Some(())
    }
}
