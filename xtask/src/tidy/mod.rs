//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! Each check is a function of the tree's text (or of what cargo says of it) to findings, so that its
//! tests show it failing on a bad sample.

use crate::{Failure, Outcome, Workspace, tree::Tree};

mod clippy_files;
mod copies;
mod exceptions;
mod graph;
mod layers;
mod lines;
mod modules;
mod names;
pub(crate) mod registry;
mod traces;

/// One broken rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Where: a path, with `:line` where there is one.
    pub(crate) place: String,
    /// What is wrong and what to do.
    pub(crate) message: String,
}

impl Finding {
    /// States a broken rule.
    pub(crate) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            message: message.into(),
        }
    }
}

/// Runs every check and fails when one found something.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let tree = Tree::load(workspace.root())?;
    let metadata = workspace.metadata()?;
    let mut checks = vec![
        ("layers", layers::check(&metadata)),
        ("deny file", layers::deny_file::check(&tree)),
        ("graph", graph::check(workspace)?),
        ("lines", lines::check(&tree)),
        ("names", names::check(&tree)),
        ("modules", modules::check(&tree)),
        ("traces", traces::check(&tree)),
        ("copies", copies::check(&tree)),
        ("clippy files", clippy_files::check(&tree)),
        ("registry", registry::check(&tree, &metadata)),
    ];
    for note in lines::notes(&tree) {
        println!("note: {}: {}", note.place, note.message);
    }
    let mut total = 0;
    for (name, findings) in &mut checks {
        findings.sort();
        total += findings.len();
        for finding in findings {
            eprintln!("error[{name}]: {}: {}", finding.place, finding.message);
        }
    }
    if total > 0 {
        return Err(Failure::new(format!("tidy found {total} broken rules")));
    }
    println!(
        "tidy: {} checks passed over {} files",
        checks.len(),
        tree.paths().count()
    );
    Ok(())
}
