//! What each session used, a day at a time.
//!
//! Which sessions are the newest is known only when everything is known, and yet the rows are bounded as they
//! come. So a row is a session on one day: its key never changes, and a row that is dropped once can never be
//! among those that are kept in the end.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bounds, Bucket};
use crate::{
    session::SessionDigest,
    time::{Day, UnixTime},
};

/// A session on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionRow {
    pub(super) first: UnixTime,
    pub(super) last: UnixTime,
    pub(super) bucket: Bucket,
}

impl SessionRow {
    fn at(time: UnixTime) -> Self {
        Self {
            first: time,
            last: time,
            bucket: Bucket::default(),
        }
    }
}

/// The rows of the newest days.
///
/// A day stays while the days after it hold fewer than [`Bounds::sessions`] sessions and fewer than
/// [`Bounds::session_rows`] rows. Of one day the [`Bounds::day_sessions`] smallest digests stay. Both numbers
/// only grow, so what is kept depends on all events and not on their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SessionRows {
    pub(super) days: BTreeMap<Day, BTreeMap<SessionDigest, SessionRow>>,
    /// Something was dropped.
    pub(super) incomplete: bool,
}

impl SessionRows {
    /// Returns the row of a session at a time, or nothing where it is not kept.
    pub(super) fn row(
        &mut self,
        session: SessionDigest,
        time: UnixTime,
        bounds: &Bounds,
    ) -> Option<&mut SessionRow> {
        let day = time.day();
        let rows = self.days.entry(day).or_default();
        let before = rows.len();
        rows.entry(session).or_insert_with(|| SessionRow::at(time));
        if rows.len() > before {
            if rows.len() > bounds.day_sessions {
                rows.pop_last();
                self.incomplete = true;
            }
            self.drop_old_days(bounds);
        }
        let row = self.days.get_mut(&day)?.get_mut(&session)?;
        row.first = row.first.min(time);
        row.last = row.last.max(time);
        Some(row)
    }

    fn drop_old_days(&mut self, bounds: &Bounds) {
        let mut sessions = BTreeSet::<&SessionDigest>::new();
        let mut rows = 0;
        let mut oldest_dropped = None;
        for (day, of_day) in self.days.iter().rev() {
            if sessions.len() >= bounds.sessions || rows >= bounds.session_rows {
                oldest_dropped = Some(*day);
                break;
            }
            sessions.extend(of_day.keys());
            rows += of_day.len();
        }
        if let Some(dropped) = oldest_dropped {
            self.days.retain(|day, _| *day > dropped);
            self.incomplete = true;
        }
    }

    pub(super) fn merge(&mut self, other: Self, bounds: &Bounds) {
        self.incomplete |= other.incomplete;
        for (session, row) in other.days.into_values().flatten() {
            if let Some(kept) = self.row(session, row.first, bounds) {
                kept.last = kept.last.max(row.last);
                kept.bucket.merge(row.bucket);
            }
        }
    }

    pub(super) fn buckets_mut(&mut self) -> impl Iterator<Item = &mut Bucket> {
        let rows = self.days.values_mut().flat_map(BTreeMap::values_mut);
        rows.map(|row| &mut row.bucket)
    }
}
