//! Files that no `mod` line reaches: they compile to nothing and test nothing.

use super::Finding;
use crate::tree::{Tree, extension, file_name, folder};

/// Finds forgotten Rust files, and includes that reach out of a package.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        if is_module(path)
            && !parents(path)
                .iter()
                .any(|parent| declares(tree, parent, module_name(path)))
        {
            findings.push(Finding::new(
                path,
                "no parent module declares it; it is never compiled",
            ));
        }
        findings.extend(check_tests_target(path));
        findings.extend(check_includes(path, text));
    }
    findings
}

/// Returns whether the file is a module: below `src/` or `tests/it/`, and no crate root of its own.
fn is_module(path: &str) -> bool {
    let name = file_name(path);
    let within = path.contains("/src/") || path.starts_with("tests/it/");
    let is_root = (matches!(name, "main.rs" | "lib.rs"))
        || path.contains("/src/bin/")
        || path.contains("/fuzz/")
        || name == "build.rs";
    within && !is_root
}

fn module_name(path: &str) -> &str {
    match file_name(path) {
        "mod.rs" => file_name(folder(path)),
        name => name.trim_end_matches(".rs"),
    }
}

/// Returns the files in which the module may be declared.
fn parents(path: &str) -> Vec<String> {
    let home = if file_name(path) == "mod.rs" {
        folder(folder(path))
    } else {
        folder(path)
    };
    let mut parents: Vec<String> = ["mod.rs", "lib.rs", "main.rs"]
        .iter()
        .map(|name| format!("{home}/{name}"))
        .collect();
    parents.push(format!("{home}.rs"));
    parents
}

fn declares(tree: &Tree, parent: &str, module: &str) -> bool {
    let wanted = format!("mod {module};");
    tree.text(parent).is_some_and(|text| {
        text.lines().any(|line| {
            let line = line.trim_start();
            line.ends_with(&wanted) && !line.starts_with("//")
                || line.contains(&format!("{wanted} //"))
        })
    })
}

/// One binary of integration tests links the crates once; a second one doubles the link time.
fn check_tests_target(path: &str) -> Option<Finding> {
    let inner = path.strip_prefix("crates/")?.split_once("/tests/")?.1;
    (!inner.contains('/')
        && extension(path) == "rs"
        && inner != "main.rs"
        && !path.contains("/src/"))
    .then(|| {
        Finding::new(
            path,
            "a test binary of its own; put it into tests/it or into a module of tests/main.rs",
        )
    })
}

/// A file outside the package builds in the workspace and is missing from `cargo package`.
fn check_includes(path: &str, text: &str) -> Vec<Finding> {
    let Some(inner) = path
        .strip_prefix("crates/")
        .filter(|inner| inner.contains("/src/"))
    else {
        return Vec::new();
    };
    let depth = inner.matches('/').count() - 1;
    text.lines()
        .enumerate()
        .filter(|(_, line)| {
            let include = line.contains("include_str!") || line.contains("include_bytes!");
            include && line.matches("../").count() > depth && !crate::tree::is_test_file(path)
        })
        .map(|(at, _)| {
            Finding::new(
                format!("{path}:{}", at + 1),
                "includes a file outside the package, which `cargo package` leaves behind",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests;
