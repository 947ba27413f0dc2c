//! A connection that lives: which lists are read when, and whether it is alive.

use super::{Effect, Pong};
use crate::{
    config::Planes,
    connection::{Moment, backoff::Backoff, debounce::Debounce, status::ServerStatus},
    limits::{
        DRAIN_RETRY_BASE, DRAIN_RETRY_CAP, EMPTY_CONFIRM_AFTER, PING_INTERVAL, PING_MISSES,
        PING_RETRY, STABLE_AFTER,
    },
    ports::RandomSource,
};

/// How a reading of lists went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Drained {
    /// Could not be read or admitted.
    pub(crate) failed: Planes,
    /// Of these another try may succeed without a change at the server.
    pub(crate) retry: Planes,
    /// Had entries before and have none now; not believed yet.
    pub(crate) doubted: Planes,
}

/// The part of the machine that exists while a connection lives.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    enabled: Planes,
    offered: Planes,
    ready: bool,
    draining: Option<Planes>,
    failed: Planes,
    retry: Option<(Moment, Planes)>,
    retries: Backoff,
    doubted: Planes,
    confirm: Option<Moment>,
    changes: Debounce,
    pinging: bool,
    missed: u32,
    next_ping: Moment,
    stable: Option<Moment>,
}

impl Live {
    /// Starts with the lists that are switched on and offered; these are to be read at once.
    pub(crate) fn new(enabled: Planes, offered: Planes, at: Moment) -> (Self, Vec<Effect>) {
        let mut live = Self {
            enabled,
            offered: offered.and(enabled),
            ready: false,
            draining: None,
            failed: Planes::NONE,
            retry: None,
            retries: Backoff::new(DRAIN_RETRY_BASE, DRAIN_RETRY_CAP),
            doubted: Planes::NONE,
            confirm: None,
            changes: Debounce::new(),
            pinging: false,
            missed: 0,
            next_ping: at + PING_INTERVAL,
            stable: Some(at + STABLE_AFTER),
        };
        let effects = live.drain(live.offered);
        live.ready = effects.is_empty();
        (live, effects)
    }

    pub(crate) fn status(&self) -> ServerStatus {
        let broken = self.enabled.without(self.offered).union(self.failed);
        if !self.ready {
            ServerStatus::Connecting
        } else if !self.enabled.is_empty() && self.enabled.without(broken).is_empty() {
            ServerStatus::Error
        } else if !broken.is_empty() || !self.doubted.is_empty() || self.missed > 0 {
            ServerStatus::Degraded
        } else {
            ServerStatus::Connected
        }
    }

    pub(crate) const fn is_draining(&self) -> bool {
        self.draining.is_some()
    }

    pub(crate) const fn is_pinging(&self) -> bool {
        self.pinging
    }

    /// Returns when the timer is needed next.
    pub(crate) fn deadline(&self) -> Option<Moment> {
        let ping = (!self.pinging).then_some(self.next_ping);
        let lists = if self.draining.is_some() {
            [None; 3]
        } else {
            [
                self.changes.due(),
                self.confirm,
                self.retry.map(|(at, _)| at),
            ]
        };
        lists.into_iter().chain([ping, self.stable]).flatten().min()
    }

    /// Takes note that lists changed.
    pub(crate) fn changed(&mut self, planes: Planes, at: Moment) {
        let planes = planes.and(self.offered);
        if !planes.is_empty() {
            self.changes.notice(planes, at);
        }
    }

    /// Reads lists because a person asks for it, at once unless they are being read.
    pub(crate) fn refresh(&mut self, at: Moment) -> Vec<Effect> {
        if self.draining.is_some() {
            self.changed(Planes::ALL, at);
            return Vec::new();
        }
        self.drain(self.offered)
    }

    /// Asks whether the server lives, unless that is asked already.
    pub(crate) fn ping(&mut self) -> Vec<Effect> {
        if self.pinging {
            return Vec::new();
        }
        self.pinging = true;
        vec![Effect::Ping]
    }

    /// Takes the answer of a ping; tells whether the connection counts as dead.
    pub(crate) fn pinged(&mut self, pong: Pong, at: Moment) -> bool {
        if !self.pinging {
            return false;
        }
        self.pinging = false;
        match pong {
            Pong::Alive => {
                self.missed = 0;
                self.next_ping = at + PING_INTERVAL;
            }
            Pong::Silent => {
                self.missed += 1;
                self.next_ping = at + PING_RETRY;
            }
        }
        self.missed >= PING_MISSES
    }

    /// Takes what a reading gave.
    pub(crate) fn drained(&mut self, drained: Drained, at: Moment, random: &dyn RandomSource) {
        let Some(planes) = self.draining.take() else {
            return;
        };
        self.ready = true;
        self.failed = self
            .failed
            .without(planes)
            .union(drained.failed.and(planes));
        self.doubted = self
            .doubted
            .without(planes)
            .union(drained.doubted.and(planes));
        self.confirm = (!self.doubted.is_empty()).then_some(at + EMPTY_CONFIRM_AFTER);
        let waiting = self
            .retry
            .map_or(Planes::NONE, |(_, planes)| planes)
            .without(planes);
        let again = waiting.union(drained.retry.and(drained.failed).and(planes));
        self.retry = (!again.is_empty()).then(|| (at + self.retries.next(random), again));
        if again.is_empty() {
            self.retries.reset();
        }
    }

    /// Does what is due; the flag tells that the connection is stable since now.
    pub(crate) fn tick(&mut self, at: Moment) -> (Vec<Effect>, bool) {
        let stable = self.stable.is_some_and(|stable| stable <= at);
        if stable {
            self.stable = None;
        }
        let mut effects = Vec::new();
        if !self.pinging && self.next_ping <= at {
            effects.extend(self.ping());
        }
        if self.draining.is_none() {
            let mut due = self.changes.take(at);
            if self.confirm.is_some_and(|confirm| confirm <= at) {
                due = due.union(self.doubted);
            }
            if let Some((retry, planes)) = self.retry
                && retry <= at
            {
                due = due.union(planes);
            }
            effects.extend(self.drain(due));
        }
        (effects, stable)
    }

    fn drain(&mut self, planes: Planes) -> Vec<Effect> {
        if planes.is_empty() {
            return Vec::new();
        }
        self.draining = Some(planes);
        // A list that is read for another reason is read for these too.
        self.confirm = None;
        if let Some((at, waiting)) = self.retry.take() {
            let left = waiting.without(planes);
            self.retry = (!left.is_empty()).then_some((at, left));
        }
        vec![Effect::Drain {
            planes,
            believe_empty: self.doubted.and(planes),
        }]
    }
}
