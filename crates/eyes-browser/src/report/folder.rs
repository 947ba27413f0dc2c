//! The folder of a run.

use std::{
    fs::{File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use eyes_evidence::{
    atomic::{open_private_with, private_dir, write_private},
    digest::Sha256Digest,
};
use serde::Serialize;

use super::{ReplayStep, RunHeader, RunStep};
use crate::ports::RunLog;

/// A run written to a private folder; its files are described in [`report`](super).
#[derive(Debug)]
pub struct RunFolder {
    dir: PathBuf,
    steps: Mutex<File>,
    replay: Mutex<File>,
}

impl RunFolder {
    /// Makes the folder of a new run; one that holds a run already is an error.
    pub fn create(dir: &Path) -> Result<Self, String> {
        private_dir(dir).map_err(|error| error.to_string())?;
        let pictures = dir.join("pictures");
        private_dir(&pictures).map_err(|error| error.to_string())?;
        let open = |name: &str| {
            let mut options = OpenOptions::new();
            options.append(true).create_new(true);
            open_private_with(&options, &dir.join(name)).map_err(|error| error.to_string())
        };
        Ok(Self {
            steps: Mutex::new(open("steps.jsonl")?),
            replay: Mutex::new(open("replay.jsonl")?),
            dir: dir.to_owned(),
        })
    }

    /// Returns the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Adds a line in one write, so that a run that is killed leaves whole lines.
fn add(file: &Mutex<File>, line: &impl Serialize) -> Result<(), String> {
    let mut line = serde_json::to_vec(line).map_err(|error| error.to_string())?;
    line.push(b'\n');
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(&line).map_err(|error| error.to_string())
}

impl RunLog for RunFolder {
    fn begin(&self, header: &RunHeader) -> Result<(), String> {
        let json = serde_json::to_vec_pretty(header).map_err(|error| error.to_string())?;
        write_private(&self.dir.join("run.json"), &json).map_err(|error| error.to_string())
    }

    fn step(&self, step: &RunStep) -> Result<(), String> {
        add(&self.steps, step)
    }

    fn replay(&self, step: &ReplayStep) -> Result<(), String> {
        add(&self.replay, step)
    }

    fn picture(&self, sha256: &Sha256Digest, png: &[u8]) -> Result<(), String> {
        let path = self.dir.join("pictures").join(format!("{sha256}.png"));
        if path.exists() {
            return Ok(());
        }
        write_private(&path, png).map_err(|error| error.to_string())
    }

    fn report(&self, name: &str, json: &[u8]) -> Result<PathBuf, String> {
        let path = self.dir.join(format!("{name}.json"));
        if matches!(name, "run") {
            return Err("`run` is the name of another file of the run".to_owned());
        }
        write_private(&path, json).map_err(|error| error.to_string())?;
        Ok(path)
    }
}
