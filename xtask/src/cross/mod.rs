//! `cargo xtask cross`: every crate type-checks for the systems this machine is not.
//!
//! Plain `cargo check --target` needs the target's standard library. Where the toolchain has none, its metadata is
//! built once from the sources of exactly this compiler's version, below the build directory: nothing else
//! on the machine changes.

use std::time::Instant;

use crate::{Failure, Outcome, Workspace, process};

mod apt;
mod c_compiler;
mod compiler;
mod library;

use c_compiler::CCompiler;
use compiler::Compiler;
use library::Library;

/// The targets checked when none is named.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Checks every crate below `crates/` for each target.
pub(crate) fn run(workspace: &Workspace, targets: &[&str]) -> Outcome {
    let targets = if targets.is_empty() {
        &TARGETS[..]
    } else {
        targets
    };
    let compiler = Compiler::ask(workspace)?;
    let packages = workspace.crates()?;
    for target in targets {
        let start = Instant::now();
        let library = match library::find_or_build(workspace, &compiler, target) {
            Ok(library) => library,
            Err(reason) => {
                skip(target, &reason)?;
                continue;
            }
        };
        let prepared = start.elapsed();
        let mut check = workspace.cargo(&["check", "--target", target, "--all-features"]);
        for package in &packages {
            check = check.args(&["--package", &package.name]);
        }
        if let Library::Built(sysroot) = &library {
            check = check.env(
                "CARGO_ENCODED_RUSTFLAGS",
                format!("--sysroot\u{1f}{}", sysroot.display()),
            );
        }
        match CCompiler::find(workspace, target)? {
            Some(compiler) => check = compiler.announce(check),
            None => eprintln!("cross: no zig in target/tools; `.ci/run tools` brings it"),
        }
        check.run()?;
        println!(
            "cross: {} crates check for {target} (standard library {:.1} s, crates {:.1} s)",
            packages.len(),
            prepared.as_secs_f64(),
            start.elapsed().saturating_sub(prepared).as_secs_f64(),
        );
    }
    Ok(())
}

/// Says loudly that a target was not checked; unattended, only sources that nobody offers are an excuse.
fn skip(target: &str, reason: &library::Missing) -> Outcome {
    if process::is_unattended() && reason.is_fault() {
        return Err(Failure::new(format!("cannot check for {target}: {reason}")));
    }
    eprintln!("NOT CHECKED: {target}: {reason}");
    Ok(())
}
