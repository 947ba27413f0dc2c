//! `cargo xtask schema`: the committed schemas that are derived from Rust types.

use crate::{Outcome, Workspace, Write};

/// The program that prints the schemas; it knows the types, this crate does not.
const GENERATOR: &str = "tests/src/bin/gen_schemas.rs";

/// Compares the committed schemas with the types, or rewrites them.
pub(crate) fn run(workspace: &Workspace, write: Write) -> Outcome {
    if !workspace.has(GENERATOR) {
        println!("schema: no schema is generated from Rust types yet ({GENERATOR} does not exist)");
        return Ok(());
    }
    let mode = match write {
        Write::No => "--check",
        Write::Yes => "--write",
    };
    let command = [
        "run",
        "--quiet",
        "-p",
        "eyes-tests",
        "--bin",
        "gen_schemas",
        "--",
        mode,
    ];
    workspace.cargo(&command).run()
}
