//! Files that exist twice because a package can only embed what lies inside it.

use super::Finding;
use crate::tree::{Tree, extension, file_name};

/// The folder whose files are the ones people edit.
const ORIGINALS: &str = "schemas/";

/// Copies that must exist once their crate's folder does: folder, then copy.
const REQUIRED: [(&str, &str); 1] = [(
    "crates/eyes-evidence/src/schema/",
    "crates/eyes-evidence/src/schema/visual-evidence.schema.json",
)];

/// Compares each JSON file inside a crate's source with the file of the same name in `schemas/`.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let embedded =
            path.starts_with("crates/") && path.contains("/src/") && extension(path) == "json";
        let original = format!("{ORIGINALS}{}", file_name(path));
        if embedded && tree.text(&original).is_some_and(|other| other != text) {
            findings.push(Finding::new(
                path,
                format!("differs from {original}; copy that file over it"),
            ));
        }
    }
    for (folder, copy) in REQUIRED {
        let needed = tree.paths().any(|path| path.starts_with(folder))
            && tree.has(&format!("{ORIGINALS}{}", file_name(copy)));
        if needed && !tree.has(copy) {
            findings.push(Finding::new(
                copy,
                "missing; the crate embeds its own copy of the schema",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "schemas/visual-evidence.schema.json";

    #[test]
    fn a_copy_equals_its_original_byte_for_byte() {
        let copy = REQUIRED[0].1;
        assert!(check(&Tree::of(&[(ORIGINAL, "{}\n"), (copy, "{}\n")])).is_empty());
        assert_eq!(
            check(&Tree::of(&[(ORIGINAL, "{}\n"), (copy, "{}")])).len(),
            1
        );
    }

    #[test]
    fn the_schema_module_embeds_a_copy() {
        let module = ("crates/eyes-evidence/src/schema/mod.rs", "");
        assert_eq!(check(&Tree::of(&[(ORIGINAL, "{}"), module])).len(), 1);
        assert!(check(&Tree::of(&[(ORIGINAL, "{}")])).is_empty());
    }
}
