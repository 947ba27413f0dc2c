//! Reading a run's folder, for pages that people read and for repeating it.

use std::path::Path;

use eyes_evidence::{
    atomic::read_private,
    code::{Coded, ErrorCode},
};
use serde::de::DeserializeOwned;

use super::{RUN_VERSION, ReplayExpectation, ReplayStep, RunHeader, RunStep};
use crate::{codes, limits::MAX_RUN_FILE_BYTES, session::StepResult};

/// A run cannot be read, or came out differently.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file is missing, too long, or is none of a run: `BROWSER_REPORT_INVALID`.
    #[error("{file}: {what}")]
    File {
        /// Its name in the folder.
        file: &'static str,
        /// What is wrong.
        what: String,
    },
    /// A repeated step came out differently: `BROWSER_REPLAY_MISMATCH`.
    #[error("step {sequence} came to {now}, and to {before} in the run")]
    Mismatch {
        /// The number of the step in the run.
        sequence: u64,
        /// What it came to in the run.
        before: String,
        /// What it comes to now.
        now: String,
    },
}

impl Coded for RunError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::File { .. } => codes::BROWSER_REPORT_INVALID,
            Self::Mismatch { .. } => codes::BROWSER_REPLAY_MISMATCH,
        }
    }
}

/// The files of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFiles {
    /// What began it.
    pub header: RunHeader,
    /// Its steps, in order.
    pub steps: Vec<RunStep>,
    /// What repeats them, in order.
    pub replay: Vec<ReplayStep>,
}

impl RunFiles {
    /// Reads the folder of a run; a last line that was cut off by a kill is left out.
    pub fn read(dir: &Path) -> Result<Self, RunError> {
        let header = text(dir, "run.json")?;
        let header: RunHeader = parsed("run.json", 1, &header)?;
        if header.version > RUN_VERSION {
            return Err(RunError::File {
                file: "run.json",
                what: format!("version {} is newer than {RUN_VERSION}", header.version),
            });
        }
        Ok(Self {
            header,
            steps: lines(dir, "steps.jsonl")?,
            replay: lines(dir, "replay.jsonl")?,
        })
    }
}

fn text(dir: &Path, file: &'static str) -> Result<String, RunError> {
    let wrong = |what: String| RunError::File { file, what };
    let bytes = read_private(&dir.join(file), MAX_RUN_FILE_BYTES)
        .map_err(|error| wrong(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))
}

fn parsed<T: DeserializeOwned>(file: &'static str, line: usize, text: &str) -> Result<T, RunError> {
    serde_json::from_str(text).map_err(|error| RunError::File {
        file,
        what: format!("line {line}: {error}"),
    })
}

fn lines<T: DeserializeOwned>(dir: &Path, file: &'static str) -> Result<Vec<T>, RunError> {
    let text = text(dir, file)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().enumerate();
    lines.map(|(at, line)| parsed(file, at + 1, line)).collect()
}

impl ReplayStep {
    /// Compares what a repeated step comes to with what it came to in the run.
    pub fn compare(&self, result: &StepResult) -> Result<(), RunError> {
        let now = ReplayExpectation::of(result);
        if now == self.expect {
            return Ok(());
        }
        let shown = |expect: &ReplayExpectation| {
            let ok = if expect.ok { "ok" } else { "not ok" };
            let code = expect.code.as_deref().unwrap_or("no error");
            match expect.passed {
                None => format!("{ok}, {code}"),
                Some(passed) => format!("{ok}, {code}, passed {passed}"),
            }
        };
        Err(RunError::Mismatch {
            sequence: self.sequence,
            before: shown(&self.expect),
            now: shown(&now),
        })
    }
}
