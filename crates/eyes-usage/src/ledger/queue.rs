//! What waits to be written, between those who record and the writer.

use std::{
    path::PathBuf,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use eyes_evidence::atomic::FileError;

use super::{LedgerError, LedgerStatus, file::Appended};
use crate::event::UsageEvent;

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is something for the writer to do.
    work: Condvar,
    /// The writer did something.
    progress: Condvar,
    capacity: usize,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<UsageEvent>,
    /// Events that the writer has and has not written yet.
    in_hand: usize,
    /// Events that were taken in all.
    taken: u64,
    /// Events of those that are on the disk.
    written: u64,
    /// Events that were lost in all, and how many of them the file tells.
    lost: u64,
    lost_told: u64,
    /// Someone waits for a write to be tried.
    wanted: bool,
    closed: bool,
    ended: bool,
    /// Writes that failed, and why the last of them did, until one succeeds.
    failures: u64,
    failure: Option<String>,
    /// Why the file could not be compacted; everything is written all the same.
    uncompacted: Option<String>,
    set_aside: Vec<PathBuf>,
}

impl Queue {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::default(),
            work: Condvar::new(),
            progress: Condvar::new(),
            capacity,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes as many events as there is room for; the others are lost.
    pub(super) fn take(&self, events: &[UsageEvent]) {
        if events.is_empty() {
            return;
        }
        let mut state = self.state();
        let held = state.waiting.len() + state.in_hand;
        let room = self.capacity.saturating_sub(held).min(events.len());
        state.waiting.extend_from_slice(&events[..room]);
        state.taken += room as u64;
        state.lost += (events.len() - room) as u64;
        drop(state);
        self.work.notify_one();
    }

    pub(super) fn lost(&self) -> u64 {
        self.state().lost
    }

    pub(super) fn status(&self) -> LedgerStatus {
        let state = self.state();
        LedgerStatus {
            waiting: state.taken - state.written,
            lost: state.lost,
            failure: state
                .failure
                .as_ref()
                .or(state.uncompacted.as_ref())
                .cloned(),
            set_aside: state.set_aside.clone(),
        }
    }

    /// Waits until everything that was taken before is written.
    pub(super) fn flush(&self, wait: Duration) -> Result<(), LedgerError> {
        let mut state = self.state();
        let target = state.taken;
        let failures = state.failures;
        state.wanted = true;
        self.work.notify_one();
        let still = |state: &mut State| {
            state.written < target && state.failures == failures && !state.ended
        };
        let waited = self.progress.wait_timeout_while(state, wait, still);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let waiting = target.saturating_sub(state.written);
        match &state.failure {
            Some(reason) => Err(LedgerError::Unwritten {
                waiting,
                reason: reason.clone(),
            }),
            None if waiting > 0 => Err(LedgerError::Timeout { waiting }),
            None => Ok(()),
        }
    }

    /// Lets the writer end after one more try; returns whether it has.
    pub(super) fn close(&self, wait: Duration) -> bool {
        let mut state = self.state();
        state.closed = true;
        self.work.notify_one();
        let still = |state: &mut State| !state.ended;
        let waited = self.progress.wait_timeout_while(state, wait, still);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.ended
    }
}

/// What the writer is to do.
#[derive(Debug)]
pub(super) struct Turn {
    /// Events that were lost and that the file does not tell yet.
    pub(super) lost: u64,
    /// No other turn follows.
    pub(super) last: bool,
}

/// The writer's side; when it goes, for whatever reason, nobody waits for it any more.
#[derive(Debug)]
pub(super) struct WriterSide<'a>(pub(super) &'a Queue);

impl WriterSide<'_> {
    /// Waits for something to do and puts what waits behind what the writer still has.
    pub(super) fn turn(&self, batch: &mut Vec<UsageEvent>) -> Turn {
        let idle = |state: &mut State| state.waiting.is_empty() && !state.wanted && !state.closed;
        let waited = self.0.work.wait_while(self.0.state(), idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if batch.is_empty() {
            // Moves no event while someone waits to record.
            std::mem::swap(batch, &mut state.waiting);
        } else {
            batch.append(&mut state.waiting);
        }
        state.in_hand = batch.len();
        state.wanted = false;
        Turn {
            lost: state.lost - state.lost_told,
            last: state.closed,
        }
    }

    /// Tells what came of it; the writer keeps a batch that is not written.
    pub(super) fn done(&self, turn: &Turn, outcome: Result<Appended, FileError>) {
        let mut state = self.0.state();
        match outcome {
            Ok(appended) => {
                state.written += state.in_hand as u64;
                state.in_hand = 0;
                state.lost_told += turn.lost;
                state.set_aside.extend(appended.set_aside);
                state.failure = appended.unsynced.map(|error| error.to_string());
                state.uncompacted = appended.uncompacted.map(|error| error.to_string());
                state.failures += u64::from(state.failure.is_some());
            }
            Err(error) => {
                state.failures += 1;
                state.failure = Some(error.to_string());
                if turn.last {
                    state.lost += state.in_hand as u64;
                }
            }
        }
        self.0.progress.notify_all();
    }
}

impl Drop for WriterSide<'_> {
    fn drop(&mut self) {
        self.0.state().ended = true;
        self.0.progress.notify_all();
    }
}
