//! `cargo xtask docs`: documents that are derived, and would drift if they were written by hand.

use std::path::{Path, PathBuf};

use crate::{
    Failure, Outcome, Workspace, Write,
    tidy::registry::{PATH, read},
};

mod error_codes;

/// The command line's reference, and the crate that has it.
const CLI_PAGE: &str = "docs/cli.md";
/// What is kept on the disk.
const RETENTION_PAGE: &str = "docs/data-retention.md";
const CLI_CRATE: &str = "crates/eyes-cli/Cargo.toml";

/// Compares the documents with their sources, or rewrites them.
pub(crate) fn run(workspace: &Workspace, write: Write) -> Outcome {
    let mut stale = Vec::new();
    for (path, text) in render(workspace)? {
        let same = workspace.has(path) && workspace.read(path)? == text;
        match write {
            Write::Yes if !same => {
                workspace.write(path, &text)?;
                println!("docs: wrote {path}");
            }
            Write::No if !same => stale.push(path),
            _ => println!("docs: {path} is up to date"),
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} drifted; run `cargo xtask docs --write`",
        stale.join(", ")
    )))
}

fn render(workspace: &Workspace) -> Outcome<Vec<(&'static str, String)>> {
    let mut pages = Vec::new();
    if workspace.has(PATH) {
        let entries = read(&workspace.read(PATH)?)?;
        pages.push((error_codes::PAGE, error_codes::render(&entries)));
    }
    if workspace.has(CLI_CRATE) {
        let program = built_program(workspace)?;
        for (page, command) in [
            (CLI_PAGE, "help-markdown"),
            (RETENTION_PAGE, "retention-markdown"),
        ] {
            pages.push((page, printed(workspace, &program, command)?));
        }
    }
    Ok(pages)
}

/// Builds the program that the tests run, so that nothing is built twice, and returns its path.
fn built_program(workspace: &Workspace) -> Outcome<PathBuf> {
    let build = [
        "build",
        "--quiet",
        "--workspace",
        "--all-features",
        "--tests",
    ];
    workspace.cargo(&build).run()?;
    let program = format!("debug/eyes{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target().join(program))
}

fn printed(workspace: &Workspace, program: &Path, command: &str) -> Outcome<String> {
    workspace
        .program(&program.to_string_lossy())
        .args(&[command])
        // The width of a page must not depend on the terminal it is made in.
        .env("COLUMNS", "100")
        .capture()
}
