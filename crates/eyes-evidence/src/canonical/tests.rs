//! Tables of RFC 8785 and properties.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::*;
use crate::{code::Coded, limits::MAX_CANONICAL_DEPTH};

fn number(value: f64) -> String {
    Canonical::of(&value).unwrap().into_string()
}

fn strict(text: &str) -> String {
    let read = parse_strict(text.as_bytes()).unwrap();
    Canonical::of_value(&read.value).unwrap().into_string()
}

/// RFC 8785, appendix B, every row.
#[test]
fn prints_the_published_number_samples() {
    let rows: &[(u64, &str)] = &[
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];
    for &(bits, text) in rows {
        assert_eq!(number(f64::from_bits(bits)), text, "{bits:016x}");
    }
    for bits in [
        0x7fff_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
    ] {
        let error = Canonical::of(&f64::from_bits(bits)).unwrap_err();
        assert_eq!(error.code().as_str(), "JSON_NUMBER_INVALID");
    }
}

/// RFC 8785, section 3.2.2: literals, strings and numbers.
#[test]
fn prints_the_published_document() {
    let text = r#"{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}"#;
    let canonical = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
                     \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
    assert_eq!(strict(text), canonical);
}

/// RFC 8785, section 3.2.3: UTF-16 order, which differs from UTF-8 order.
#[test]
fn sorts_keys_by_utf16_code_units() {
    let text = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
        "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
    let value = parse_strict(text.as_bytes()).unwrap().value;
    let canonical = Canonical::of_value(&value).unwrap().into_string();
    let order = [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ];
    let places: Vec<_> = order
        .iter()
        .map(|name| canonical.find(name).unwrap())
        .collect();
    assert!(places.is_sorted(), "{canonical}");
    assert_eq!(Canonical::of(&value).unwrap().into_string(), canonical);
}

