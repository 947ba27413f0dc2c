//! Crate-local `clippy.toml` files replace the root one: who may have one, and what none may lift.

use super::Finding;
use crate::tree::{Tree, file_name, folder};

/// Folders whose packages may read the environment, start programs or ask for the time, with the reason.
const OPENED: [(&str, &str); 9] = [
    ("crates/eyes-browser", "starts a browser and its driver"),
    ("crates/eyes-desktop", "starts applications"),
    ("crates/eyes-mcp", "starts stdio servers"),
    (
        "crates/eyes-runtime",
        "reads the environment and the home directory",
    ),
    ("crates/eyes-cli", "frontend"),
    ("crates/eyes-node", "frontend"),
    ("tests", "drives the built programs"),
    ("xtask", "drives cargo"),
    ("", "the root file"),
];

/// What every such file keeps.
const KEPT: [&str; 5] = [
    "too-many-lines-threshold = 60",
    "too-many-arguments-threshold = 5",
    "std::thread::sleep",
    "std::collections::HashMap",
    "std::collections::HashSet",
];

/// Finds files that stand where they must not, or that lift too much.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| is_clippy_file(path)) {
        if !OPENED.iter().any(|(opened, _)| *opened == folder(path)) {
            findings.push(Finding::new(
                path,
                "this crate takes time, environment and programs from its caller",
            ));
        }
        for kept in KEPT.iter().filter(|kept| !text.contains(**kept)) {
            findings.push(Finding::new(
                path,
                format!("lacks `{kept}`; the file replaces the root one"),
            ));
        }
    }
    findings
}

fn is_clippy_file(path: &str) -> bool {
    matches!(file_name(path), "clippy.toml" | ".clippy.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_opened_crates_have_one_and_it_keeps_the_rest() {
        let kept = KEPT.join("\n");
        let found = |path, text| check(&Tree::of(&[(path, text)])).len();
        assert_eq!(found("crates/eyes-cli/clippy.toml", kept.as_str()), 0);
        assert_eq!(found("clippy.toml", kept.as_str()), 0);
        assert_eq!(found("crates/eyes-evidence/clippy.toml", kept.as_str()), 1);
        assert_eq!(found("crates/eyes-evidence/.clippy.toml", kept.as_str()), 1);
        assert_eq!(found("crates/eyes-cli/clippy.toml", ""), KEPT.len());
    }
}
