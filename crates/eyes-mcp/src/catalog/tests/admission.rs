use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::*;
use crate::{codes, limits::MAX_CATALOG_NODES, testing::fixture::server};

fn plain(name: &str) -> Value {
    json!({"name": name, "description": "d", "inputSchema": {"type": "object"}})
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }))
}

#[test]
fn what_is_wrong_with_one_tool_removes_that_tool() {
    let listed = vec![
        plain("first"),
        json!({"name": "bad", "inputSchema": "none"}),
        json!({"name": "deep", "inputSchema": nested(63)}),
        plain("hid\u{200b}den"),
        json!({"inputSchema": {}}),
        json!({"name": "task", "inputSchema": {}, "execution": {"taskSupport": "required"}}),
        json!(7),
        json!({"name": "", "inputSchema": {}}),
        plain("first"),
        plain("last"),
    ];
    let catalog = ToolCatalog::admit(&server("srv"), listed).unwrap();
    let names: Vec<&str> = catalog
        .tools
        .iter()
        .map(|tool| tool.public_name.as_str())
        .collect();
    assert_eq!(names, ["mcp__srv__first", "mcp__srv__last"]);
    let refused: Vec<_> = catalog
        .refused
        .iter()
        .map(|tool| (tool.name.as_str(), tool.code))
        .collect();
    assert_eq!(
        refused,
        [
            ("bad", codes::MCP_CATALOG_SCHEMA_INVALID),
            ("deep", codes::MCP_CATALOG_SCHEMA_DEPTH_LIMIT),
            ("hid\\u{200b}den", codes::MCP_CATALOG_NAME_INVALID),
            ("", codes::MCP_CATALOG_NAME_INVALID),
            ("task", codes::MCP_CATALOG_TASK_UNSUPPORTED),
            ("", codes::MCP_CATALOG_SCHEMA_INVALID),
            ("", codes::MCP_CATALOG_NAME_INVALID),
            ("first", codes::MCP_CATALOG_DUPLICATE_TOOL),
        ]
    );
    assert_eq!(
        catalog.refused[7].reason,
        "an earlier tool is mcp__srv__first too"
    );
}

#[test]
fn the_bound_of_depth_is_exact() {
    // The definition itself is one container and the schema's outermost another.
    for (levels, admitted) in [(62, 1), (63, 0)] {
        let listed = vec![json!({"name": "deep", "inputSchema": nested(levels)})];
        let catalog = ToolCatalog::admit(&server("srv"), listed).unwrap();
        assert_eq!(catalog.tools.len(), admitted, "{levels}");
    }
}

#[test]
fn what_breaks_a_budget_of_the_whole_rejects_all_of_it() {
    let many: Vec<Value> = (0..257).map(|at| plain(&format!("t{at}"))).collect();
    let text = |letter: &str, count| {
        vec![json!({"name": "t", "inputSchema": {"a": letter.repeat(count)}})]
    };
    let nodes = json!({"name": "t", "inputSchema": {"enum": vec![0; MAX_CATALOG_NODES]}});
    // Outside the basic plane a character is two code units but four bytes.
    for (listed, code) in [
        (many, codes::MCP_CATALOG_TOOL_LIMIT),
        (text("x", 1_000_000), codes::MCP_CATALOG_SCHEMA_CHARS_LIMIT),
        (vec![nodes], codes::MCP_CATALOG_SCHEMA_NODES_LIMIT),
    ] {
        let error = ToolCatalog::admit(&server("srv"), listed).unwrap_err();
        assert_eq!(error.code, code, "{error}");
    }
    let wide = ToolCatalog::admit(&server("srv"), text("\u{4e2d}", 999_900)).unwrap();
    assert_eq!(wide.tools.len(), 1);
    assert_eq!(wide.measure.bytes - wide.measure.chars, 2 * 999_900);
}

#[test]
fn generations_are_compared_by_digest() {
    let admit = |names: &[&str]| {
        let listed = names.iter().map(|name| plain(name)).collect();
        ToolCatalog::admit(&server("srv"), listed).unwrap()
    };
    let one = admit(&["a", "b"]);
    assert!(one.same_as(&admit(&["a", "b"])));
    assert!(!one.same_as(&admit(&["b", "a"])));
    assert!(!one.same_as(&admit(&["a"])));
    assert!(!one.same_as(&admit(&["a", "c"])));
    assert_eq!(one.find("mcp__srv__b").unwrap().definition.name, "b");
    assert_eq!(one.find("a").unwrap().public_name.as_str(), "mcp__srv__a");
    assert!(one.find("c").is_none());
}

#[test]
fn the_order_of_members_makes_no_other_generation() {
    let admit = |whole: &str| {
        let listed = vec![serde_json::from_str(whole).unwrap()];
        ToolCatalog::admit(&server("srv"), listed).unwrap()
    };
    let one = admit(
        r#"{"name": "a", "inputSchema": {"type": "object", "maximum": 9223372036854775807}}"#,
    );
    let other = admit(
        r#"{"inputSchema": {"maximum": 9223372036854775807, "type": "object"}, "name": "a"}"#,
    );
    assert!(one.same_as(&other));
    let rounded = admit(
        r#"{"name": "a", "inputSchema": {"type": "object", "maximum": 9223372036854775806}}"#,
    );
    assert!(!one.same_as(&rounded), "both are the same double");
}

#[test]
fn a_catalogue_that_turned_empty_is_doubted_once() {
    for (before, now, afresh, expected) in [
        (3, 0, false, Belief::Doubted),
        (3, 0, true, Belief::Believed),
        (0, 0, false, Belief::Believed),
        (3, 1, false, Belief::Believed),
        (0, 3, false, Belief::Believed),
    ] {
        assert_eq!(believe(before, now, afresh), expected);
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "[a-z\"\\\\\u{0}-\u{1f}\u{e9}\u{4e2d}\u{1f600}]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-z\"\n\u{e9}]{0,6}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn the_size_is_that_of_the_text(value in value()) {
        let text = value.to_string();
        let mut measure = Measure::default();
        measure.add(&value, 64).unwrap();
        prop_assert_eq!(measure.bytes, text.len());
        prop_assert_eq!(measure.chars, text.encode_utf16().count());
    }
}
