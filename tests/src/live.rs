//! Live groups: tests that drive programs this project did not write, chosen by the environment.
//!
//! `EYES_LIVE` lists the groups to run, separated by commas; `EYES_LIVE_MARKS` names the folder in which a
//! group that ran leaves its mark.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// A group that this run lists.
#[derive(Debug)]
pub struct Group(&'static str);

impl Group {
    /// Returns the group when this run lists it.
    pub fn listed(name: &'static str) -> Option<Self> {
        let listed = env::var("EYES_LIVE").unwrap_or_default();
        let is_listed = listed.split(',').any(|group| group.trim() == name);
        is_listed.then_some(Self(name))
    }

    /// Leaves the mark of a group that ran.
    ///
    /// # Panics
    ///
    /// Panics when the mark cannot be written.
    pub fn ran(self) {
        if let Some(marks) = env::var_os("EYES_LIVE_MARKS") {
            fs::write(PathBuf::from(marks).join(self.0), "").expect("the mark is written");
        }
    }
}

/// Returns a path below the folder into which `.ci/run live` installs what the groups drive.
pub fn installed(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/live")
        .join(path)
}

/// Returns a path below `tests/live`, where what the groups bring along is written down.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("live")
        .join(path)
}
