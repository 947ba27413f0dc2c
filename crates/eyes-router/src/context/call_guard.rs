//! How often the model is called for one task.

use super::ContextError;
use crate::{
    limits::{DEFAULT_AUTOMATION_CALLS, MAX_GUARDED_SESSIONS},
    recent::Recent,
};

/// Counts the calls of each session's present task.
///
/// A new task id starts at zero. Sessions beyond [`MAX_GUARDED_SESSIONS`] push out the one that called longest
/// ago. Kept in memory only.
#[derive(Debug, Clone)]
pub struct CallGuard {
    limit: u32,
    sessions: Recent<String, Session>,
}

#[derive(Debug, Clone)]
struct Session {
    task: String,
    calls: u32,
}

impl Default for CallGuard {
    fn default() -> Self {
        Self::new(DEFAULT_AUTOMATION_CALLS)
    }
}

impl CallGuard {
    /// Makes a guard that allows `limit` calls for one task; 0 allows any number.
    pub const fn new(limit: u32) -> Self {
        Self {
            limit,
            sessions: Recent::new(MAX_GUARDED_SESSIONS),
        }
    }

    /// Tells whether another call may be made, before anything is spent on it.
    ///
    /// Fails with `AUTOMATION_CALL_LIMIT`.
    pub fn check(&self, session: &str, task: &str) -> Result<(), ContextError> {
        if self.limit > 0 && self.calls(session, task) >= self.limit {
            return Err(ContextError::Calls { limit: self.limit });
        }
        Ok(())
    }

    /// Counts a call that is about to be made, and returns how many that makes.
    ///
    /// Fails with `AUTOMATION_CALL_LIMIT`; a refused call is not counted.
    pub fn admit(&mut self, session: &str, task: &str) -> Result<u32, ContextError> {
        self.check(session, task)?;
        if let Some(known) = self.sessions.get_mut(session) {
            if known.task != task {
                task.clone_into(&mut known.task);
                known.calls = 0;
            }
            known.calls = known.calls.saturating_add(1);
            return Ok(known.calls);
        }
        let first = Session {
            task: task.to_owned(),
            calls: 1,
        };
        self.sessions.insert(session.to_owned(), first);
        Ok(1)
    }

    /// Returns how many calls of this task were counted.
    pub fn calls(&self, session: &str, task: &str) -> u32 {
        let known = self.sessions.peek(session);
        known
            .filter(|known| known.task == task)
            .map_or(0, |known| known.calls)
    }

    /// Forgets a session that has ended.
    pub fn forget(&mut self, session: &str) {
        self.sessions.remove(session);
    }
}

#[cfg(test)]
mod tests {
    use eyes_evidence::code::Coded as _;

    use super::*;

    #[test]
    fn the_call_after_the_last_is_refused_until_the_task_changes() {
        let mut guard = CallGuard::new(2);
        assert_eq!(guard.admit("s", "t1"), Ok(1));
        assert_eq!(guard.admit("s", "t1"), Ok(2));
        let refused = guard.admit("s", "t1").unwrap_err();
        assert_eq!(refused.code().as_str(), "AUTOMATION_CALL_LIMIT");
        assert_eq!(guard.calls("s", "t1"), 2);
        assert_eq!(guard.check("s", "t2"), Ok(()));
        assert_eq!(guard.admit("s", "t2"), Ok(1));
        assert_eq!(guard.admit("other", "t1"), Ok(1));
        guard.forget("s");
        assert_eq!(guard.calls("s", "t2"), 0);
    }

    #[test]
    fn zero_is_no_limit_and_the_default_is_32() {
        let mut guard = CallGuard::new(0);
        assert!((0..100).all(|_| guard.admit("s", "t").is_ok()));
        let mut guard = CallGuard::default();
        assert_eq!(
            (0..100).filter(|_| guard.admit("s", "t").is_ok()).count(),
            32
        );
    }

    #[test]
    fn the_session_that_called_longest_ago_makes_room() {
        let mut guard = CallGuard::new(1);
        for session in 0..MAX_GUARDED_SESSIONS {
            guard.admit(&session.to_string(), "t").unwrap();
        }
        guard.admit("0", "u").unwrap();
        guard.admit("new", "t").unwrap();
        assert_eq!(guard.sessions.values().count(), MAX_GUARDED_SESSIONS);
        let called = |session: &str, task: &str| guard.calls(session, task);
        assert_eq!(
            (called("0", "u"), called("1", "t"), called("2", "t")),
            (1, 0, 1)
        );
    }
}
