use super::*;

#[test]
fn answers_are_held_against_what_was_asked() {
    let schema = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 4},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "ratio": {"type": "number"},
            "sure": {"type": "boolean"},
            "color": {"type": "string", "enum": ["red", "green"]},
            "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}]},
            "tags": {"type": "array", "maxItems": 1, "items": {"anyOf": [{"const": "a"}]}},
        },
    });
    assert!(is_askable(&schema));
    let table = [
        (json!({"name": "Ada"}), true),
        (
            json!({"name": "Ada", "age": 36, "ratio": 0.5, "sure": true}),
            true,
        ),
        (
            json!({"name": "Ada", "color": "red", "size": "s", "tags": ["a"]}),
            true,
        ),
        (json!({"name": "Ada", "age": 36.0}), true),
        (json!({}), false),
        (json!({"name": "A"}), false),
        (json!({"name": "Augusta"}), false),
        (json!({"name": 7}), false),
        (json!({"name": "Ada", "age": 36.5}), false),
        (json!({"name": "Ada", "age": 151}), false),
        (json!({"name": "Ada", "color": "blue"}), false),
        (json!({"name": "Ada", "size": "m"}), false),
        (json!({"name": "Ada", "tags": ["a", "a"]}), false),
        (json!({"name": "Ada", "tags": ["b"]}), false),
        (json!({"name": "Ada", "password": "x"}), false),
    ];
    for (answer, expected) in table {
        let answer = answer.as_object().unwrap();
        assert_eq!(fits(answer, &schema), expected, "{answer:?}");
    }
    let long = json!({"name": "Ada", "ratio": 1});
    let mut long = long.as_object().unwrap().clone();
    let open = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    long.remove("ratio");
    assert!(fits(&long, &open));
    long.insert("name".into(), json!("x".repeat(MAX_ELICITATION_BYTES)));
    assert!(!fits(&long, &open));
    for schema in [
        json!({"type": "string"}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"x": {"title": "x".repeat(MAX_ELICITATION_BYTES)}}}),
    ] {
        assert!(!is_askable(&schema));
    }
}
