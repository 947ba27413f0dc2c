//! Runs written down.

use std::{path::PathBuf, sync::Mutex};

use eyes_evidence::digest::Sha256Digest;

use super::*;
use crate::ports::RunLog;

/// A log in memory; `Debug` shows all of it.
#[derive(Debug, Default)]
pub(crate) struct MemoryLog {
    pub(crate) lines: Mutex<Vec<String>>,
    pub(crate) replay: Mutex<Vec<ReplayStep>>,
}

impl MemoryLog {
    fn add(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
}

impl RunLog for MemoryLog {
    fn begin(&self, header: &RunHeader) -> Result<(), String> {
        self.add(serde_json::to_string(header).unwrap());
        Ok(())
    }

    fn step(&self, step: &RunStep) -> Result<(), String> {
        self.add(serde_json::to_string(step).unwrap());
        Ok(())
    }

    fn replay(&self, step: &ReplayStep) -> Result<(), String> {
        self.replay.lock().unwrap().push(step.clone());
        Ok(())
    }

    fn picture(&self, sha256: &Sha256Digest, _: &[u8]) -> Result<(), String> {
        self.add(sha256.to_string());
        Ok(())
    }

    fn report(&self, name: &str, json: &[u8]) -> Result<PathBuf, String> {
        self.add(String::from_utf8(json.to_vec()).unwrap());
        Ok(PathBuf::from(name))
    }
}
