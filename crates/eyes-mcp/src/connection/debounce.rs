//! One reading for many notices.

use super::Moment;
use crate::{
    config::Planes,
    limits::{LIST_MAX_DELAY, LIST_MIN_INTERVAL, LIST_QUIET},
};

/// Gathers notices of changed lists until they are quiet, with a longest delay and a least interval.
///
/// A notice that comes while lists are being read waits for a run of its own.
#[derive(Debug, Clone)]
pub(crate) struct Debounce {
    waiting: Planes,
    first: Moment,
    last: Moment,
    ran: Option<Moment>,
}

impl Debounce {
    pub(crate) const fn new() -> Self {
        Self {
            waiting: Planes::NONE,
            first: Moment::ZERO,
            last: Moment::ZERO,
            ran: None,
        }
    }

    pub(crate) fn notice(&mut self, planes: Planes, at: Moment) {
        if self.waiting.is_empty() {
            self.first = at;
        }
        self.last = at;
        self.waiting = self.waiting.union(planes);
    }

    /// Returns when the lists are to be read; nothing while none changed.
    pub(crate) fn due(&self) -> Option<Moment> {
        if self.waiting.is_empty() {
            return None;
        }
        let quiet = (self.last + LIST_QUIET).min(self.first + LIST_MAX_DELAY);
        let spaced = self.ran.map_or(Moment::ZERO, |ran| ran + LIST_MIN_INTERVAL);
        Some(quiet.max(spaced))
    }

    /// Takes what is due.
    pub(crate) fn take(&mut self, at: Moment) -> Planes {
        if self.due().is_none_or(|due| due > at) {
            return Planes::NONE;
        }
        self.ran = Some(at);
        std::mem::replace(&mut self.waiting, Planes::NONE)
    }
}
