//! What holds for any result.

use eyes_evidence::canonical::{Canonical, canonical_digest};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{super::utf16_len, bounded_within, text};
use crate::result::admit;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("content|data|type|\\PC{0,6}", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Counts by recursion, plainly.
fn counted(value: &Value) -> (usize, usize) {
    let add = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
    match value {
        Value::String(text) => (1, text.encode_utf16().count()),
        Value::Array(entries) => entries.iter().map(counted).fold((1, 0), add),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| add(counted(value), (0, key.encode_utf16().count())))
            .fold((1, 0), add),
        _ => (1, 0),
    }
}

proptest! {
    #[test]
    fn values_and_characters_are_counted(value in any_json()) {
        let stats = admit(&value).unwrap();
        prop_assert_eq!((stats.nodes, stats.string_units), counted(&value));
    }

    #[test]
    fn the_digest_is_that_of_the_canonical_form(value in any_json()) {
        let result = bounded_within(&value, 20_000);
        prop_assert_eq!(result.sha256, canonical_digest(&value).unwrap());
        let canonical = Canonical::of_value(&value).unwrap();
        prop_assert_eq!(result.bytes, canonical.as_str().len() as u64);
        prop_assert_eq!(result.chars, canonical.as_str().chars().count() as u64);
    }

    #[test]
    fn a_preview_keeps_its_bound_and_tells_what_it_leaves_out(
        parts in prop::collection::vec("[a-c\u{e9}\u{6587}\u{1f600}]{0,200}", 1..8),
        max in 256_usize..700,
    ) {
        let blocks: Vec<Value> = parts.iter().map(|part| text(part)).collect();
        let whole = parts.join("\n");
        prop_assume!(parts.iter().any(|part| !part.is_empty()));
        let result = bounded_within(&json!({ "content": blocks }), max);
        prop_assert!(utf16_len(&result.preview) <= max);
        if utf16_len(&whole) <= max {
            prop_assert_eq!(result.preview, whole);
            prop_assert!(!result.truncated);
        } else {
            prop_assert!(result.truncated);
            let (head, rest) = result.preview.split_once("\n[… ").unwrap();
            let (left_out, tail) = rest.split_once(" characters left out …]\n").unwrap();
            prop_assert!(whole.starts_with(head) && whole.ends_with(tail));
            let left_out: usize = left_out.parse().unwrap();
            prop_assert_eq!(utf16_len(head) + left_out + utf16_len(tail), utf16_len(&whole));
        }
    }
}
