use serde_json::{Value, json};

use super::super::*;
use crate::{codes, testing::fixture::server};

fn admit(resources: Value, templates: Value, prompts: Value) -> ContentCatalog {
    let list = |value| match value {
        Value::Array(entries) => entries,
        other => panic!("{other}"),
    };
    ContentCatalog::admit(
        &server("srv"),
        list(resources),
        list(templates),
        list(prompts),
    )
    .unwrap()
}

#[test]
fn entries_keep_what_is_known_of_them() {
    let catalog = admit(
        json!([{
            "uri": "db://a", "title": "T", "description": "D", "mimeType": "text/plain", "size": 5, "icons": [],
            "annotations": {"audience": ["user", "nobody"], "priority": 0.5, "lastModified": "2026"},
        }]),
        json!([{"uriTemplate": "db://{id}", "name": "by id"}]),
        json!([{"name": "p", "arguments": [{"name": "x", "required": true}, {"name": "y", "required": "yes"}]}]),
    );
    assert!(catalog.refused.is_empty());
    assert_eq!(catalog.len(), 3);
    let resource = &catalog.resources[0];
    assert_eq!(resource.name, "db://a", "falls back to the address");
    assert_eq!(resource.about.audience, ["user"]);
    assert_eq!(
        (resource.about.size, resource.about.priority),
        (Some(5), Some(0.5))
    );
    assert_eq!(catalog.templates[0].uri_template.as_str(), "db://{id}");
    let required: Vec<bool> = catalog.prompts[0]
        .arguments
        .iter()
        .map(|argument| argument.required)
        .collect();
    assert_eq!(required, [true, false]);
    let text = serde_json::to_value(&catalog.templates[0]).unwrap();
    assert_eq!(text, json!({"uriTemplate": "db://{id}", "name": "by id"}));
}

#[test]
fn what_is_wrong_with_one_entry_removes_that_entry() {
    let catalog = admit(
        json!([{"uri": "a:b"}, {"uri": "a:b"}, {"name": "no"}, {"uri": "a:\u{202e}"}, {"uri": "x:".to_owned() + &"y".repeat(4_096)}, 7, {"uri": "c:d", "title": 1}]),
        json!([{"uriTemplate": "a:{"}, {"uriTemplate": "a:/../{x}"}, {"uriTemplate": "a:{x}"}]),
        json!([{"name": "p\nq"}, {"name": "p", "arguments": 1}, {"name": "q", "arguments": [{}]}, {"name": "r"}]),
    );
    let invalid = codes::MCP_CONTENT_CATALOG_INVALID;
    let template = codes::MCP_RESOURCE_TEMPLATE_INVALID;
    let found: Vec<_> = catalog
        .refused
        .iter()
        .map(|entry| (entry.code, entry.reason.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (invalid, "listed twice"),
            (invalid, "no uri"),
            (
                invalid,
                "the address holds U+202E, a character that turns the direction of text"
            ),
            (invalid, "the address is too long"),
            (invalid, "the entry is a number"),
            (invalid, "title is a number"),
            (template, "the template has a brace without its other one"),
            (template, "the template has a dot segment"),
            (invalid, "the name holds U+000A, a control character"),
            (invalid, "the arguments are a number"),
            (invalid, "an argument has no name"),
        ]
    );
    assert_eq!(catalog.len(), 3);
}

#[test]
fn the_budgets_are_shared_by_all_three() {
    let entries = |count: usize, member: &str| -> Vec<Value> {
        (0..count)
            .map(|at| json!({member: format!("x:{at}")}))
            .collect()
    };
    let refused = |resources, templates, prompts| {
        ContentCatalog::admit(&server("srv"), resources, templates, prompts)
            .unwrap_err()
            .code
    };
    let all = ContentCatalog::admit(
        &server("srv"),
        entries(100, "uri"),
        entries(100, "uriTemplate"),
        entries(56, "name"),
    );
    assert_eq!(all.unwrap().len(), 256);
    let code = refused(
        entries(100, "uri"),
        entries(100, "uriTemplate"),
        entries(57, "name"),
    );
    assert_eq!(code, codes::MCP_CONTENT_CATALOG_ENTRY_LIMIT);
    let long = |letter: &str, count: usize| {
        vec![json!({"uri": "a:b", "description": letter.repeat(count)})]
    };
    assert_eq!(
        refused(long("x", 1_000_000), vec![], vec![]),
        codes::MCP_CONTENT_CATALOG_CHAR_LIMIT
    );
}
