//! The life of a server's connection, as a machine without clock, task or transport.
//!
//! It takes what happened and says what to do next. One connection exists at a time: nothing is started while
//! another one is kept, and what was started is closed exactly once it is over.

mod live;

use std::time::Duration;

pub(crate) use live::{Drained, Live};

use super::{
    Moment,
    backoff::{Backoff, CrashLoop},
    status::ServerStatus,
};
use crate::{
    config::Planes,
    limits::{CLOSE_RETRY, CRASH_COOL_DOWN, RECONNECT_BASE, RECONNECT_CAP},
    ports::RandomSource,
};

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// The server is wanted.
    Start,
    /// A person wants a new connection now, whatever failed before.
    Reconnect,
    /// The server is not wanted; `disabled` by the settings.
    Stop { disabled: bool },
    /// A person wants the lists read now.
    Refresh,
    /// Somebody wants to know whether it lives.
    Test,
    /// A connection was made; what it offers, of what is switched on.
    Connected { enabled: Planes, offered: Planes },
    /// No connection could be made; `again` tells whether another try may succeed on its own.
    ConnectFailed { again: bool },
    /// The lists were read.
    Drained(Drained),
    /// The server says that lists changed.
    Changed(Planes),
    /// A ping ended.
    Pinged(Pong),
    /// The connection ended by itself.
    Ended,
    /// A close ended.
    Closed { done: bool },
    /// The deadline was reached.
    Timer,
}

/// What a ping told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pong {
    /// The server answered, whatever it said.
    Alive,
    /// It did not.
    Silent,
}

/// Something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Make a connection.
    Connect,
    /// Stop making one; what was begun is thrown away.
    AbandonConnect,
    /// Read lists; those of `believe_empty` may be empty now.
    Drain {
        planes: Planes,
        believe_empty: Planes,
    },
    /// Ask whether the server lives.
    Ping,
    /// Stop reading and asking, and close the connection that is held.
    Close,
}

#[derive(Debug, Clone)]
enum Phase {
    Idle,
    Connecting,
    Live(Box<Live>),
    Closing {
        then: Next,
    },
    Waiting {
        until: Option<Moment>,
        status: ServerStatus,
    },
    Kept {
        retry: Moment,
        then: Next,
    },
}

/// What follows a close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Connect,
    Wait { until: Moment, status: ServerStatus },
}

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Lifecycle {
    wanted: bool,
    disabled: bool,
    phase: Phase,
    backoff: Backoff,
    crashes: CrashLoop,
}

impl Lifecycle {
    pub(crate) fn new(disabled: bool) -> Self {
        Self {
            wanted: false,
            disabled,
            phase: Phase::Idle,
            backoff: Backoff::new(RECONNECT_BASE, RECONNECT_CAP),
            crashes: CrashLoop::default(),
        }
    }

    pub(crate) fn status(&self) -> ServerStatus {
        match &self.phase {
            Phase::Idle if self.disabled => ServerStatus::Disabled,
            Phase::Idle => ServerStatus::Idle,
            Phase::Connecting => ServerStatus::Connecting,
            Phase::Live(live) => live.status(),
            Phase::Closing { .. } => ServerStatus::Closing,
            Phase::Waiting { status, .. } => *status,
            Phase::Kept { .. } => ServerStatus::CleanupFailed,
        }
    }

    /// Tells whether something was begun whose end will change the status.
    pub(crate) fn is_busy(&self) -> bool {
        match &self.phase {
            Phase::Connecting | Phase::Closing { .. } => true,
            Phase::Live(live) => live.is_draining() || live.is_pinging(),
            Phase::Idle | Phase::Waiting { .. } | Phase::Kept { .. } => false,
        }
    }

    pub(crate) const fn is_wanted(&self) -> bool {
        self.wanted
    }

