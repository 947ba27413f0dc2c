//! Progress of the requests that wait.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
use tokio::sync::Notify;

use super::convert::cut;
use crate::{
    limits::MAX_PROGRESS_MESSAGE_CHARS,
    ports::{Progress, ProgressSink},
};

/// The requests that wait, by the token of their progress.
#[derive(Debug, Default)]
pub(super) struct ProgressRegistry {
    /// Held while a request is sent and entered, so that its first progress finds it.
    pub(super) order: tokio::sync::Mutex<()>,
    waiting: Mutex<BTreeMap<i64, Waiting>>,
    /// Questions of the server that a person thinks about.
    questions: AtomicUsize,
}

#[derive(Debug)]
struct Waiting {
    sink: Option<Arc<dyn ProgressSink>>,
    last: f64,
    heard: Arc<Notify>,
}

/// A question of the server that is open; while one is, no request is idle.
#[derive(Debug)]
pub(super) struct OpenQuestion<'a>(&'a ProgressRegistry);

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.0.questions.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ProgressRegistry {
    /// Enters a request; returned is what tells that the server said a word.
    pub(super) fn enter(&self, token: i64, sink: Option<Arc<dyn ProgressSink>>) -> Arc<Notify> {
        let heard = Arc::new(Notify::new());
        let waiting = Waiting {
            sink,
            last: f64::NEG_INFINITY,
            heard: Arc::clone(&heard),
        };
        self.lock().insert(token, waiting);
        heard
    }

    pub(super) fn forget(&self, token: i64) {
        self.lock().remove(&token);
    }

    /// Hands a step on. One that does not go forward (the protocol forbids it) is none.
    pub(super) async fn take(&self, step: ProgressNotificationParam) {
        let Some(token) = number(&step.progress_token) else {
            return;
        };
        drop(self.order.lock().await);
        let mut all = self.lock();
        let Some(waiting) = all.get_mut(&token) else {
            return;
        };
        if !step.progress.is_finite() || step.progress <= waiting.last {
            return;
        }
        waiting.last = step.progress;
        waiting.heard.notify_one();
        let sink = waiting.sink.clone();
        drop(all);
        if let Some(sink) = sink {
            sink.progress(Progress {
                progress: step.progress,
                total: step.total.filter(|total| total.is_finite()),
                message: step
                    .message
                    .map(|message| cut(&message, MAX_PROGRESS_MESSAGE_CHARS)),
            });
        }
    }

    pub(super) fn question(&self) -> OpenQuestion<'_> {
        self.questions.fetch_add(1, Ordering::Relaxed);
        OpenQuestion(self)
    }

    pub(super) fn has_question(&self) -> bool {
        self.questions.load(Ordering::Relaxed) > 0
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Some servers give a number back as a text.
pub(super) fn number(token: &ProgressToken) -> Option<i64> {
    match &token.0 {
        NumberOrString::Number(number) => Some(*number),
        NumberOrString::String(text) => text.parse().ok(),
    }
}
