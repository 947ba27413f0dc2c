//! Sequential failover: a pure machine that decides which route is asked next.

use std::{collections::VecDeque, error::Error as _};

use eyes_evidence::{code::Coded, redact::safe_message};

use super::{Attempt, Candidate, Fault, Outcome, Route};
use crate::{error::VisionError, limits::MAX_ATTEMPT_MESSAGE_CHARS};

/// The route that is asked next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// Which one.
    pub candidate: Candidate,
    /// It was passed over because its circuit is open, and is all that is left.
    pub last_resort: bool,
}

/// The routes that are left, and what was tried.
#[derive(Debug)]
pub struct Failover {
    left: VecDeque<Candidate>,
    known: Vec<Route>,
    maximum: u32,
    failures: u32,
    passed_over: Option<Candidate>,
    attempts: Vec<Attempt>,
    first: Option<VisionError>,
}

impl Failover {
    /// Starts with candidates in order; at most `failovers` routes follow a first failure.
    pub fn new(candidates: &[Candidate], failovers: u32) -> Self {
        let mut failover = Self {
            left: VecDeque::new(),
            known: Vec::new(),
            maximum: failovers.saturating_add(1),
            failures: 0,
            passed_over: None,
            attempts: Vec::new(),
            first: None,
        };
        failover.extend(candidates);
        failover
    }

    /// Appends candidates that were found later; those that are known are left out.
    pub fn extend(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            if !self.known.contains(&candidate.route) {
                self.known.push(candidate.route.clone());
                self.left.push_back(candidate.clone());
            }
        }
    }

    /// Takes the next route that was not tried; nothing when routes or failures are used up.
    pub fn next_route(&mut self) -> Option<Next> {
        if self.failures >= self.maximum {
            return None;
        }
        let candidate = self.left.pop_front()?;
        Some(Next {
            candidate,
            last_resort: false,
        })
    }

    /// Takes the first route that was passed over, once; nothing when failures are used up.
    pub fn last_resort(&mut self) -> Option<Next> {
        if self.failures >= self.maximum {
            return None;
        }
        let candidate = self.passed_over.take()?;
        // Once is enough: there is no second last resort.
        self.maximum = self.failures + 1;
        Some(Next {
            candidate,
            last_resort: true,
        })
    }

    /// Notes that a route was passed over because its circuit is open; that is no failure.
    pub fn passed_over(&mut self, candidate: Candidate) {
        self.attempts.push(Attempt {
            route: candidate.route.clone(),
            outcome: Outcome::PassedOver,
        });
        self.passed_over.get_or_insert(candidate);
    }

    /// Notes a failure; hands the error back when no other route may be asked because of it.
    pub fn failed(&mut self, route: Route, error: VisionError) -> Result<(), VisionError> {
        let fault = Fault::of(&error);
        self.attempts.push(Attempt {
            route,
            outcome: Outcome::Failed {
                code: error.code(),
                message: chain(&error),
            },
        });
        // A stop says nothing about this route or the next one.
        if fault == Fault::Stop {
            return Err(error);
        }
        self.failures = self.failures.saturating_add(1);
        self.first.get_or_insert(error);
        Ok(())
    }

    /// Returns how many routes failed.
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    /// Notes success.
    pub fn succeeded(&mut self, route: Route, outcome: Outcome) {
        self.attempts.push(Attempt { route, outcome });
    }

    /// Returns what was tried, oldest first.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Returns the error of the whole: none tried, the only failure itself, or the list of attempts.
    pub fn error(&self) -> VisionError {
        match &self.first {
            None => VisionError::NoRoute,
            Some(error) if self.failures == 1 => error.clone(),
            Some(_) => VisionError::Exhausted {
                attempts: self.attempts.clone(),
            },
        }
    }
}

/// Joins an error and its sources: redacted, on one line, bounded.
fn chain(error: &VisionError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    safe_message(&text, MAX_ATTEMPT_MESSAGE_CHARS)
}