    pub(crate) const fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Live(_))
    }

    /// Returns when [`Input::Timer`] is to be given; nothing while nothing waits.
    pub(crate) fn deadline(&self) -> Option<Moment> {
        match &self.phase {
            Phase::Live(live) => live.deadline(),
            Phase::Waiting { until, .. } => *until,
            Phase::Kept { retry, .. } => Some(*retry),
            Phase::Idle | Phase::Connecting | Phase::Closing { .. } => None,
        }
    }

    /// Takes what happened and returns what to do, in this order.
    pub(crate) fn step(
        &mut self,
        input: Input,
        at: Moment,
        random: &dyn RandomSource,
    ) -> Vec<Effect> {
        match input {
            Input::Start => self.start(false, at),
            Input::Reconnect => self.start(true, at),
            Input::Stop { disabled } => self.stop(disabled, at),
            Input::Connected { enabled, offered } => self.connected(enabled, offered, at),
            Input::ConnectFailed { again } => self.connect_failed(again, at, random),
            Input::Ended => self.ended(at, random),
            Input::Closed { done } => self.closed(done, at),
            Input::Timer => self.timer(at),
            Input::Refresh => self.live(|live| live.refresh(at)),
            Input::Test => self.live(Live::ping),
            Input::Drained(drained) => self.live(|live| {
                live.drained(drained, at, random);
                Vec::new()
            }),
            Input::Changed(planes) => self.live(|live| {
                live.changed(planes, at);
                Vec::new()
            }),
            Input::Pinged(pong) => {
                let dead = match &mut self.phase {
                    Phase::Live(live) => live.pinged(pong, at),
                    _ => false,
                };
                if dead {
                    self.ended(at, random)
                } else {
                    Vec::new()
                }
            }
        }
    }

    fn live(&mut self, act: impl FnOnce(&mut Live) -> Vec<Effect>) -> Vec<Effect> {
        match &mut self.phase {
            Phase::Live(live) => act(live),
            _ => Vec::new(),
        }
    }

    fn start(&mut self, person: bool, at: Moment) -> Vec<Effect> {
        self.wanted = true;
        self.disabled = false;
        if person {
            self.backoff.reset();
            self.crashes.reset();
        }
        match &mut self.phase {
            Phase::Connecting if person => vec![Effect::AbandonConnect, Effect::Connect],
            Phase::Live(_) if person => self.close(Next::Connect),
            Phase::Connecting | Phase::Live(_) => Vec::new(),
            Phase::Closing { then } => {
                if person {
                    *then = Next::Connect;
                }
                Vec::new()
            }
            Phase::Kept { .. } => self.close(Next::Connect),
            Phase::Waiting {
                until: Some(until), ..
            } if !person && *until > at => Vec::new(),
            Phase::Idle | Phase::Waiting { .. } => self.connect(),
        }
    }

    fn stop(&mut self, disabled: bool, at: Moment) -> Vec<Effect> {
        self.wanted = false;
        self.disabled = disabled;
        let then = Next::Wait {
            until: at,
            status: ServerStatus::Idle,
        };
        match self.phase {
            Phase::Connecting => {
                self.phase = Phase::Idle;
                vec![Effect::AbandonConnect]
            }
            Phase::Live(_) | Phase::Kept { .. } => self.close(then),
            Phase::Closing { .. } => Vec::new(),
            Phase::Idle | Phase::Waiting { .. } => {
                self.phase = Phase::Idle;
                Vec::new()
            }
        }
    }

    fn connected(&mut self, enabled: Planes, offered: Planes, at: Moment) -> Vec<Effect> {
        if !matches!(self.phase, Phase::Connecting) {
            return Vec::new();
        }
        let (live, effects) = Live::new(enabled, offered, at);
        self.phase = Phase::Live(Box::new(live));
        effects
    }

    fn connect_failed(
        &mut self,
        again: bool,
        at: Moment,
        random: &dyn RandomSource,
    ) -> Vec<Effect> {
        if !matches!(self.phase, Phase::Connecting) {
            return Vec::new();
        }
        let until = again.then(|| at + self.wait(at, random).0);
        self.phase = Phase::Waiting {
            until,
            status: ServerStatus::Error,
        };
        Vec::new()
    }

    fn ended(&mut self, at: Moment, random: &dyn RandomSource) -> Vec<Effect> {
        if !self.is_live() {
            return Vec::new();
        }
        let (wait, status) = self.wait(at, random);
        self.close(Next::Wait {
            until: at + wait,
            status,
        })
    }

    /// Returns how long to leave the server alone after an end, and what that is called.
    fn wait(&mut self, at: Moment, random: &dyn RandomSource) -> (Duration, ServerStatus) {
        if self.crashes.end(at) {
            (CRASH_COOL_DOWN, ServerStatus::Error)
        } else {
            (self.backoff.next(random), ServerStatus::Disconnected)
        }
    }

    fn closed(&mut self, done: bool, at: Moment) -> Vec<Effect> {
        let Phase::Closing { then } = self.phase else {
            return Vec::new();
        };
        if !done {
            self.phase = Phase::Kept {
                retry: at + CLOSE_RETRY,
                then,
            };
            return Vec::new();
        }
        if !self.wanted {
            self.phase = Phase::Idle;
            return Vec::new();
        }
        match then {
            // The second: stopped while it closed, and wanted again since.
            Next::Connect
            | Next::Wait {
                status: ServerStatus::Idle,
                ..
            } => self.connect(),
            Next::Wait { until, status } => {
                self.phase = Phase::Waiting {
                    until: Some(until),
                    status,
                };
                Vec::new()
            }
        }
    }

    fn timer(&mut self, at: Moment) -> Vec<Effect> {
        match &mut self.phase {
            Phase::Waiting {
                until: Some(until), ..
            } if *until <= at => self.connect(),
            Phase::Kept { retry, then } if *retry <= at => {
                let then = *then;
                self.close(then)
            }
            Phase::Live(live) => {
                let (effects, stable) = live.tick(at);
                if stable {
                    self.backoff.reset();
                    self.crashes.reset();
                }
                effects
            }
            _ => Vec::new(),
        }
    }

    fn connect(&mut self) -> Vec<Effect> {
        self.phase = Phase::Connecting;
        vec![Effect::Connect]
    }

    fn close(&mut self, then: Next) -> Vec<Effect> {
        self.phase = Phase::Closing { then };
        vec![Effect::Close]
    }
}

#[cfg(test)]
mod tests;
