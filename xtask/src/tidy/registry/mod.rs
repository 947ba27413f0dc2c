//! The registry of error codes: `schemas/error-codes.json` beside the crates' own declarations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Finding;
use crate::{
    Outcome, Workspace, Write,
    tree::{Tree, extension, is_test_file},
    workspace::packages,
};

mod declared;
mod derive;
mod entry;

use declared::Declared;
pub(crate) use entry::{Entry, PATH, read};

/// Spellings that are older than the naming rule, one a line.
const ESTABLISHED: &str = "xtask/established-codes.txt";

/// What a new code ends with: the condition that holds.
const CONDITIONS: [&str; 12] = [
    "MISSING",
    "INVALID",
    "STALE",
    "MISMATCH",
    "UNSUPPORTED",
    "UNAVAILABLE",
    "DISABLED",
    "BLOCKED",
    "LIMIT",
    "TIMEOUT",
    "FAILED",
    "CLOSED",
];

/// `cargo xtask registry`: reports on the registry, or derives it from the declarations.
pub(crate) fn run(workspace: &Workspace, write: Write) -> Outcome {
    let tree = Tree::load(workspace.root())?;
    let metadata = workspace.metadata()?;
    if write == Write::Yes {
        let declared = declared::all(&tree).map_err(|bad| crate::Failure::new(bad.message))?;
        let text = derive::derive(tree.text(PATH), &declared, &versions(&metadata))?;
        workspace.write(PATH, &text)?;
        println!("registry: wrote {} codes to {PATH}", declared.len());
        return Ok(());
    }
    let findings = check(&tree, &metadata);
    for finding in &findings {
        eprintln!("error[registry]: {}: {}", finding.place, finding.message);
    }
    if findings.is_empty() {
        println!("registry: {PATH} and the crates agree");
        return Ok(());
    }
    Err(crate::Failure::new(format!(
        "the registry has {} faults",
        findings.len()
    )))
}

/// Compares the registry, the declarations and the tests with each other.
pub(super) fn check(tree: &Tree, metadata: &Value) -> Vec<Finding> {
    let declared = match declared::all(tree) {
        Ok(declared) => declared,
        Err(finding) => return vec![finding],
    };
    if tree.crates().any(|name| name == "eyes-evidence") && !tree.has(PATH) {
        return vec![Finding::new(
            PATH,
            "missing; `cargo xtask registry --write` derives it",
        )];
    }
    let entries = match tree.text(PATH).map_or(Ok(Vec::new()), read) {
        Ok(entries) => entries,
        Err(failure) => return vec![Finding::new(PATH, failure.to_string())],
    };
    let mut findings = check_entries(&entries, &versions(metadata));
    findings.extend(compare(&entries, &declared));
    let established: BTreeSet<&str> = tree.text(ESTABLISHED).unwrap_or_default().lines().collect();
    findings.extend(
        declared
            .iter()
            .filter_map(|code| check_name(code, &established)),
    );
    findings.extend(untested(tree, &declared));
    findings
}

fn versions(metadata: &Value) -> BTreeMap<String, String> {
    packages(metadata)
        .into_iter()
        .map(|package| (package.name, package.version))
        .collect()
}

/// The file's own order and fields.
fn check_entries(entries: &[Entry], versions: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pair in entries.windows(2) {
        if pair[0].code >= pair[1].code {
            findings.push(Finding::new(
                PATH,
                format!("`{}` is out of order or twice there", pair[1].code),
            ));
        }
    }
    for entry in entries {
        let fault = if !versions.contains_key(&entry.owner) {
            format!("crate `{}` does not exist", entry.owner)
        } else if entry.summary.is_empty() || entry.hint.is_empty() {
            "summary and hint say something".to_owned()
        } else if !is_version(&entry.since)
            || entry.retired.as_deref().is_some_and(|v| !is_version(v))
        {
            "since and retired are versions such as 0.1.0".to_owned()
        } else {
            continue;
        };
        findings.push(Finding::new(PATH, format!("`{}`: {fault}", entry.code)));
    }
    findings
}

fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok())
}

/// Holds each declaration against its entry, and each entry against the declarations.
fn compare(entries: &[Entry], declared: &[Declared]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for code in declared {
        let found = entries.iter().find(|entry| entry.code == code.name);
        let message = match found {
            None => "is not in the registry; `cargo xtask registry --write` adds it".to_owned(),
            Some(entry) if entry.retired.is_some() => {
                "is retired; a code is never used again".to_owned()
            }
            Some(entry) => match entry.differences(code) {
                differences if differences.is_empty() => continue,
                differences => format!(
                    "differs from the registry in {}; a code keeps its meaning (registry --write if this corrects words)",
                    differences.join(", ")
                ),
            },
        };
        findings.push(Finding::new(
            &code.place,
            format!("`{}` {message}", code.name),
        ));
    }
    for entry in entries.iter().filter(|entry| entry.retired.is_none()) {
        if !declared.iter().any(|code| code.name == entry.code) {
            let message = format!(
                "`{}` is declared by no crate; retire it with registry --write",
                entry.code
            );
            findings.push(Finding::new(PATH, message));
        }
    }
    findings
}

fn check_name(code: &Declared, established: &BTreeSet<&str>) -> Option<Finding> {
    let last = code.name.rsplit('_').next().unwrap_or_default();
    let fits = CONDITIONS.contains(&last) || established.contains(code.name.as_str());
    (!fits).then(|| {
        let message = format!("`{}` ends with none of {}", code.name, CONDITIONS.join(" "));
        Finding::new(&code.place, message)
    })
}

/// Every code is named by a test or a test vector: a branch that nothing reaches is no interface.
fn untested(tree: &Tree, declared: &[Declared]) -> Vec<Finding> {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (path, text) in tree.texts() {
        let tested = if is_test_file(path) || path.starts_with("schemas/vectors/") {
            text
        } else if extension(path) == "rs" && !path.ends_with("/codes.rs") {
            text.split_once("#[cfg(test)]")
                .map_or("", |(_, tests)| tests)
        } else {
            ""
        };
        named.extend(tested.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    }
    declared
        .iter()
        .filter(|code| !named.contains(code.name.as_str()))
        .map(|code| Finding::new(&code.place, format!("no test names `{}`", code.name)))
        .collect()
}

#[cfg(test)]
mod tests;
