//! `cargo xtask bench`: the measuring programs of the package `eyes-tests`.

use crate::{Failure, Outcome, Workspace};

/// Runs `bench_NAME` in release mode with the arguments given.
pub(crate) fn run(workspace: &Workspace, name: &str, arguments: &[&str]) -> Outcome {
    let program = format!("bench_{name}");
    if !workspace.has(&format!("tests/src/bin/{program}.rs"))
        && !workspace.has(&format!("tests/src/bin/{program}/main.rs"))
    {
        return Err(Failure::new(format!(
            "there is no benchmark `{name}`; tests/src/bin/bench_*.rs are the benchmarks"
        )));
    }
    let command = [
        "run",
        "--release",
        "-p",
        "eyes-tests",
        "--bin",
        &program,
        "--",
    ];
    workspace.cargo(&command).args(arguments).run()
}
