//! Text that has no place in a published tree: silenced lints, unfinished work, one machine's paths.

use super::Finding;
use crate::tree::{Tree, extension};

/// This folder quotes what it looks for.
const OWN_FOLDER: &str = "xtask/src/tidy/";

/// Marks of unfinished work; what is left to do belongs to the issue tracker.
const UNFINISHED: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

/// Text that points at a place or an author no reader has.
const PRIVATE: [&str; 6] = [
    "/work/",
    "/root/",
    "shared/spec",
    "shared/design",
    "Co-Authored-By",
    "Generated with [",
];

/// Finds traces in every text file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree
        .texts()
        .filter(|(path, _)| !path.starts_with(OWN_FOLDER))
    {
        for (at, line) in text.lines().enumerate() {
            if let Some(message) = fault(path, line) {
                findings.push(Finding::new(format!("{path}:{}", at + 1), message));
            }
        }
    }
    findings
}

fn fault(path: &str, line: &str) -> Option<String> {
    if extension(path) == "rs" && silences_a_lint(line) {
        return Some(
            "`allow` hides a lint for good; use `#[expect(…, reason = \"…\")]`".to_owned(),
        );
    }
    if let Some(mark) = unfinished_mark(path, line) {
        return Some(format!(
            "`{mark}` marks unfinished work; finish it or file an issue"
        ));
    }
    let private = PRIVATE.iter().find(|text| line.contains(**text))?;
    let is_test_data = private.starts_with('/') && crate::tree::is_test_file(path);
    (!is_test_data).then(|| format!("`{private}` means nothing to a reader of this tree"))
}

fn silences_a_lint(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[allow(")
        || line.starts_with("#![allow(")
        || (line.contains("cfg_attr(") && line.contains(" allow("))
}

/// Looks in comments only: the words are data elsewhere, for example in a recorded page.
fn unfinished_mark(path: &str, line: &str) -> Option<&'static str> {
    let opener = match extension(path) {
        "rs" | "js" | "mjs" | "ts" => "//",
        "toml" | "sh" | "yml" | "yaml" => "#",
        _ => return None,
    };
    let comment = line.split_once(opener)?.1;
    let mut words = comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find_map(|word| UNFINISHED.into_iter().find(|mark| *mark == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn refuses_silenced_lints() {
        for line in [
            "#[allow(dead_code)]",
            "    #![allow(clippy::all)]",
            "#[cfg_attr(windows, allow(unused))]",
        ] {
            assert_eq!(found("crates/a/src/lib.rs", line), 1, "{line}");
        }
        for line in [
            "#[expect(dead_code, reason = \"x\")]",
            "// no #[allow(x)] here",
            "allow(1);",
        ] {
            assert_eq!(found("crates/a/src/lib.rs", line), 0, "{line}");
        }
    }

    #[test]
    fn refuses_unfinished_work_in_comments_only() {
        assert_eq!(found("crates/a/src/lib.rs", "let a = 1; // TODO: more"), 1);
        assert_eq!(found("a.toml", "# FIXME"), 1);
        assert_eq!(found("crates/a/src/lib.rs", "assert(\"TODO list\");"), 0);
        assert_eq!(found("crates/a/src/lib.rs", "// a TODOS table"), 0);
    }

    #[test]
    fn refuses_paths_of_one_machine() {
        assert_eq!(found("README.md", "see /work/main"), 1);
        assert_eq!(found("crates/a/src/lib.rs", "//! see shared/spec/x.md"), 1);
        assert_eq!(
            found("crates/a/src/x/tests.rs", "redact(\"/root/.ssh\")"),
            0
        );
    }
}
