//! The other implementation, run beside ours.

use std::{collections::BTreeMap, path::Path, process::Command};

use serde_json::Value;

use crate::measure::Times;

/// What the other implementation took for each piece of work.
#[derive(Debug)]
pub(crate) struct Peer {
    times: BTreeMap<String, Times>,
}

impl Peer {
    /// Runs `bench-peer.mjs` of the folder and reads its lines.
    pub(crate) fn run(node: &str, folder: &Path) -> Result<Self, String> {
        let output = Command::new(node)
            .args(["--expose-gc", "bench-peer.mjs"])
            .current_dir(folder)
            .output()
            .map_err(|error| format!("{node}: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let times = text.lines().filter_map(row).collect();
        Ok(Self { times })
    }

    /// Returns its times for a piece of work.
    pub(crate) fn times(&self, name: &str) -> Option<Times> {
        self.times.get(name).copied()
    }
}

fn row(line: &str) -> Option<(String, Times)> {
    let row: Value = serde_json::from_str(line).ok()?;
    let times = Times {
        least: row["wallMinMs"].as_f64()?,
        median: row["wallMedMs"].as_f64()?,
        processor: row["cpuMedMs"].as_f64()?,
    };
    Some((row["name"].as_str()?.to_owned(), times))
}
