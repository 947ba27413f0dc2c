//! Route health: circuits and passed probes, kept in memory and, where a path is set, across restarts.

mod board;
mod circuit;
mod file;
#[cfg(test)]
mod tests;

use std::{
    path::PathBuf,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use board::Board;
pub use circuit::{Admission, Circuit, CircuitPolicy, CircuitState, Ticket, Verdict};
use eyes_evidence::digest::Sha256Digest;
use file::HealthFileError;
use tokio::{sync::Notify, task::spawn_blocking};

use crate::{limits::MAX_HEALTH_WARNINGS, ports::Clock, route::Route, vision::ReadWarning};

/// The health of one route, for people to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteHealth {
    /// Which route.
    pub route: Route,
    /// Consecutive faults.
    pub failures: u32,
    /// Whether it is asked.
    pub state: CircuitState,
}

/// The health of all routes of one reader.
#[derive(Debug)]
pub(crate) struct HealthRegistry {
    board: Mutex<Board>,
    // Told after every verdict, for those who wait for a trial.
    settled: Notify,
    clock: Arc<dyn Clock>,
    policy: CircuitPolicy,
    file: Option<Mutex<Disk>>,
}

#[derive(Debug)]
struct Disk {
    path: PathBuf,
    usable: bool,
    warnings: Vec<ReadWarning>,
}

/// The right to ask a route once; dropped without a verdict it tells nothing about the route.
#[derive(Debug)]
pub(crate) struct Permit {
    registry: Arc<HealthRegistry>,
    route: Route,
    ticket: Option<Ticket>,
}

impl HealthRegistry {
    /// Reads what was kept under `path`; a file that cannot be used costs a warning.
    pub(crate) fn open(
        policy: CircuitPolicy,
        clock: Arc<dyn Clock>,
        path: Option<PathBuf>,
    ) -> Arc<Self> {
        let mut board = Board::default();
        let file = path.map(|path| {
            let mut disk = Disk {
                path,
                usable: true,
                warnings: Vec::new(),
            };
            match file::load(&disk.path, clock.unix_ms()) {
                Ok(None) => {}
                Ok(Some(file)) => board.merge(&file, clock.unix_ms()),
                Err(error) => disk.note(&error),
            }
            Mutex::new(disk)
        });
        Arc::new(Self {
            board: Mutex::new(board),
            settled: Notify::new(),
            clock,
            policy,
            file,
        })
    }

    /// Asks whether `route` may be asked; where not, whether it is because of a trial under way.
    pub(crate) fn admit(self: &Arc<Self>, route: &Route) -> Option<Permit> {
        let admission = self.board().admit(route, self.clock.unix_ms(), false);
        self.permit(route, admission)
    }

    /// Asks for a route that is the last resort: an open circuit is tried at once, a trial under way is
    /// waited for.
    ///
    /// Gives nothing when that trial showed a fault: a second one at the same moment would show the same.
    pub(crate) async fn admit_last_resort(self: &Arc<Self>, route: &Route) -> Option<Permit> {
        let failures = self.board().circuit(route).failures();
        loop {
            let mut told = pin!(self.settled.notified());
            // Registered before the look, so no verdict in between is missed.
            told.as_mut().enable();
            let admission = {
                let mut board = self.board();
                if board.circuit(route).failures() > failures {
                    return None;
                }
                board.admit(route, self.clock.unix_ms(), true)
            };
            if let Some(permit) = self.permit(route, admission) {
                return Some(permit);
            }
            told.await;
        }
    }

    /// Tells whether the model with this fingerprint passed its probe at most `ttl_ms` ago.
    pub(crate) fn is_proven(&self, route: &Route, fingerprint: &Sha256Digest, ttl_ms: u64) -> bool {
        let now_ms = self.clock.unix_ms();
        self.board().is_proven(route, fingerprint, now_ms, ttl_ms)
    }

    /// Notes that it passed.
    pub(crate) async fn prove(self: &Arc<Self>, route: &Route, fingerprint: Sha256Digest) {
        let now_ms = self.clock.unix_ms();
        self.board().prove(route, fingerprint, now_ms);
        self.save().await;
    }

    /// Returns every route that failed lately.
    pub(crate) fn routes(&self) -> Vec<RouteHealth> {
        let board = self.board();
        let health = board.circuits().map(|(route, circuit)| RouteHealth {
            route: route.clone(),
            failures: circuit.failures(),
            state: circuit.state(),
        });
        health.collect()
    }

    /// Takes the faults of the file that were not reported yet.
    pub(crate) fn take_warnings(&self) -> Vec<ReadWarning> {
        self.file.as_ref().map_or_else(Vec::new, |disk| {
            let mut disk = disk.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut disk.warnings)
        })
    }

    fn permit(self: &Arc<Self>, route: &Route, admission: Admission) -> Option<Permit> {
        match admission {
            Admission::Granted(ticket) => Some(Permit {
                registry: Arc::clone(self),
                route: route.clone(),
                ticket: Some(ticket),
            }),
            Admission::Open { .. } | Admission::Trial => None,
        }
    }

    fn settle(&self, route: &Route, ticket: Ticket, verdict: Verdict) -> bool {
        let now_ms = self.clock.unix_ms();
        let changed = self
            .board()
            .settle(route, (ticket, verdict), now_ms, self.policy);
        self.settled.notify_waiters();
        changed
    }

    /// Writes the table, off the executor.
    async fn save(self: &Arc<Self>) {
        if self.file.is_none() {
            return;
        }
        let registry = Arc::clone(self);
        // A panic of the writer loses only this write.
        drop(spawn_blocking(move || registry.save_now()).await);
    }

    fn save_now(&self) {
        let Some(disk) = &self.file else { return };
        let mut disk = disk.lock().unwrap_or_else(PoisonError::into_inner);
        if !disk.usable {
            return;
        }
        // Copied after the lock was had: the last writer writes the newest table.
        let board = self.board().clone();
        let now_ms = self.clock.unix_ms();
        match file::save(&disk.path, &board, now_ms) {
            Ok(merged) => self.board().merge(&merged, now_ms),
            Err(error) => disk.note(&error),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Disk {
    fn note(&mut self, error: &HealthFileError) {
        let warning = ReadWarning::from(error);
        // A full disk says the same with every write; once is enough.
        if self.warnings.last() != Some(&warning) && self.warnings.len() < MAX_HEALTH_WARNINGS {
            self.warnings.push(warning);
        }
        self.usable &= !error.is_final();
    }
}

impl Permit {
    /// Says what the call showed.
    pub(crate) async fn settle(mut self, verdict: Verdict) {
        let Some(ticket) = self.ticket.take() else {
            return;
        };
        if self.registry.settle(&self.route, ticket, verdict) {
            self.registry.save().await;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.registry.settle(&self.route, ticket, Verdict::Nothing);
        }
    }
}
