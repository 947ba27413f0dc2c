//! Ending a program and everything it started.

use std::{process::ExitStatus, sync::Arc};

use eyes_evidence::redact::Redactor;
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::{Mutex, watch},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

#[cfg(unix)]
use super::unix::Group;
#[cfg(windows)]
use super::windows::Group;
use super::{Spawned, StillRunning, stderr::StderrRing};
use crate::limits::{CLOSE_GRACE, CLOSE_ORPHAN_GRACE, KILL_WAIT, TERMINATE_GRACE};

/// How far the life of a program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    Running,
    /// The program itself ended; what it started may live.
    Exited(Option<ExitStatus>),
    /// Nothing of its group is left.
    Gone(Option<ExitStatus>),
}

/// A group of processes that was just started.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: ChildStderr,
    pub(super) process: u32,
    pub(super) group: Group,
    pub(super) life: watch::Receiver<Life>,
}

/// Holds a program's processes; dropping it kills them.
#[derive(Debug)]
pub struct ChildGuard {
    process: u32,
    group: Mutex<Option<Group>>,
    life: watch::Receiver<Life>,
    closing: CancellationToken,
    stderr: Arc<StderrRing>,
    drained: CancellationToken,
    drain: JoinHandle<()>,
    redactor: Redactor,
}

impl ChildGuard {
    pub(super) fn watch(started: Started, redactor: Redactor) -> Spawned {
        let stderr = Arc::new(StderrRing::default());
        let drained = CancellationToken::new();
        let drain = tokio::spawn({
            let (stderr, drained) = (Arc::clone(&stderr), drained.clone());
            async move {
                stderr.drain(started.stderr).await;
                drained.cancel();
            }
        });
        let closing = CancellationToken::new();
        Spawned {
            stdin: started.stdin,
            stdout: started.stdout,
            closing: closing.clone(),
            guard: Self {
                process: started.process,
                group: Mutex::new(Some(started.group)),
                life: started.life,
                closing,
                stderr,
                drained,
                drain,
                redactor,
            },
        }
    }

    /// Returns the id of the program's process.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Returns the newest lines of standard error, at most [`MAX_STDERR_BYTES`](crate::limits::MAX_STDERR_BYTES):
    /// printable, and redacted.
    pub fn stderr_tail(&self) -> String {
        self.redactor.redact(&self.stderr.text()).into_owned()
    }

    /// Returns how the program ended, such as `exit status: 7`; nothing while it runs.
    pub fn exit(&self) -> Option<String> {
        match *self.life.borrow() {
            Life::Running => None,
            Life::Exited(status) | Life::Gone(status) => Some(status.map_or_else(
                || "it ended in an unknown way".to_owned(),
                |status| status.to_string(),
            )),
        }
    }

    /// Waits until the program itself has ended, and returns how.
    pub async fn exited(&self) -> String {
        let mut life = self.life.clone();
        // The sender goes only after the last change.
        drop(life.wait_for(|life| *life != Life::Running).await);
        self.exit().unwrap_or_default()
    }

    /// Waits until everything that was written to standard error is read; for ever while somebody holds it.
    pub async fn drained(&self) {
        self.drained.cancelled().await;
    }

    /// Ends the program: closes its standard input, then tells its group to end, then kills the group.
    ///
    /// Takes at most [`CLOSE_GRACE`], [`TERMINATE_GRACE`] and [`KILL_WAIT`] together; returns when nothing is left.
    /// Closing twice is closing once. A future that is dropped on the way kills at once. Errors: [`StillRunning`]
    /// when the system does not remove what was killed.
    pub async fn close(&self) -> Result<(), StillRunning> {
        self.closing.cancel();
        let mut held = self.group.lock().await;
        if let Some(mut group) = held.take() {
            let mut life = self.life.clone();
            drop(timeout(CLOSE_GRACE, life.wait_for(|life| *life != Life::Running)).await);
            if !self.ends_within(CLOSE_ORPHAN_GRACE).await && cfg!(unix) {
                group.terminate().await;
                self.ends_within(TERMINATE_GRACE).await;
            }
        }
        removed(self.process, self.life.clone()).await
    }

    /// Waits until the program has ended and nobody holds its standard error any more.
    async fn ends_within(&self, time: std::time::Duration) -> bool {
        let mut life = self.life.clone();
        let ended = async {
            drop(life.wait_for(|life| *life != Life::Running).await);
            self.drained.cancelled().await;
        };
        timeout(time, ended).await.is_ok()
    }
}

/// Waits until what was killed is gone.
pub(super) async fn removed(
    process: u32,
    mut life: watch::Receiver<Life>,
) -> Result<(), StillRunning> {
    match timeout(
        KILL_WAIT,
        life.wait_for(|life| matches!(life, Life::Gone(_))),
    )
    .await
    {
        Ok(_) => Ok(()),
        Err(_) => Err(StillRunning { process }),
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        self.closing.cancel();
        self.drain.abort();
    }
}