#[test]
fn escapes_only_what_must_be() {
    let every: String = (0..0x80_u8)
        .map(char::from)
        .chain("\u{2028}é".chars())
        .collect();
    let text = Canonical::of(&every).unwrap().into_string();
    assert!(text.starts_with(
        r#""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010"#
    ));
    assert!(text.contains(r##"\u001f !\"#$%&'()*+,-./0"##));
    assert!(text.ends_with("\u{7f}\u{2028}é\""));
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Shape {
    Unit,
    New(u8),
    Pair(i8, char),
    Named { zz: Option<u8>, a: f32 },
}

#[test]
fn writes_every_serde_shape_as_its_json_value() {
    let shapes = [
        Shape::Unit,
        Shape::New(7),
        Shape::Pair(-3, 'é'),
        Shape::Named { zz: None, a: 0.1 },
    ];
    let keyed: BTreeMap<i32, &Shape> = shapes.iter().zip(-1..).map(|(s, at)| (at, s)).collect();
    let both = (&shapes, &keyed, b"\x00\xff", ());
    let by_value = Canonical::of_value(&serde_json::to_value(both).unwrap()).unwrap();
    assert_eq!(Canonical::of(&both).unwrap(), by_value);
    assert!(
        by_value
            .as_str()
            .contains(r#"{"named":{"a":0.10000000149011612,"zz":null}}"#)
    );
}

#[test]
fn a_key_that_is_no_text_is_refused() {
    let map: BTreeMap<(u8, u8), u8> = [((1, 2), 3)].into();
    assert_eq!(Canonical::of(&map), Err(CanonicalError::KeyType));
}

#[test]
fn integers_beyond_a_double_are_rounded_and_counted() {
    for (text, canonical, inexact) in [
        ("9007199254740992", "9007199254740992", 0),
        ("9007199254740993", "9007199254740992", 1),
        ("-9007199254740993", "-9007199254740992", 1),
        ("9007199254740994", "9007199254740994", 0),
        ("18446744073709551616", "18446744073709552000", 0),
        ("18446744073709551617", "18446744073709552000", 1),
        (
            "123456789012345678901234567890",
            "1.2345678901234568e+29",
            1,
        ),
        ("1e30", "1e+30", 0),
        ("-0", "0", 0),
        ("-0.0", "0", 0),
    ] {
        let read = parse_strict(text.as_bytes()).unwrap();
        assert_eq!(read.inexact_integers, inexact, "{text}");
        assert_eq!(
            Canonical::of_value(&read.value).unwrap().as_str(),
            canonical,
            "{text}"
        );
    }
    let large = Canonical::of(&[u64::MAX, 1 << 60]).unwrap();
    assert_eq!(large.as_str(), "[18446744073709552000,1152921504606847000]");
    assert_eq!(large.inexact_integers(), 1);
    assert_eq!(Canonical::of(&u128::MAX).unwrap().inexact_integers(), 1);
    assert_eq!(
        canonical_digest(&u64::MAX),
        Err(CanonicalError::InexactInteger)
    );
}

#[test]
fn strict_text_is_refused_with_a_code() {
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    for (text, code) in [
        (r#"{"a":1,"a":2}"#, "JSON_KEY_INVALID"),
        (r#"{"a":1,"\u0061":2}"#, "JSON_KEY_INVALID"),
        (r#"{"x":[{"b":1,"c":{},"b":2}]}"#, "JSON_KEY_INVALID"),
        (r#""\ud800""#, "JSON_TEXT_INVALID"),
        (r#""\udc00\ud800""#, "JSON_TEXT_INVALID"),
        (r#""\ud800\u0041""#, "JSON_TEXT_INVALID"),
        ("1e400", "JSON_NUMBER_INVALID"),
        ("-1e400", "JSON_NUMBER_INVALID"),
        ("NaN", "JSON_TEXT_INVALID"),
        ("Infinity", "JSON_TEXT_INVALID"),
        ("01", "JSON_TEXT_INVALID"),
        ("1.", "JSON_TEXT_INVALID"),
        (".5", "JSON_TEXT_INVALID"),
        ("+1", "JSON_TEXT_INVALID"),
        ("1e", "JSON_TEXT_INVALID"),
        ("", "JSON_TEXT_INVALID"),
        ("1 2", "JSON_TEXT_INVALID"),
        ("[1,]", "JSON_TEXT_INVALID"),
        (r#"{"a":1,}"#, "JSON_TEXT_INVALID"),
        (r#"{"a" 1}"#, "JSON_TEXT_INVALID"),
        ("[1", "JSON_TEXT_INVALID"),
        ("\"a\nb\"", "JSON_TEXT_INVALID"),
        (r#""\x41""#, "JSON_TEXT_INVALID"),
        ("\"open", "JSON_TEXT_INVALID"),
        ("tru", "JSON_TEXT_INVALID"),
        ("\u{feff}1", "JSON_TEXT_INVALID"),
        (&deep(MAX_CANONICAL_DEPTH + 1), "JSON_DEPTH_LIMIT"),
        (&deep(20_000), "JSON_DEPTH_LIMIT"),
    ] {
        let error = parse_strict(text.as_bytes()).unwrap_err();
        assert_eq!(error.code().as_str(), code, "{text:.40} {error}");
    }
    assert!(parse_strict(deep(MAX_CANONICAL_DEPTH).as_bytes()).is_ok());
    assert_eq!(
        parse_strict(b"\"\xff\"").unwrap_err().code().as_str(),
        "JSON_TEXT_INVALID"
    );
    let limits = StrictLimits {
        max_bytes: 3,
        max_depth: 1,
    };
    assert_eq!(
        parse_strict_within(b"[[]]", limits)
            .unwrap_err()
            .code()
            .as_str(),
        "JSON_SIZE_LIMIT"
    );
    assert!(parse_strict_within(b"[]", limits).is_ok());
}

#[test]
fn a_value_of_any_depth_gives_a_code_and_no_stack_overflow() {
    let mut value = json!([]);
    for _ in 0..20_000 {
        value = Value::Array(vec![value]);
    }
    assert_eq!(
        Canonical::of(&value),
        Err(CanonicalError::Depth(MAX_CANONICAL_DEPTH))
    );
    assert_eq!(
        Canonical::of_value(&value),
        Err(CanonicalError::Depth(MAX_CANONICAL_DEPTH))
    );
    // Taken apart level by level: dropping such a value recurses.
    while let Value::Array(mut entries) = value {
        let Some(inner) = entries.pop() else { break };
        value = inner;
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-c\u{e000}\u{ffff}\u{10000}😀]{0,3}", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

#[test]
fn members_stand_where_it_is_told() {
    let value = json!({"b": {"z": 1, "a": [true]}, "a": "x\n", "😀": null, "\u{ffff}": 2});
    let Value::Object(members) = &value else {
        panic!("an object");
    };
    let (canonical, places) = Canonical::of_map(members).unwrap();
    assert_eq!(canonical, Canonical::of_value(&value).unwrap());
    let told: Vec<_> = places
        .into_iter()
        .map(|(key, place)| (key, &canonical.as_str()[place]))
        .collect();
    let expected = [
        ("a", "\"x\\n\""),
        ("b", "{\"a\":[true],\"z\":1}"),
        ("😀", "null"),
        ("\u{ffff}", "2"),
    ];
    assert_eq!(told, expected);
    let deep = (1..=MAX_CANONICAL_DEPTH).fold(json!(1), |inner, _| json!([inner]));
    let error = Canonical::of_map(&[("a".to_owned(), deep)].into_iter().collect()).unwrap_err();
    assert_eq!(error.code().as_str(), "JSON_DEPTH_LIMIT");
}

proptest! {
    #[test]
    fn canonical_of_canonical_is_the_same_text(value in json_value()) {
        let once = Canonical::of_value(&value).unwrap();
        let read = parse_strict(once.as_str().as_bytes()).unwrap();
        let twice = Canonical::of_value(&read.value).unwrap();
        prop_assert_eq!(twice.as_str(), once.as_str());
        prop_assert_eq!(&Canonical::of(&value).unwrap(), &once);
    }

    #[test]
    fn strict_and_serde_read_canonical_text_alike(value in json_value()) {
        let text = Canonical::of_value(&value).unwrap().into_string();
        let strict = parse_strict(text.as_bytes()).unwrap().value;
        let lenient: Value = serde_json::from_str(&text).unwrap();
        let (strict, lenient) = (Canonical::of_value(&strict).unwrap(), Canonical::of_value(&lenient).unwrap());
        prop_assert_eq!(strict.as_str(), lenient.as_str());
    }

    #[test]
    fn number_text_gives_back_the_same_bits(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let read: f64 = number(value).parse().unwrap();
        // Canonical text has one zero.
        prop_assert_eq!(read.to_bits(), (value + 0.0).to_bits());
        let strict = parse_strict(number(value).as_bytes()).unwrap();
        prop_assert_eq!(strict.value.as_f64().unwrap().to_bits(), (value + 0.0).to_bits());
    }

    #[test]
    fn strings_are_escaped_wherever_they_need_it(text in "[\u{0}-\u{1f}\"\\\\a\u{7f}\u{80}é文😀]{0,40}") {
        let value = Value::from(text);
        let canonical = Canonical::of_value(&value).unwrap();
        // serde_json has the same escapes, written another way.
        prop_assert_eq!(canonical.as_str(), value.to_string());
    }

    #[test]
    fn strict_reading_never_panics(text in r#"[\[\]{}:,"\\u0-9eE.+\-a-d ]{0,40}"#) {
        let ours = parse_strict(text.as_bytes());
        let theirs: Result<Value, _> = serde_json::from_str(&text);
        // Whatever we read serde reads too; the other way a key may come twice.
        prop_assert!(ours.is_err() || theirs.is_ok());
        if theirs.is_ok() && let Err(error) = ours {
            prop_assert_eq!(error.code().as_str(), "JSON_KEY_INVALID");
        }
    }

    #[test]
    fn keys_sort_as_their_utf16_units(a in "[\u{7f}a\u{d7ff}\u{e000}\u{ffff}\u{10000}😀]{0,4}", b in "[\u{7f}a\u{d7ff}\u{e000}\u{ffff}\u{10000}😀]{0,4}") {
        let units = a.encode_utf16().cmp(b.encode_utf16());
        prop_assert_eq!(super::member::utf16_order(&a, &b), units);
    }
}
