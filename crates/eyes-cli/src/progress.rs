//! Progress on a terminal.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::JoinHandle,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::limits::{PROGRESS_AFTER, PROGRESS_TICK};

/// A bar or spinner that appears when the work takes long; nothing off a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts for `total` steps.
    pub(crate) fn start(total: usize, on_terminal: bool) -> Self {
        if !on_terminal {
            return Self {
                bar: ProgressBar::hidden(),
                watcher: None,
            };
        }
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        let template = if total > 1 {
            "{spinner} {bar:24} {pos}/{len} {wide_msg}"
        } else {
            "{spinner} {elapsed} {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let (done, ended) = mpsc::channel::<()>();
        let shown = bar.clone();
        let watcher = std::thread::spawn(move || {
            if ended.recv_timeout(PROGRESS_AFTER) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(PROGRESS_TICK);
            }
        });
        Self {
            bar,
            watcher: Some((done, watcher)),
        }
    }

    /// Names the step that begins; `name` is safe for a terminal.
    pub(crate) fn begin(&self, name: String) {
        self.bar.set_message(name);
    }

    /// Ends a step.
    pub(crate) fn end_step(&self) {
        self.bar.inc(1);
    }

    /// Prints with the bar out of the way.
    pub(crate) fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, watcher)) = self.watcher.take() {
            drop(done);
            // A watcher that panicked has nothing left to do.
            drop(watcher.join());
        }
        self.bar.finish_and_clear();
    }
}
