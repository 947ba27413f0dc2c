//! The page of error codes.

use std::fmt::Write as _;

use crate::tidy::registry::Entry;

/// Where the page lies.
pub(super) const PAGE: &str = "docs/error-codes.md";

const HEAD: &str = "\
# Error codes

Generated from `schemas/error-codes.json` by `cargo xtask docs --write`; do not edit.

A code is public interface: it names the branch that a caller takes, and it never changes its meaning.
`eyes explain CODE` prints the same.

The category decides the exit code of `eyes` and whether another try helps.
";

/// Renders one section per crate, one row per code.
pub(super) fn render(entries: &[Entry]) -> String {
    let mut owners: Vec<&str> = entries.iter().map(|entry| entry.owner.as_str()).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut page = HEAD.to_owned();
    for owner in owners {
        let _ = write!(
            page,
            "\n## {owner}\n\n| code | category | retry | since | condition | what to do |\n| --- | --- | --- | --- | --- | --- |\n"
        );
        for entry in entries.iter().filter(|entry| entry.owner == owner) {
            let since = match &entry.retired {
                Some(retired) => format!("{}, retired {retired}", entry.since),
                None => entry.since.clone(),
            };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {since} | {} | {} |",
                entry.code,
                entry.category,
                entry.retry,
                cell(&entry.summary),
                cell(&entry.hint),
            );
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_by_crate_and_escapes_cells() {
        let entry = |code: &str, owner: &str, retired: Option<&str>| Entry {
            code: code.to_owned(),
            owner: owner.to_owned(),
            category: "invalid".to_owned(),
            retry: "never".to_owned(),
            since: "0.1.0".to_owned(),
            summary: "a | b".to_owned(),
            hint: "do".to_owned(),
            retired: retired.map(str::to_owned),
        };
        let page = render(&[
            entry("A_LIMIT", "two", None),
            entry("B_LIMIT", "one", Some("0.2.0")),
        ]);
        let tail = page.strip_prefix(HEAD).unwrap();
        let rows: Vec<&str> = tail.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(rows[0], "## one");
        assert_eq!(
            rows[3],
            "| `B_LIMIT` | invalid | never | 0.1.0, retired 0.2.0 | a \\| b | do |"
        );
        assert_eq!(rows[4], "## two");
    }
}
