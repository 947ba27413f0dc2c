//! Live groups: tests that drive real programs, chosen at run time and proven to have run.
//!
//! `EYES_LIVE` lists the groups to run, separated by commas. A live test that ran leaves an empty file named
//! after its group in the folder that `EYES_LIVE_MARKS` names; a listed group that left none fails the run.

use std::{env, fs, path::PathBuf};

use crate::{Failure, Outcome, Workspace, process::Program};

/// Groups that have tests; a room adds its own together with its first live test.
pub(super) const GROUPS: &[&str] = &["browser", "mcp", "providers", "tokens"];

/// The groups of one run and where they leave their marks.
#[derive(Debug)]
pub(super) struct Live {
    groups: Vec<String>,
    marks: PathBuf,
}

impl Live {
    /// Takes the groups that the environment lists, or all of them, and clears old marks.
    pub(super) fn prepare(workspace: &Workspace) -> Outcome<Self> {
        let marks = workspace.target().join("live-groups");
        if marks.exists() {
            fs::remove_dir_all(&marks)
                .map_err(|error| Failure::new(format!("cannot clear old marks: {error}")))?;
        }
        fs::create_dir_all(&marks)
            .map_err(|error| Failure::new(format!("cannot keep marks: {error}")))?;
        let listed = env::var("EYES_LIVE").unwrap_or_else(|_| GROUPS.join(","));
        Ok(Self {
            groups: split(&listed),
            marks,
        })
    }

    /// Tells the test runner which groups to run and where to leave marks.
    pub(super) fn announce(&self, program: Program) -> Program {
        program
            .env("EYES_LIVE", self.groups.join(","))
            .env("EYES_LIVE_MARKS", &self.marks)
    }

    /// States which groups ran, or fails when a listed one did not.
    pub(super) fn verify(&self) -> Outcome<String> {
        let (ran, silent): (Vec<&str>, Vec<&str>) = self
            .groups
            .iter()
            .map(String::as_str)
            .partition(|group| self.marks.join(group).is_file());
        if !silent.is_empty() {
            return Err(Failure::new(format!(
                "live groups that ran no test: {}",
                silent.join(", ")
            )));
        }
        let ran = if ran.is_empty() {
            "none exist yet".to_owned()
        } else {
            format!("{} ran", ran.join(", "))
        };
        Ok(format!("live groups: {ran}"))
    }
}

fn split(listed: &str) -> Vec<String> {
    listed
        .split(',')
        .map(str::trim)
        .filter(|group| !group.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_group_that_left_no_mark_fails() {
        let marks = env::temp_dir().join(format!("xtask-live-{}", std::process::id()));
        fs::create_dir_all(&marks).unwrap();
        fs::write(marks.join("browser"), "").unwrap();
        let live = |listed: &str| Live {
            groups: split(listed),
            marks: marks.clone(),
        };
        assert_eq!(
            live("browser").verify().unwrap(),
            "live groups: browser ran"
        );
        let failure = live(" browser, mcp ").verify().unwrap_err();
        assert_eq!(failure.to_string(), "live groups that ran no test: mcp");
        assert_eq!(live("").verify().unwrap(), "live groups: none exist yet");
        fs::remove_dir_all(&marks).unwrap();
    }
}
