use serde_json::json;

use super::*;

#[test]
fn a_definition_is_taken_apart_and_put_together_again() {
    let whole = json!({
        "name": "read", "title": "Read", "description": "Reads.",
        "inputSchema": {"type": "object", "properties": {"b": {}, "a": {}}},
        "outputSchema": {"properties": {}},
        "annotations": {"readOnlyHint": true, "openWorldHint": "yes"},
        "_meta": {"x": 1},
    });
    let definition = ToolDefinition::parse(whole.clone()).unwrap();
    assert_eq!(definition.title.as_deref(), Some("Read"));
    assert_eq!(definition.annotations.read_only_hint, Some(true));
    assert_eq!(definition.annotations.open_world_hint, None);
    assert!(!definition.rest.contains_key("inputSchema"));
    assert_eq!(definition.whole(), whole);
}

#[test]
fn what_defines_no_tool_is_refused_with_a_reason() {
    for (whole, reason) in [
        (json!([]), "the definition is an array, not an object"),
        (json!({}), "member \"name\" is missing, not a text"),
        (
            json!({"name": 1}),
            "member \"name\" is a number, not a text",
        ),
        (
            json!({"name": "a"}),
            "member \"inputSchema\" is missing, not an object",
        ),
        (
            json!({"name": "a", "inputSchema": true}),
            "member \"inputSchema\" is a boolean, not an object",
        ),
        (
            json!({"name": "a", "inputSchema": {}, "outputSchema": []}),
            "member \"outputSchema\" is an array, not an object",
        ),
        (
            json!({"name": "a", "inputSchema": {}, "description": {}}),
            "member \"description\" is an object, not a text",
        ),
        (
            json!({"name": "a", "inputSchema": {"type": "array"}}),
            "the schema of the arguments has a type other than object",
        ),
        (
            json!({"name": "a", "inputSchema": {}, "execution": {"taskSupport": "required"}}),
            "the tool only runs as a task (execution.taskSupport is required)",
        ),
    ] {
        assert_eq!(
            ToolDefinition::parse(whole.clone())
                .unwrap_err()
                .to_string(),
            reason,
            "{whole}"
        );
    }
}

#[test]
fn schemas_without_a_type_and_optional_tasks_are_taken() {
    for whole in [
        json!({"name": "a", "inputSchema": {}}),
        json!({"name": "a", "inputSchema": {"type": ["object", "null"]}, "outputSchema": null}),
        json!({"name": "a", "inputSchema": {}, "execution": {"taskSupport": "optional"}, "title": null}),
    ] {
        ToolDefinition::parse(whole).unwrap();
    }
}
