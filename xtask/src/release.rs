//! `cargo xtask release check`: what changed must be announced.

use crate::{Failure, Outcome, Workspace};

/// What the check needs to know of one crate.
#[derive(Debug)]
struct Crate<'a> {
    name: &'a str,
    version: &'a str,
    /// The version of its newest tag, if it was ever released.
    released: Option<&'a str>,
    /// Whether a file of it differs from that tag.
    changed: bool,
    changelog: &'a str,
}

/// Fails for each crate that changed since its last tag with neither a new version nor a changelog entry.
pub(crate) fn check(workspace: &Workspace) -> Outcome {
    let mut faults = Vec::new();
    for package in workspace.crates()? {
        let tag = newest_tag(workspace, &package.name)?;
        let changed = match &tag {
            Some(tag) => differs(workspace, tag, &package.name)?,
            None => true,
        };
        let prefix = tag_prefix(&package.name);
        let changelog = workspace.read(&format!("crates/{}/CHANGELOG.md", package.name))?;
        let facts = Crate {
            name: &package.name,
            version: &package.version,
            released: tag.as_deref().and_then(|tag| tag.strip_prefix(&prefix)),
            changed,
            changelog: &changelog,
        };
        faults.extend(facts.fault());
    }
    for fault in &faults {
        eprintln!("error[release]: {fault}");
    }
    if faults.is_empty() {
        println!("release: every changed crate has an entry");
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} crates are not ready for a release",
        faults.len()
    )))
}

fn tag_prefix(name: &str) -> String {
    format!("{name}-v")
}

fn newest_tag(workspace: &Workspace, name: &str) -> Outcome<Option<String>> {
    let pattern = format!("{}*", tag_prefix(name));
    let command = ["tag", "--list", &pattern, "--sort=-version:refname"];
    let tags = workspace.program("git").args(&command).capture()?;
    Ok(tags.lines().next().map(str::to_owned))
}

fn differs(workspace: &Workspace, tag: &str, name: &str) -> Outcome<bool> {
    let folder = format!("crates/{name}");
    let command = ["diff", "--name-only", tag, "--", &folder];
    Ok(!workspace
        .program("git")
        .args(&command)
        .capture()?
        .trim()
        .is_empty())
}

impl Crate<'_> {
    fn fault(&self) -> Option<String> {
        let heading = format!("## [{}]", self.version);
        let bumped = self
            .released
            .is_none_or(|released| released != self.version);
        if !self.changed || (bumped && has_entries(self.changelog, &heading)) {
            return None;
        }
        if has_entries(self.changelog, "## [Unreleased]") {
            return None;
        }
        let wanted = if bumped {
            format!("`{heading}` or ")
        } else {
            String::new()
        };
        Some(format!(
            "{} changed since {}: its CHANGELOG.md has no entry under {wanted}`## [Unreleased]`",
            self.name,
            self.released.unwrap_or("the beginning"),
        ))
    }
}

/// Returns whether the section holds a list entry.
fn has_entries(changelog: &str, heading: &str) -> bool {
    changelog
        .lines()
        .skip_while(|line| !line.starts_with(heading))
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .any(|line| line.trim_start().starts_with("- "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "# A\n\n## [Unreleased]\n\n## [0.1.0]\n\n- first\n";
    const NOTED: &str = "# A\n\n## [Unreleased]\n\n### Added\n\n- more\n\n## [0.1.0]\n\n- first\n";

    fn fault(version: &str, released: Option<&str>, changed: bool, changelog: &str) -> bool {
        Crate {
            name: "a",
            version,
            released,
            changed,
            changelog,
        }
        .fault()
        .is_some()
    }

    #[test]
    fn a_changed_crate_has_an_entry_or_a_new_version_with_one() {
        assert!(
            fault("0.1.0", Some("0.1.0"), true, EMPTY),
            "changed, silent"
        );
        assert!(fault("0.2.0", Some("0.1.0"), true, EMPTY), "bumped, silent");
        assert!(
            !fault("0.1.0", Some("0.1.0"), true, NOTED),
            "changed, noted"
        );
        assert!(!fault("0.1.0", Some("0.1.0"), false, EMPTY), "unchanged");
        assert!(
            !fault("0.1.0", None, true, EMPTY),
            "first release, described"
        );
        assert!(
            fault("0.2.0", None, true, EMPTY),
            "first release, not described"
        );
    }
}
