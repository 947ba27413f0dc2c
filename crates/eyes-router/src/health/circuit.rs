//! The circuit breaker of one route: a pure machine; time is passed in as milliseconds since 1970.

use crate::limits::MAX_COOLDOWN_MS;

/// When a circuit opens, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitPolicy {
    /// Consecutive route faults that open it.
    pub threshold: u32,
    /// Milliseconds for which it stays open.
    pub cooldown_ms: u64,
}

/// Whether a route is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CircuitState {
    /// It is asked.
    Closed,
    /// It is left alone until this time.
    Open {
        /// Milliseconds since 1970.
        until_ms: u64,
    },
    /// One call is trying whether it works again; the others wait or go elsewhere.
    HalfOpen {
        /// Until when it was left alone.
        until_ms: u64,
    },
}

impl CircuitState {
    /// Returns `closed`, `open` or `half-open`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open { .. } => "open",
            Self::HalfOpen { .. } => "half-open",
        }
    }

    /// Returns until when the route is left alone, in milliseconds since 1970.
    pub const fn open_until_ms(self) -> Option<u64> {
        match self {
            Self::Closed => None,
            Self::Open { until_ms } | Self::HalfOpen { until_ms } => Some(until_ms),
        }
    }
}

/// The right to ask a route once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    generation: u64,
}

/// The answer to "may this route be asked?".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Admission {
    /// It may, once.
    Granted(Ticket),
    /// Its circuit is open.
    Open {
        /// Milliseconds since 1970.
        until_ms: u64,
    },
    /// A trial is under way.
    Trial,
}

/// What a call showed about its route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It works.
    Works,
    /// It failed by its own fault.
    Fault {
        /// How long the provider asked to wait, in milliseconds.
        retry_after_ms: Option<u64>,
    },
    /// Nothing: the call was stopped, or failed for a reason that lies elsewhere.
    Nothing,
}

/// The circuit of one route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circuit {
    failures: u32,
    state: CircuitState,
    // Verdicts of calls that were admitted in an earlier generation come too late to count.
    generation: u64,
    changed_ms: u64,
}

impl Circuit {
    /// Makes a closed circuit.
    pub const fn closed() -> Self {
        Self {
            failures: 0,
            state: CircuitState::Closed,
            generation: 0,
            changed_ms: 0,
        }
    }

    /// Replaces what is known by what another process wrote down; an open time beyond any that this software
    /// grants is cut, and calls that are under way no longer count.
    #[must_use]
    pub fn restored(&self, failures: u32, open_until_ms: Option<u64>, changed_ms: u64) -> Self {
        let state = match open_until_ms {
            None => CircuitState::Closed,
            Some(until_ms) => CircuitState::Open {
                until_ms: until_ms.min(changed_ms.saturating_add(MAX_COOLDOWN_MS)),
            },
        };
        Self {
            failures,
            state,
            generation: self.generation + 1,
            changed_ms,
        }
    }

    /// Returns the state.
    pub const fn state(&self) -> CircuitState {
        self.state
    }

    /// Returns the consecutive route faults.
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    /// Returns when it changed last, in milliseconds since 1970.
    pub const fn changed_ms(&self) -> u64 {
        self.changed_ms
    }

    /// Returns until when the route is left alone, where it is.
    pub const fn open_until_ms(&self) -> Option<u64> {
        match self.state {
            CircuitState::Closed => None,
            CircuitState::Open { until_ms } | CircuitState::HalfOpen { until_ms } => Some(until_ms),
        }
    }

    /// Asks whether the route may be asked; `forced` does not wait for the end of the open time.
    pub fn admit(&mut self, now_ms: u64, forced: bool) -> Admission {
        match self.state {
            CircuitState::Closed => Admission::Granted(self.ticket()),
            CircuitState::HalfOpen { .. } => Admission::Trial,
            CircuitState::Open { until_ms } => {
                // No circuit is open for longer: the clock was set back meanwhile.
                let clock_moved = until_ms > now_ms.saturating_add(MAX_COOLDOWN_MS);
                if now_ms < until_ms && !forced && !clock_moved {
                    return Admission::Open { until_ms };
                }
                self.generation += 1;
                self.state = CircuitState::HalfOpen { until_ms };
                Admission::Granted(self.ticket())
            }
        }
    }

    /// Takes the verdict of an admitted call; returns whether anything that is worth keeping changed.
    pub fn settle(
        &mut self,
        ticket: Ticket,
        verdict: Verdict,
        now_ms: u64,
        policy: CircuitPolicy,
    ) -> bool {
        if ticket.generation != self.generation {
            return false;
        }
        match (verdict, self.state) {
            (Verdict::Works, CircuitState::Closed) if self.failures == 0 => return false,
            (Verdict::Works, _) => {
                self.failures = 0;
                self.state = CircuitState::Closed;
            }
            (Verdict::Fault { retry_after_ms }, state) => {
                self.failures = self.failures.saturating_add(1);
                // A provider that names a time is not asked before it, however few its faults.
                let opens = self.failures >= policy.threshold
                    || retry_after_ms.is_some()
                    || matches!(state, CircuitState::HalfOpen { .. });
                if opens {
                    let asked = retry_after_ms.unwrap_or(0).min(MAX_COOLDOWN_MS);
                    let until_ms = now_ms.saturating_add(policy.cooldown_ms.max(asked));
                    self.state = CircuitState::Open { until_ms };
                    self.generation += 1;
                }
            }
            (Verdict::Nothing, CircuitState::HalfOpen { until_ms }) => {
                // The trial told nothing; the next caller makes it.
                self.state = CircuitState::Open { until_ms };
                self.generation += 1;
                return false;
            }
            (Verdict::Nothing, _) => return false,
        }
        self.changed_ms = now_ms;
        true
    }

    const fn ticket(&self) -> Ticket {
        Ticket {
            generation: self.generation,
        }
    }
}
