//! The reader against `serde_json`, and its bounds.

use super::{Dialect, Kind, Options, Value, read_object};

fn to_json(value: Value<'_, '_>) -> serde_json::Value {
    match value.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool => serde_json::Value::Bool(value.raw() == "true"),
        Kind::Number => serde_json::json!(value.as_number()),
        Kind::Bare | Kind::Plain | Kind::Escaped => {
            serde_json::Value::String(value.as_str().unwrap_or_default().into_owned())
        }
        Kind::Array => value.elements().map(to_json).collect(),
        Kind::Object => value
            .members()
            .map(|(name, member)| (name.into_owned(), to_json(member)))
            .collect(),
    }
}

fn read(text: &str, dialect: Dialect) -> Option<serde_json::Value> {
    let options = Options {
        dialect,
        controls: true,
    };
    let document = read_object(text, 0, options, &mut Vec::new()).ok()?;
    (!document.truncated && document.end == text.len()).then(|| to_json(document.root()))
}

fn arbitrary_json() -> impl proptest::strategy::Strategy<Value = serde_json::Value> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        (-1e9..1e9_f64).prop_map(serde_json::Value::from),
        (0..1_000_000_u32).prop_map(|n| serde_json::json!(f64::from(n) / 1000.0)),
        any::<f64>().prop_map(|n| if n.is_finite() { n.into() } else { 0.5.into() }),
        "\\PC{0,12}".prop_map(serde_json::Value::from),
        "[\"\\\\,:{}\\[\\] \n\t\u{1}-\u{1f}a']{0,12}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            proptest::collection::btree_map("[a-z\"\\\\ ]{0,4}", inner, 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn floats(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(n) => serde_json::json!(n.as_f64()),
        serde_json::Value::Array(list) => list.into_iter().map(floats).collect(),
        serde_json::Value::Object(object) => object
            .into_iter()
            .map(|(name, value)| (name, floats(value)))
            .collect(),
        other => other,
    }
}

proptest::proptest! {
    #[test]
    fn valid_json_reads_as_serde_json_reads_it(value in arbitrary_json(), pretty: bool) {
        let value = serde_json::json!({ "v": value });
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let text = text.expect("JSON");
        for dialect in [Dialect::Strict, Dialect::Lenient] {
            proptest::prop_assert_eq!(read(&text, dialect), Some(floats(value.clone())), "{}", text);
        }
    }

    #[test]
    fn decimals_read_as_the_standard_library_reads_them(digits in "[0-9]{1,12}(\\.[0-9]{1,12})?") {
        let read = read(&format!("{{\"v\":{digits}}}"), Dialect::Strict);
        let expected: f64 = digits.parse().expect("a decimal");
        proptest::prop_assert_eq!(read, Some(serde_json::json!({ "v": expected })));
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "[{}\\[\\],:\"'`\\\\ \nae0-9.%\u{4e2d}]{0,80}") {
        let text = format!("{{{text}");
        for dialect in [Dialect::Strict, Dialect::Lenient] {
            let options = Options { dialect, controls: true };
            if let Ok(document) = read_object(&text, 0, options, &mut Vec::new()) {
                proptest::prop_assert!(document.end <= text.len());
                let _json = to_json(document.root());
            }
        }
    }
}

#[test]
fn escapes_follow_rfc_8259() {
    let cases = [
        (
            r#"{"v":"\u4e2d\ud83d\ude00\"\\\/\b\f\n\r\t"}"#,
            "中😀\"\\/\u{8}\u{c}\n\r\t",
        ),
        (r#"{"v":"\ud83d"}"#, "\u{fffd}"),
        (r#"{"v":"\ude00x"}"#, "\u{fffd}x"),
        (r#"{"v":"\u12"}"#, "\u{fffd}12"),
        (r#"{"v":"\q\中"}"#, "q中"),
    ];
    for (text, expected) in cases {
        assert_eq!(
            read(text, Dialect::Strict).map(|v| v["v"].clone()),
            Some(expected.into()),
            "{text}"
        );
    }
}
