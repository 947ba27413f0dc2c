//! How long files, inline test modules and folders may be; functions are clippy's.

use std::collections::BTreeMap;

use super::{Finding, exceptions};
use crate::tree::{Tree, folder, is_test_file};

/// Longest source file, in lines: the 95th percentile of well-kept large workspaces.
const MAX_SOURCE_LINES: usize = 500;
/// Longest file of tests, in lines.
const MAX_TEST_LINES: usize = 800;
/// Longest `mod tests { … }` inside a source file, in lines; a longer one gets a file of its own, so that
/// editing a test does not rebuild the library's dependents.
const MAX_INLINE_TEST_LINES: usize = 60;
/// Most Rust files in one folder before it is worth a thought.
const NOTED_FILES_IN_A_FOLDER: usize = 9;

/// Finds what is too long.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let list = tree.text(exceptions::PATH).unwrap_or_default();
    let (excepted, mut findings) = exceptions::parse(list);
    for exception in &excepted {
        let lines = tree.text(exception.path).map(|text| text.lines().count());
        findings.extend(exception.check(lines, rule(exception.path)));
    }
    for (path, text) in tree.rust() {
        let lines = text.lines().count();
        let max = rule(path);
        if lines > max && !excepted.iter().any(|exception| exception.path == path) {
            findings.push(Finding::new(
                path,
                format!("{lines} lines, more than {max}; split the file"),
            ));
        }
        findings.extend(check_inline_tests(path, text));
    }
    findings
}

/// Notes crowded folders; a note fails nothing.
pub(super) fn notes(tree: &Tree) -> Vec<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, _) in tree.rust().filter(|(path, _)| !path.starts_with("tests/")) {
        *counts.entry(folder(path)).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count > NOTED_FILES_IN_A_FOLDER)
        .map(|(path, count)| Finding::new(path, format!("{count} files in one folder")))
        .collect()
}

fn rule(path: &str) -> usize {
    if is_test_file(path) {
        MAX_TEST_LINES
    } else {
        MAX_SOURCE_LINES
    }
}

/// Measures `mod tests {` to the closing brace at its own indentation, which rustfmt guarantees.
fn check_inline_tests(path: &str, text: &str) -> Option<Finding> {
    if is_test_file(path) {
        return None;
    }
    let (start, first) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.trim_start().starts_with("mod tests {"))?;
    let indent = first.len() - first.trim_start().len();
    let closing = format!("{}}}", " ".repeat(indent));
    let length = text.lines().skip(start).position(|line| line == closing)? + 1;
    (length > MAX_INLINE_TEST_LINES).then(|| {
        let message = format!(
            "inline tests of {length} lines, more than {MAX_INLINE_TEST_LINES}; move them to tests.rs"
        );
        Finding::new(format!("{path}:{}", start + 1), message)
    })
}

#[cfg(test)]
mod tests;
