//! Sequential failover: a pure machine that decides which route is asked next.

use std::collections::VecDeque;

use eyes_evidence::code::Coded;

use super::{Attempt, Outcome, Route};
use crate::{codes, error::VisionError, limits::MAX_ATTEMPT_MESSAGE_CHARS};

/// The routes that are left, and what was tried.
#[derive(Debug)]
pub struct Failover {
    left: VecDeque<Route>,
    failures_left: u32,
    attempts: Vec<Attempt>,
    first: Option<VisionError>,
}

impl Failover {
    /// Starts with `routes` in order; at most `failovers` routes follow a first failure.
    pub fn new(routes: Vec<Route>, failovers: u32) -> Self {
        Self {
            left: routes.into(),
            failures_left: failovers.saturating_add(1),
            attempts: Vec::new(),
            first: None,
        }
    }

    /// Takes the next route, or nothing when routes or failures are used up.
    pub fn next_route(&mut self) -> Option<Route> {
        if self.failures_left == 0 {
            return None;
        }
        self.left.pop_front()
    }

    /// Notes a failure; hands the error back when no other route may be asked because of it.
    pub fn failed(&mut self, route: Route, error: VisionError) -> Result<(), VisionError> {
        // A stop is the caller's will and says nothing about this route or the next one.
        if error.code() == codes::ABORTED {
            return Err(error);
        }
        self.failures_left = self.failures_left.saturating_sub(1);
        self.attempts.push(Attempt {
            route,
            outcome: Outcome::Failed {
                code: error.code(),
                message: chain(&error),
            },
        });
        self.first.get_or_insert(error);
        Ok(())
    }

    /// Notes success and returns all attempts, oldest first.
    pub fn succeeded(mut self, route: Route, outcome: Outcome) -> Vec<Attempt> {
        self.attempts.push(Attempt { route, outcome });
        self.attempts
    }

    /// Returns the error of the whole: none tried, the only failure itself, or the list of failures.
    pub fn into_error(self) -> VisionError {
        match self.first {
            None => VisionError::NoRoute,
            Some(error) if self.attempts.len() == 1 => error,
            Some(_) => VisionError::Exhausted {
                attempts: self.attempts,
            },
        }
    }
}

/// Joins an error and its sources, bounded.
fn chain(error: &VisionError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    match text.char_indices().nth(MAX_ATTEMPT_MESSAGE_CHARS) {
        Some((end, _)) => {
            text.truncate(end);
            text
        }
        None => text,
    }
}
