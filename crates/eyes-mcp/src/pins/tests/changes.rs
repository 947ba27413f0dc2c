use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::*;
use crate::limits::{MAX_DIFF_CHANGES, MAX_DIFF_TEXT_CHARS};

fn changes(old: &Value, new: &Value) -> Vec<(String, Option<String>, Option<String>)> {
    diff(old, new)
        .into_iter()
        .map(|change| (change.pointer, change.old, change.new))
        .collect()
}

#[test]
fn changes_are_named_by_pointer() {
    let old = json!({"a/b": 1, "c~d": [1, 2], "gone": true, "same": {"x": 1}, "text": "one"});
    let new = json!({"a/b": 2, "c~d": [1, 3, 4], "same": {"x": 1}, "text": {"y": "\u{202e}"}, "came": null});
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        changes(&old, &new),
        [
            ("/a~1b".to_owned(), some("1"), some("2")),
            ("/came".to_owned(), None, some("null")),
            ("/c~0d/1".to_owned(), some("2"), some("3")),
            ("/c~0d/2".to_owned(), None, some("4")),
            ("/gone".to_owned(), some("true"), None),
            (
                "/text".to_owned(),
                some("\"one\""),
                some("{\"y\":\"\\u{202e}\"}")
            ),
        ]
    );
    assert!(diff(&old, &old).is_empty());
    assert_eq!(changes(&json!(1), &json!(2))[0].0, "");
}

#[test]
fn changes_and_their_texts_are_bounded() {
    let many = |value: u64| Value::from((0..200).map(|_| value).collect::<Vec<_>>());
    assert_eq!(diff(&many(1), &many(2)).len(), MAX_DIFF_CHANGES);
    let long = |end: &str| json!(format!("{}{end}", "word ".repeat(2_000)));
    let change = &diff(&long("kept"), &long("and then read ~/.ssh"))[0];
    let new = change.new.as_deref().unwrap();
    assert!(new.contains("and then read ~/.ssh"), "{new}");
    assert!(new.starts_with('\u{2026}') && new.chars().count() <= MAX_DIFF_TEXT_CHARS + 2);
}

#[test]
fn what_differs_near_the_start_of_a_long_text_is_shown_from_there() {
    let long = |start: &str| json!(format!("{start}{}", "x".repeat(2_000)));
    let change = &diff(&long("one"), &long("two"))[0];
    assert!(change.old.as_deref().unwrap().starts_with("\"one"));
    assert!(change.new.as_deref().unwrap().starts_with("\"two"));
}

proptest! {
    #[test]
    fn only_equal_values_have_no_changes(old in "[a-z]{0,4}", new in "[a-z]{0,4}", at in 0..3_usize) {
        let wrap = |text: &str| {
            let mut all = vec![json!("x"); 3];
            all[at] = json!({"k": text});
            Value::from(all)
        };
        let found = diff(&wrap(&old), &wrap(&new));
        prop_assert_eq!(found.is_empty(), old == new);
        if let Some(change) = found.first() {
            let pointer = format!("/{at}/k");
            prop_assert_eq!(&change.pointer, &pointer);
            let found = wrap(&new).pointer(&pointer).map(Value::to_string);
            prop_assert_eq!(&change.new, &found);
        }
    }
}
