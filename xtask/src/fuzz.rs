//! `cargo xtask fuzz`: the fuzz targets of all crates, each for a bounded time.

use std::fs;

use crate::{Failure, Outcome, Workspace, process::is_installed};

/// How long each target runs unless told otherwise, in seconds.
const DEFAULT_SECONDS: &str = "60";

/// A fuzz target and the crate it belongs to.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    owner: String,
    name: String,
}

/// Runs the targets named (all when none is), and fails at the first finding.
pub(crate) fn run(workspace: &Workspace, arguments: &[&str]) -> Outcome {
    let (seconds, names) = match arguments {
        ["--seconds", seconds, names @ ..] => (*seconds, names),
        names => (DEFAULT_SECONDS, names),
    };
    if seconds.parse::<u32>().is_err() {
        return Err(Failure::new(format!("`{seconds}` is no number of seconds")));
    }
    let targets = targets(workspace)?;
    if let Some(unknown) = names
        .iter()
        .find(|name| !targets.iter().any(|target| target.name == **name))
    {
        let known: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        return Err(Failure::new(format!(
            "no fuzz target `{unknown}`; there are: {}",
            known.join(", ")
        )));
    }
    if targets.is_empty() {
        println!("fuzz: no crate has fuzz targets yet (crates/*/fuzz/fuzz_targets)");
        return Ok(());
    }
    if !is_installed("cargo-fuzz", &workspace.tools()) {
        return Err(Failure::new(
            "cargo-fuzz is not installed; `.ci/run tools` brings it into target/tools",
        ));
    }
    for target in targets
        .iter()
        .filter(|target| names.is_empty() || names.contains(&target.name.as_str()))
    {
        target.run(workspace, seconds)?;
    }
    Ok(())
}

/// Finds `crates/*/fuzz/fuzz_targets/*.rs`.
fn targets(workspace: &Workspace) -> Outcome<Vec<Target>> {
    let mut found = Vec::new();
    for package in workspace.crates()? {
        let folder = workspace
            .root()
            .join(format!("crates/{}/fuzz/fuzz_targets", package.name));
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) = file.strip_suffix(".rs") {
                found.push(Target {
                    owner: package.name.clone(),
                    name: name.to_owned(),
                });
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Target {
    /// Instrumentation flags are unstable; `RUSTC_BOOTSTRAP` lets the pinned stable compiler take them.
    ///
    /// New inputs go to the first corpus, below the build directory: the committed one stays small.
    fn run(&self, workspace: &Workspace, seconds: &str) -> Outcome {
        println!("fuzz: {} for {seconds} s", self.name);
        let scratch = workspace.target().join("fuzz-corpus").join(&self.name);
        fs::create_dir_all(&scratch)
            .map_err(|error| Failure::new(format!("cannot keep a corpus: {error}")))?;
        let folder = format!("crates/{}/fuzz", self.owner);
        let committed = format!("{folder}/corpus/{}", self.name);
        let scratch = scratch.display().to_string();
        let mut program = workspace
            .cargo(&["fuzz", "run", "--fuzz-dir", &folder, &self.name, &scratch])
            .env("RUSTC_BOOTSTRAP", "1");
        if workspace.has(&committed) {
            let committed = workspace.root().join(&committed).display().to_string();
            program = program.args(&[&committed]);
        }
        let limit = format!("-max_total_time={seconds}");
        program.args(&["--", &limit]).run()
    }
}
