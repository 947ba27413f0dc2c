//! The attempts log: written by a thread of its own, so that no reading waits for a disk.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};

use eyes_evidence::{
    atomic::FileError,
    audit::chain::{ChainedLog, LogEntry, LogReport},
};

use super::{AttemptEvent, AttemptRecord};
use crate::{
    limits::{MAX_ATTEMPT_BATCH, MAX_ATTEMPT_QUEUE},
    ports::AttemptSink,
};

/// Appends attempts to a [`ChainedLog`] in the background.
///
/// Recording copies the event into a queue of [`MAX_ATTEMPT_QUEUE`]; what does not fit, or cannot be written,
/// is counted as lost. Dropping the log writes what is queued.
#[derive(Debug)]
pub struct AttemptLog {
    log: Arc<ChainedLog>,
    queue: Option<SyncSender<Task>>,
    state: Arc<State>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum Task {
    Write(Box<AttemptEvent>),
    /// Answered when everything queued before is written or lost.
    Flush(SyncSender<()>),
}

#[derive(Debug, Default)]
struct State {
    lost: AtomicU64,
    failure: Mutex<Option<String>>,
}

impl State {
    fn lose(&self, events: usize) {
        self.lost.fetch_add(events as u64, Ordering::Relaxed);
    }
}

impl AttemptLog {
    /// Starts the writer; an error says that the system has no thread to give.
    pub fn start(log: ChainedLog) -> io::Result<Self> {
        let log = Arc::new(log);
        let state = Arc::<State>::default();
        let (queue, tasks) = sync_channel(MAX_ATTEMPT_QUEUE);
        let writer = {
            let (log, state) = (Arc::clone(&log), Arc::clone(&state));
            thread::Builder::new()
                .name("attempts-log".to_owned())
                .spawn(move || write_all(&tasks, &log, &state))?
        };
        Ok(Self {
            log,
            queue: Some(queue),
            state,
            writer: Some(writer),
        })
    }

    /// Returns how many events were lost.
    pub fn lost(&self) -> u64 {
        self.state.lost.load(Ordering::Relaxed)
    }

    /// Returns why the newest loss on writing happened.
    pub fn failure(&self) -> Option<String> {
        let failure = self.state.failure.lock();
        failure.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until everything that was recorded before is written or lost.
    pub fn flush(&self) {
        let (done, answer) = sync_channel(1);
        let asked = self
            .queue
            .as_ref()
            .map(|queue| queue.send(Task::Flush(done)));
        if matches!(asked, Some(Ok(()))) {
            // An error means that the writer is gone, and with it everything it could write.
            answer.recv().unwrap_or_default();
        }
    }

    /// Reads the newest `count` attempts, the oldest of them first, after a [`flush`](Self::flush).
    pub fn newest(&self, count: usize) -> Result<Vec<LogEntry<AttemptRecord>>, FileError> {
        self.flush();
        self.log.newest(count)
    }

    /// Follows the chain of the log, after a [`flush`](Self::flush).
    pub fn verify(&self) -> Result<LogReport, FileError> {
        self.flush();
        self.log.verify()
    }
}

impl AttemptSink for AttemptLog {
    fn record(&self, event: &AttemptEvent) {
        let task = Task::Write(Box::new(event.clone()));
        match self.queue.as_ref().map(|queue| queue.try_send(task)) {
            Some(Ok(())) => {}
            Some(Err(TrySendError::Full(_) | TrySendError::Disconnected(_))) | None => {
                self.state.lose(1);
            }
        }
    }
}

impl Drop for AttemptLog {
    fn drop(&mut self) {
        // The writer ends when the queue is closed and empty.
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has nothing more to write.
            drop(writer.join());
        }
    }
}

/// Takes what is queued, writes it in batches, and ends with the queue.
fn write_all(tasks: &Receiver<Task>, log: &ChainedLog, state: &State) {
    while let Ok(first) = tasks.recv() {
        let mut batch = Vec::new();
        let more = std::iter::from_fn(|| tasks.try_recv().ok());
        for task in std::iter::once(first).chain(more) {
            match task {
                Task::Write(event) => batch.push(AttemptRecord::from(event.as_ref())),
                Task::Flush(done) => {
                    write(&mut batch, log, state);
                    // Whoever asked may have gone.
                    done.send(()).unwrap_or_default();
                }
            }
            if batch.len() == MAX_ATTEMPT_BATCH {
                write(&mut batch, log, state);
            }
        }
        write(&mut batch, log, state);
    }
}

fn write(batch: &mut Vec<AttemptRecord>, log: &ChainedLog, state: &State) {
    if batch.is_empty() {
        return;
    }
    if let Err(error) = log.append(batch) {
        state.lose(batch.len());
        let failure = state.failure.lock();
        *failure.unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
    }
    batch.clear();
}
