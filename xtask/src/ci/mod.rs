//! `cargo xtask ci`: everything that must pass before a change lands, in the order that fails fastest.

use std::time::{Duration, Instant};

use crate::{Outcome, Workspace, Write, cross, docs, process, schema, tidy};

mod live;
mod tests_step;

/// How much of it to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What a change needs while it is being written: format, tidy, lints, tests.
    Fast,
    /// Everything.
    Full,
}

/// What one step has to say at the end.
#[derive(Debug, Default)]
pub(crate) struct Remarks(Vec<String>);

/// One step: its name, whether `--fast` runs it, and what it does.
struct Step {
    name: &'static str,
    extent: Extent,
    run: fn(&Workspace) -> Outcome<Remarks>,
}

const STEPS: &[Step] = &[
    Step {
        name: "lockfile",
        extent: Extent::Fast,
        run: lockfile,
    },
    Step {
        name: "format",
        extent: Extent::Fast,
        run: format,
    },
    Step {
        name: "tidy",
        extent: Extent::Fast,
        run: |workspace| quiet(tidy::run(workspace)),
    },
    Step {
        name: "lints",
        extent: Extent::Fast,
        run: lints,
    },
    Step {
        name: "tests",
        extent: Extent::Fast,
        run: tests_step::run,
    },
    Step {
        name: "doc tests",
        extent: Extent::Full,
        run: doc_tests,
    },
    Step {
        name: "rustdoc",
        extent: Extent::Full,
        run: rustdoc,
    },
    Step {
        name: "schemas",
        extent: Extent::Full,
        run: |workspace| quiet(schema::run(workspace, Write::No)),
    },
    Step {
        name: "documents",
        extent: Extent::Full,
        run: |workspace| quiet(docs::run(workspace, Write::No)),
    },
    Step {
        name: "dependencies",
        extent: Extent::Full,
        run: dependencies,
    },
    Step {
        name: "cross",
        extent: Extent::Full,
        run: |workspace| quiet(cross::run(workspace, &[])),
    },
    Step {
        name: "node",
        extent: Extent::Full,
        run: node,
    },
];

/// Runs the steps, stops at the first that fails, and closes with what the test runner said.
pub(crate) fn run(workspace: &Workspace, extent: Extent) -> Outcome {
    let mut table = Vec::new();
    let mut remarks = Vec::new();
    for step in STEPS
        .iter()
        .filter(|step| extent == Extent::Full || step.extent == Extent::Fast)
    {
        eprintln!("==> {}", step.name);
        let start = Instant::now();
        let result = (step.run)(workspace);
        let taken = start.elapsed();
        match result {
            Ok(said) => remarks.extend(said.0),
            Err(failure) => {
                print_table(&table);
                eprintln!("{:>8.1} s  {}: FAILED", taken.as_secs_f64(), step.name);
                return Err(failure);
            }
        }
        table.push((step.name, taken));
    }
    print_table(&table);
    for remark in remarks {
        eprintln!("{remark}");
    }
    Ok(())
}

fn print_table(table: &[(&str, Duration)]) {
    eprintln!("==> steps");
    for (name, taken) in table {
        eprintln!("{:>8.1} s  {name}", taken.as_secs_f64());
    }
    let total: Duration = table.iter().map(|(_, taken)| *taken).sum();
    eprintln!("{:>8.1} s  in all", total.as_secs_f64());
}

fn quiet(outcome: Outcome) -> Outcome<Remarks> {
    outcome.map(|()| Remarks::default())
}

/// Fails when Cargo.lock does not fit the manifests, and fetches once for everything after it.
fn lockfile(workspace: &Workspace) -> Outcome<Remarks> {
    quiet(workspace.cargo(&["fetch", "--locked"]).run())
}

fn format(workspace: &Workspace) -> Outcome<Remarks> {
    quiet(workspace.cargo(&["xfmt", "--check"]).run())
}

/// Every crate with everything, and the one whose features leave something out without them.
fn lints(workspace: &Workspace) -> Outcome<Remarks> {
    let selections: [&[&str]; 2] = [
        &["--workspace", "--all-features"],
        &["--package", "eyes-runtime", "--no-default-features"],
    ];
    for selection in selections {
        let command = workspace.cargo(&["clippy", "--all-targets"]);
        command
            .args(selection)
            .args(&["--", "-D", "warnings"])
            .run()?;
    }
    Ok(Remarks::default())
}

fn doc_tests(workspace: &Workspace) -> Outcome<Remarks> {
    quiet(
        workspace
            .cargo(&["test", "--workspace", "--all-features", "--doc", "--quiet"])
            .run(),
    )
}

fn rustdoc(workspace: &Workspace) -> Outcome<Remarks> {
    let command = ["doc", "--workspace", "--no-deps", "--all-features"];
    quiet(
        workspace
            .cargo(&command)
            .env("RUSTDOCFLAGS", "-D warnings")
            .run(),
    )
}

/// Licences, bans and sources; advisories need a database from the network and are not asked here.
fn dependencies(workspace: &Workspace) -> Outcome<Remarks> {
    if process::is_installed("cargo-deny", &workspace.tools()) {
        // Rooms that are not built yet are named as the only users of their crates: no fault.
        let quiet_lints = ["--allow", "unused-wrapper", "--allow", "unmatched-skip"];
        let command = ["--locked", "--all-features", "check"];
        let program = workspace
            .program("cargo-deny")
            .args(&command)
            .args(&quiet_lints);
        return quiet(program.args(&["bans", "licenses", "sources"]).run());
    }
    let words = "cargo-deny is not installed; `.ci/run` brings it into target/tools";
    // The verdict is the same on every system; the pinned program exists for one.
    if process::is_unattended() && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(crate::Failure::new(words));
    }
    Ok(Remarks(vec![format!(
        "NOT CHECKED: bans, licences and sources: {words}"
    )]))
}

fn node(workspace: &Workspace) -> Outcome<Remarks> {
    if !workspace.has("crates/eyes-node/test") {
        return Ok(Remarks::default());
    }
    workspace
        .cargo(&["build", "--package", "eyes-node"])
        .run()?;
    quiet(
        workspace
            .program("node")
            .args(&["--test", "crates/eyes-node/test/*.test.mjs"])
            .run(),
    )
}
