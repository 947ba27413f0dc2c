//! deny.toml says the same of rooms as the table, over the whole graph: the two are kept in step.

use super::table::WRAPPED;
use crate::{tidy::Finding, tree::Tree};

const PATH: &str = "deny.toml";

/// Settings without which the file would let things through.
const KEPT: [&str; 4] = [
    "multiple-versions = \"deny\"",
    "wildcards = \"deny\"",
    "unknown-registry = \"deny\"",
    "unknown-git = \"deny\"",
];

/// Compares each `{ crate = "…", wrappers = […] }` with the table's row.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(PATH) else {
        return vec![Finding::new(PATH, "missing; it says what may be linked")];
    };
    let mut findings: Vec<Finding> = KEPT
        .iter()
        .filter(|kept| !text.contains(**kept))
        .map(|kept| Finding::new(PATH, format!("lacks `{kept}`")))
        .collect();
    for (at, line) in text.lines().enumerate() {
        if let Some(message) = difference(line) {
            findings.push(Finding::new(format!("{PATH}:{}", at + 1), message));
        }
    }
    findings
}

fn difference(line: &str) -> Option<String> {
    let (_, after) = line.split_once("{ crate = \"")?;
    let (name, after) = after.split_once('"')?;
    let (_, list) = after.split_once("wrappers = [")?;
    let (list, _) = list.split_once(']')?;
    let rooms: Vec<&str> = list
        .split(',')
        .map(|word| word.trim().trim_matches('"'))
        .filter(|word| word.starts_with("eyes-"))
        .collect();
    let row = WRAPPED.iter().find(|wrapped| wrapped.covers(name));
    match row {
        None => Some(format!("`{name}` has no row in the layer table")),
        Some(row) if row.rooms != rooms => Some(format!(
            "`{name}` may be used by {}; the layer table says {}",
            rooms.join(", "),
            row.rooms.join(", ")
        )),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> usize {
        let text = format!("{}\n{line}\n", KEPT.join("\n"));
        check(&Tree::of(&[(PATH, &text)])).len()
    }

    #[test]
    fn rooms_equal_those_of_the_table() {
        assert_eq!(
            found("{ crate = \"napi\", wrappers = [\"eyes-node\"] },"),
            0
        );
        assert_eq!(
            found("{ crate = \"clap\", wrappers = [\"eyes-cli\", \"clap_complete\"] },"),
            0
        );
        assert_eq!(found("{ crate = \"openssl-sys\", reason = \"x\" },"), 0);
        assert_eq!(
            found("{ crate = \"napi\", wrappers = [\"eyes-node\", \"eyes-cli\"] },"),
            1
        );
        assert_eq!(
            found("{ crate = \"serde\", wrappers = [\"eyes-node\"] },"),
            1
        );
    }

    #[test]
    fn the_file_exists_and_denies() {
        assert_eq!(check(&Tree::of(&[])).len(), 1);
        assert_eq!(check(&Tree::of(&[(PATH, "")])).len(), KEPT.len());
    }
}
