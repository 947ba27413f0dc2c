//! Words that say nothing, in the names of files and types.

use super::Finding;
use crate::tree::{Tree, extension, file_name};

const EMPTY_WORDS: [&str; 8] = [
    "helper",
    "helpers",
    "util",
    "utils",
    "utilities",
    "misc",
    "common",
    "impl",
];

/// The one crate where `Manager` is the subject's own word: the manager of MCP servers.
const MANAGER_ROOM: &str = "crates/eyes-mcp/";

/// Finds empty names.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        findings.extend(check_path(path));
        for (at, line) in text.lines().enumerate() {
            let Some(name) = declared_type(line) else {
                continue;
            };
            if let Some(word) = camel_words(name)
                .iter()
                .find(|word| is_empty_word(word, path))
            {
                let place = format!("{path}:{}", at + 1);
                findings.push(Finding::new(
                    place,
                    format!("type `{name}`: `{word}` says nothing"),
                ));
            }
        }
    }
    findings.extend(check_changelogs(tree));
    findings
}

fn check_path(path: &str) -> Option<Finding> {
    let stem = file_name(path)
        .trim_end_matches(extension(path))
        .trim_end_matches('.');
    let word = path
        .split('/')
        .rev()
        .skip(1)
        .chain([stem])
        .flat_map(|part| part.split(['_', '-']))
        .find(|word| is_empty_word(word, path))?;
    Some(Finding::new(
        path,
        format!("file name: `{word}` says nothing"),
    ))
}

fn is_empty_word(word: &str, path: &str) -> bool {
    EMPTY_WORDS.contains(&word)
        || (matches!(word, "manager" | "managers") && !path.starts_with(MANAGER_ROOM))
}

/// Returns the name of the type that the line declares.
fn declared_type(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = match after.strip_prefix('(') {
            Some(inside) => inside.split_once(')')?.1,
            None => after,
        }
        .trim_start();
    }
    let (keyword, after) = rest.split_once(' ')?;
    if !["struct", "enum", "trait", "type", "union"].contains(&keyword) {
        return None;
    }
    let end = after
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(after.len());
    after
        .get(..end)
        .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
}

fn camel_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_ascii_uppercase() => word.push(letter),
            _ => words.push(letter.to_ascii_lowercase().to_string()),
        }
    }
    words
}

fn check_changelogs(tree: &Tree) -> Vec<Finding> {
    tree.crates()
        .filter_map(|name| {
            let path = format!("crates/{name}/CHANGELOG.md");
            let message = match tree.text(&path) {
                None => "missing; every crate has a changelog",
                Some(text) if !text.contains("\n## [") => {
                    "holds no `## [Unreleased]` or version section"
                }
                Some(_) => return None,
            };
            Some(Finding::new(path, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn refuses_empty_words_in_file_names() {
        for path in [
            "crates/a/src/utils.rs",
            "crates/a/src/png_helper.rs",
            "crates/a/src/common/mod.rs",
        ] {
            assert_eq!(count(path, ""), 1, "{path}");
        }
        assert_eq!(count("crates/a/src/manager.rs", ""), 1);
        assert_eq!(count("crates/eyes-mcp/src/manager/mod.rs", ""), 0);
        assert_eq!(count("crates/a/src/utility_rate.rs", ""), 0);
    }

    #[test]
    fn refuses_empty_words_in_type_names() {
        for line in [
            "pub struct ParseHelper;",
            "pub(crate) enum Misc {",
            "trait StoreImpl<T> {",
            "type Utils = u8;",
        ] {
            assert_eq!(count("crates/a/src/x.rs", line), 1, "{line}");
        }
        for line in [
            "struct Commonality;",
            "// struct Helper",
            "fn struct_helper() {}",
            "impl Display for X {",
        ] {
            assert_eq!(count("crates/a/src/x.rs", line), 0, "{line}");
        }
        assert_eq!(
            count("crates/eyes-mcp/src/x.rs", "pub struct ServerManager {"),
            0
        );
    }

    #[test]
    fn wants_a_changelog_for_each_crate() {
        let manifest = ("crates/a/Cargo.toml", "");
        assert_eq!(check(&Tree::of(&[manifest])).len(), 1);
        assert_eq!(
            check(&Tree::of(&[manifest, ("crates/a/CHANGELOG.md", "# A\n")])).len(),
            1
        );
        let kept = ("crates/a/CHANGELOG.md", "# A\n\n## [Unreleased]\n");
        assert!(check(&Tree::of(&[manifest, kept])).is_empty());
    }
}
