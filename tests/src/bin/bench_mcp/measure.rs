//! Times, and the table of them.

use std::{fmt::Write as _, fs, hint::black_box, time::Instant};

use crate::peer::Peer;

/// Milliseconds of one piece of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Times {
    /// The least on the wall clock.
    pub(crate) least: f64,
    /// The median on the wall clock.
    pub(crate) median: f64,
    /// Of the processor; on a busy machine the one to compare. Of ours the mean, because the system counts it in
    /// steps of milliseconds, of the peer the median.
    pub(crate) processor: f64,
}

impl Times {
    /// Does the work as often as `rounds` says.
    pub(crate) fn of<T>(rounds: usize, work: impl Fn() -> T) -> Self {
        let rounds = rounds.max(1);
        let once = |_| {
            let start = Instant::now();
            drop(black_box(work()));
            start.elapsed().as_secs_f64() * 1000.0
        };
        let spent = processor_ms();
        let mut times: Vec<f64> = (0..rounds).map(once).collect();
        let spent = processor_ms() - spent;
        times.sort_by(f64::total_cmp);
        Self {
            least: times[0],
            median: times[rounds / 2],
            processor: spent / rounds as f64,
        }
    }
}

/// Processor time of this thread; only Linux tells it.
fn processor_ms() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = stat.as_deref().and_then(|stat| stat.split(' ').next());
    let nanoseconds = first.and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    nanoseconds.map_or(f64::NAN, |nanoseconds| nanoseconds / 1e6)
}

/// Measured work under the names that the other implementation gives it.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<(String, Times)>,
}

impl Table {
    /// Adds a row.
    pub(crate) fn add(&mut self, name: String, times: Times) {
        self.rows.push((name, times));
    }

    /// Writes the rows, with the peer's figures and how many times faster we are by least wall time and by processor.
    pub(crate) fn print(&self, peer: Option<&Peer>) -> String {
        let mut out = format!("{:<58}", "ms");
        let mut heads = vec!["least", "median", "processor"];
        if peer.is_some() {
            heads.extend(["peer least", "median", "processor", "times", "times"]);
        }
        for head in heads {
            let _infallible = write!(out, "{head:>11}");
        }
        out.push('\n');
        for (name, ours) in &self.rows {
            let _infallible = write!(out, "{name:<58}");
            let mut cells = vec![ours.least, ours.median, ours.processor];
            if let Some(theirs) = peer.and_then(|peer| peer.times(name)) {
                cells.extend([theirs.least, theirs.median, theirs.processor]);
                cells.push(theirs.least / ours.least);
                cells.push(theirs.processor / ours.processor);
            }
            for cell in cells {
                let _infallible = write!(out, "{cell:>11.2}");
            }
            out.push('\n');
        }
        out
    }
}
