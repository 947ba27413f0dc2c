use serde_json::json;

use super::*;

const MANIFEST: (&str, &str) = ("crates/eyes-evidence/Cargo.toml", "");
const CODES: &str = r#"//! The codes of this crate.

crate::error_codes! {
    /// The image has more pixels
    /// than the limit.
    IMAGE_PIXEL_LIMIT: Rejected, Never, "crop or shrink \
        the \"image\"";
    // The old spelling stays.
    INVALID_MODEL_OUTPUT: Rejected, AfterChange,
        "ask again";
}
"#;
const TESTS: (&str, &str) = (
    "crates/eyes-evidence/src/tests.rs",
    "[codes::IMAGE_PIXEL_LIMIT, \"INVALID_MODEL_OUTPUT\"]",
);
const OLD_NAMES: (&str, &str) = (ESTABLISHED, "INVALID_MODEL_OUTPUT\n");

fn codes() -> String {
    CODES.replace(
        "    // The old",
        "    /// The text holds no JSON.\n    // The old",
    )
}

fn metadata() -> Value {
    json!({ "packages": [{ "name": "eyes-evidence", "version": "0.2.0" }] })
}

fn derived(old: Option<&str>, codes: &str) -> Outcome<String> {
    let tree = Tree::of(&[MANIFEST, ("crates/eyes-evidence/src/codes.rs", codes)]);
    let declared = declared::all(&tree).map_err(|bad| crate::Failure::new(bad.message))?;
    derive::derive(old, &declared, &versions(&metadata()))
}

fn faults(json: &str, codes: &str) -> Vec<String> {
    let tree = Tree::of(&[
        MANIFEST,
        TESTS,
        OLD_NAMES,
        ("crates/eyes-evidence/src/codes.rs", codes),
        (PATH, json),
    ]);
    check(&tree, &metadata())
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn a_derived_registry_passes_and_says_what_the_code_says() {
    let text = derived(None, &codes()).unwrap();
    assert_eq!(faults(&text, &codes()), [""; 0]);
    let entries = read(&text).unwrap();
    assert_eq!(
        entries[0].summary,
        "The image has more pixels than the limit."
    );
    assert_eq!(entries[0].hint, "crop or shrink the \"image\"");
    assert_eq!(
        (entries[1].retry.as_str(), entries[1].since.as_str()),
        ("after-change", "0.2.0")
    );
}

#[test]
fn drift_between_registry_and_code_is_found_both_ways() {
    let text = derived(None, &codes()).unwrap();
    for (json, code, word) in [
        (
            text.replace("\"rejected\"", "\"failed\""),
            codes(),
            "category",
        ),
        (text.replace("ask again", "ask twice"), codes(), "hint"),
        (
            text.clone(),
            codes().replace("than the limit", "than allowed"),
            "summary",
        ),
        (
            text.clone(),
            codes().replace("AfterChange", "Later"),
            "retry",
        ),
        (
            text.clone(),
            codes().replace("PIXEL_LIMIT", "SIDE_LIMIT"),
            "declared by no crate",
        ),
        (
            text.replace("PIXEL_LIMIT", "SIDE_LIMIT"),
            codes(),
            "not in the registry",
        ),
    ] {
        let found = faults(&json, &code);
        assert!(
            found.iter().any(|message| message.contains(word)),
            "{word}: {found:?}"
        );
    }
}

#[test]
fn the_file_has_a_shape_an_order_and_known_words() {
    let text = derived(None, &codes()).unwrap();
    for (from, to, word) in [
        ("\"codes\"", "\"list\"", "no array"),
        ("\"rejected\"", "\"odd\"", "not one of"),
        ("\"hint\"", "\"tip\"", "unknown field"),
        ("\"0.2.0\"", "\"soon\"", "versions"),
        ("\"eyes-evidence\"", "\"eyes-other\"", "does not exist"),
        ("IMAGE_PIXEL_LIMIT", "Z_LIMIT", "out of order"),
    ] {
        let found = faults(&text.replace(from, to), &codes());
        assert!(
            found.iter().any(|message| message.contains(word)),
            "{word}: {found:?}"
        );
    }
}

#[test]
fn a_code_ends_with_its_condition_and_is_named_by_a_test() {
    let odd = codes().replace("IMAGE_PIXEL_LIMIT", "IMAGE_PIXELS_ODD");
    let found = faults(&derived(None, &odd).unwrap(), &odd);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("ends with none of"));
    assert!(found[1].contains("no test names"));
}

#[test]
fn unreadable_declarations_are_refused() {
    for (from, to) in [
        ("\"ask again\";", "\"ask again\""),
        ("IMAGE_PIXEL_LIMIT:", "IMAGE_PIXEL_LIMIT"),
        ("error_codes!", "codes!"),
    ] {
        assert!(derived(None, &codes().replace(from, to)).is_err(), "{to}");
    }
    assert!(derived(None, CODES).is_err(), "a code without a summary");
}

#[test]
fn a_code_has_one_owner() {
    let tree = Tree::of(&[
        ("crates/a/Cargo.toml", ""),
        ("crates/a/src/codes.rs", &codes()),
        ("crates/b/Cargo.toml", ""),
        ("crates/b/src/codes.rs", &codes()),
    ]);
    assert!(
        declared::all(&tree)
            .unwrap_err()
            .message
            .contains("one owner")
    );
}

#[test]
fn deriving_keeps_since_retires_what_is_gone_and_never_revives() {
    let first = derived(None, &codes()).unwrap().replace("0.2.0", "0.1.0");
    let without = codes().replace("IMAGE_PIXEL_LIMIT", "IMAGE_SIDE_LIMIT");
    let second = derived(Some(&first), &without).unwrap();
    let entries = read(&second).unwrap();
    let facts: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry.code.as_str(),
                entry.since.as_str(),
                entry.retired.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("IMAGE_PIXEL_LIMIT", "0.1.0", Some("0.2.0")),
            ("IMAGE_SIDE_LIMIT", "0.2.0", None),
            ("INVALID_MODEL_OUTPUT", "0.1.0", None),
        ]
    );
    assert!(derived(Some(&second), &codes()).is_err());
}
