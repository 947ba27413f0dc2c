//! `cargo xtask schema`: the committed schemas that are derived from Rust types.

use crate::{Outcome, Workspace, Write};

/// In the name of every test that compares a committed schema with its types, and can rewrite it.
const TESTS: &str = "published_schema";

/// Compares the committed schemas with the types, or rewrites them.
pub(crate) fn run(workspace: &Workspace, write: Write) -> Outcome {
    // The features of all other tests, so that nothing is built twice.
    let command = [
        "test",
        "--workspace",
        "--all-features",
        "--lib",
        "--quiet",
        TESTS,
    ];
    let tests = workspace.cargo(&command);
    match write {
        Write::No => tests.run(),
        Write::Yes => tests.env("UPDATE_SCHEMAS", "1").run(),
    }
}
