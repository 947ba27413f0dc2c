use std::sync::Arc;

use eyes_evidence::code::Coded;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FittedSchema, SchemaProfile, Unfit, fit};
use crate::{codes, schema::ArgumentSchema, testing::generated_tools};

const PROFILES: [SchemaProfile; 4] = [
    SchemaProfile::OpenAi,
    SchemaProfile::Anthropic,
    SchemaProfile::DeepSeek,
    SchemaProfile::Strict,
];

fn object(value: Value) -> Arc<Map<String, Value>> {
    match value {
        Value::Object(map) => Arc::new(map),
        other => panic!("{other} is no object"),
    }
}

fn fitted(schema: Value, profile: SchemaProfile) -> FittedSchema {
    fit(&object(schema), profile).unwrap()
}

fn form(schema: Value, profile: SchemaProfile) -> Value {
    Value::Object((*fitted(schema, profile).schema).clone())
}

#[test]
fn what_is_accepted_everywhere_stays_the_very_same() {
    for whole in generated_tools(16, 40_000) {
        let schema = object(whole["inputSchema"].clone());
        for profile in [
            SchemaProfile::OpenAi,
            SchemaProfile::Anthropic,
            SchemaProfile::DeepSeek,
        ] {
            let fitted = fit(&schema, profile).unwrap();
            assert!(Arc::ptr_eq(&schema, &fitted.schema), "{:?}", fitted.notes);
            assert!(fitted.notes.is_empty());
        }
    }
}

#[test]
fn the_whole_is_an_object_without_alternatives() {
    let cases = [
        (json!({}), json!({ "type": "object", "properties": {} })),
        (
            json!({ "type": "object" }),
            json!({ "type": "object", "properties": {} }),
        ),
        (
            json!({ "properties": { "a": { "type": "string" } } }),
            json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
        ),
        (
            json!({ "type": ["object", "null"], "properties": {} }),
            json!({ "type": "object", "properties": {} }),
        ),
        (
            json!({ "type": "object", "properties": {}, "required": ["q"] }),
            json!({ "type": "object", "properties": { "q": {} }, "required": ["q"] }),
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "$id": "x", "type": "object", "properties": {} }),
            json!({ "type": "object", "properties": {} }),
        ),
        (
            json!({
                "type": "object",
                "allOf": [
                    { "properties": { "a": { "type": "string" } }, "required": ["a"] },
                    { "properties": { "a": { "minLength": 1 }, "b": { "type": "integer" } } },
                ],
            }),
            json!({
                "type": "object",
                "properties": { "a": { "type": "string", "minLength": 1 }, "b": { "type": "integer" } },
                "required": ["a"],
            }),
        ),
        (
            json!({ "type": "object", "properties": { "a": {} }, "not": { "required": ["a"] }, "enum": [{}] }),
            json!({ "type": "object", "properties": { "a": {} } }),
        ),
    ];
    for profile in PROFILES {
        for (schema, expected) in &cases {
            assert_eq!(&form(schema.clone(), profile), expected, "{profile:?}");
        }
    }
}

#[test]
fn alternatives_of_the_whole_become_members_and_a_sentence() {
    let schema = json!({
        "type": "object",
        "description": "Where to read.",
        "properties": { "limit": { "type": "integer" } },
        "oneOf": [
            {
                "properties": { "kind": { "const": "file" }, "path": { "type": "string" } },
                "required": ["kind", "path"],
                "additionalProperties": false,
            },
            {
                "properties": { "kind": { "const": "url" }, "url": { "type": "string" } },
                "required": ["kind", "url"],
            },
        ],
    });
    for profile in PROFILES {
        let fitted = fitted(schema.clone(), profile);
        assert_eq!(
            Value::Object((*fitted.schema).clone()),
            json!({
                "type": "object",
                "description": "Where to read. Give the members of one of these forms: \
                    {kind: \"file\", path}; {kind: \"url\", url}.",
                "properties": {
                    "limit": { "type": "integer" },
                    "kind": { "enum": ["file", "url"] },
                    "path": { "type": "string" },
                    "url": { "type": "string" },
                },
                "required": ["kind"],
            }),
            "{profile:?}"
        );
        assert!(!fitted.notes.is_empty());
    }
    let required = json!({
        "type": "object",
        "properties": { "id": { "type": "string" }, "name": { "type": "string" } },
        "anyOf": [{ "required": ["id"] }, { "required": ["name"] }],
        "additionalProperties": false,
    });
    assert_eq!(
        form(required, SchemaProfile::Anthropic),
        json!({
            "type": "object",
            "properties": { "id": { "type": "string" }, "name": { "type": "string" } },
            "additionalProperties": false,
            "description": "Give the members of one of these forms: {id}; {name}.",
        })
    );
}

#[test]
fn references_stand_for_themselves_until_they_repeat() {
    let schema = json!({
        "type": "object",
        "properties": {
            "where": { "$ref": "#/$defs/place", "description": "Begin here." },
            "tree": { "$ref": "#/$defs/node" },
        },
        "$defs": {
            "place": { "type": "object", "properties": { "x": { "type": "number" } }, "description": "A place." },
            "node": {
                "type": "object",
                "description": "A node.",
                "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/node" } } },
            },
        },
    });
    for profile in PROFILES {
        let fitted = fitted(schema.clone(), profile);
        assert_eq!(
            Value::Object((*fitted.schema).clone()),
            json!({
                "type": "object",
                "properties": {
                    "where": {
                        "description": "Begin here.",
                        "type": "object",
                        "properties": { "x": { "type": "number" } },
                    },
                    "tree": {
                        "type": "object",
                        "description": "A node.",
                        "properties": {
                            "children": {
                                "type": "array",
                                "items": { "type": "object", "description": "A node." },
                            },
                        },
                    },
                },
            })
        );
        assert_eq!(fitted.notes.len(), 1);
        assert_eq!(
            fitted.notes[0].pointer,
            "/properties/tree/properties/children/items"
        );
    }
}

#[test]
fn what_a_provider_does_not_take_is_left_out_with_a_note() {
    let schema = json!({
        "type": "object",
        "properties": {
            "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }] },
            "maybe": { "type": ["string", "null"] },
            "either": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
            "map": {
                "type": "object",
                "patternProperties": { "^x": { "type": "string" } },
                "additionalProperties": false,
            },
            "list": { "type": "array" },
            "fixed": { "const": 5 },
        },
    });
    assert_eq!(
        form(schema.clone(), SchemaProfile::Strict)["properties"],
        json!({
            "pair": { "type": "array", "items": {} },
            "maybe": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "either": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            "map": { "type": "object" },
            "list": { "type": "array", "items": {} },
            "fixed": { "enum": [5] },
        })
    );
    let kept = form(schema.clone(), SchemaProfile::Anthropic);
    assert_eq!(kept["properties"]["map"], schema["properties"]["map"]);
    assert_eq!(kept["properties"]["either"], schema["properties"]["either"]);
    let notes = fitted(schema, SchemaProfile::DeepSeek).notes;
    let noted: Vec<&str> = notes.iter().map(|note| note.pointer.as_str()).collect();
    assert!(noted.contains(&"/properties/map"), "{noted:?}");
}

#[test]
fn older_dialects_are_told_in_the_newest() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "n": { "type": "integer", "minimum": 0, "exclusiveMinimum": true },
            "pair": { "type": "array", "items": [{ "type": "string" }], "additionalItems": false },
            "maybe": { "type": "string", "nullable": true },
        },
    });
    assert_eq!(
        form(schema, SchemaProfile::Anthropic)["properties"],
        json!({
            "n": { "type": "integer", "exclusiveMinimum": 0 },
            "pair": { "type": "array", "prefixItems": [{ "type": "string" }], "items": false },
            "maybe": { "type": ["string", "null"] },
        })
    );
}

#[test]
fn names_that_providers_refuse() {
    let optional = json!({
        "type": "object",
        "properties": { "good": {}, "sp ace": {}, "deep": { "type": "object", "properties": { "$x": {} } } },
    });
    let fitted_names = form(optional.clone(), SchemaProfile::Anthropic);
    assert_eq!(
        fitted_names["properties"],
        json!({ "good": {}, "deep": { "type": "object", "properties": {} } })
    );
    assert_eq!(form(optional.clone(), SchemaProfile::OpenAi), optional);
    let required =
        json!({ "type": "object", "properties": { "sp ace": {} }, "required": ["sp ace"] });
    let unfit = fit(&object(required), SchemaProfile::Anthropic).unwrap_err();
    assert!(matches!(&unfit, Unfit::MemberName { name } if name == "sp ace"));
    assert_eq!(unfit.code(), codes::MCP_TOOL_SCHEMA_UNSUPPORTED);
}

#[test]
fn schemas_without_a_form_say_why() {
    let huge: Map<String, Value> = (0..4_000)
        .map(|at| {
            (
                format!("member_{at}"),
                json!({ "type": "string", "description": "some words" }),
            )
        })
        .collect();
    let cases = [
        (
            json!({ "type": "string" }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({ "anyOf": [{ "type": "string" }] }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({ "type": "object", "properties": huge }),
            codes::MCP_TOOL_SCHEMA_LIMIT,
        ),
        (
            json!({ "type": "object", "properties": { "a": { "$ref": "https://example.com/a" } } }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
    ];
    for profile in PROFILES {
        for (schema, code) in &cases {
            let unfit = fit(&object(schema.clone()), profile).unwrap_err();
            assert_eq!(unfit.code(), *code, "{unfit}");
        }
    }
}

#[test]
fn doubling_references_and_deep_levels_end() {
    let mut defs = Map::new();
    for at in 0..18 {
        let reference = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
        defs.insert(
            format!("d{at}"),
            json!({ "type": "object", "properties": { "a": reference, "b": reference } }),
        );
    }
    defs.insert("d18".to_owned(), json!({ "type": "string" }));
    let schema = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs,
    });
    for profile in PROFILES {
        match fit(&object(schema.clone()), profile) {
            Ok(fitted) => assert!(!fitted.notes.is_empty()),
            Err(unfit) => assert_eq!(unfit.code(), codes::MCP_TOOL_SCHEMA_LIMIT),
        }
    }
}

/// Schemas of members without what `fit` documents as informing rather than gating.
fn member() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "type": "string", "minLength": 1 })),
        Just(json!({ "type": "integer", "minimum": 0, "exclusiveMaximum": 9 })),
        Just(json!({ "type": ["string", "null"] })),
        Just(json!({ "enum": ["a", 1, null] })),
        Just(json!({ "const": true })),
        Just(json!({ "$ref": "#/$defs/shared" })),
        Just(
            json!({ "type": "array", "prefixItems": [{ "type": "integer" }], "items": { "type": "string" } })
        ),
        Just(json!({})),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|items| json!({ "type": "array", "items": items })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|any| json!({ "anyOf": any })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|one| json!({ "oneOf": one })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({ "allOf": all })),
            (inner.clone(), inner, any::<bool>()).prop_map(|(a, b, closed)| json!({
                "type": "object",
                "properties": { "a": a, "b": b },
                "required": ["a"],
                "additionalProperties": !closed,
            })),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!("a")),
        Just(json!("")),
        Just(json!(1)),
        Just(json!(9)),
        Just(json!(null)),
        Just(json!(true)),
        Just(json!({})),
        Just(json!([])),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            (inner.clone(), prop::option::of(inner)).prop_map(|(a, b)| match b {
                Some(b) => json!({ "a": a, "b": b }),
                None => json!({ "a": a }),
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_form_never_refuses_what_the_schema_accepts(
        first in member(),
        second in member(),
        values in prop::collection::vec((value(), value()), 6),
    ) {
        let schema = json!({
            "type": "object",
            "properties": { "a": first, "b": second },
            "required": ["a"],
            "$defs": { "shared": { "type": "object", "properties": { "a": { "$ref": "#/$defs/shared" } } } },
        });
        let original = ArgumentSchema::compile(&object(schema.clone())).unwrap();
        for profile in PROFILES {
            let fitted = fitted(schema.clone(), profile);
            let form = ArgumentSchema::compile(&fitted.schema).unwrap();
            for (a, b) in &values {
                let arguments = object(json!({ "a": a, "b": b }));
                if original.check(&arguments).is_ok() {
                    prop_assert!(
                        form.check(&arguments).is_ok(),
                        "{:?} refuses {} of {}", profile, json!(*arguments), schema
                    );
                }
            }
            let again = fit(&fitted.schema, profile).unwrap();
            prop_assert_eq!(&*again.schema, &*fitted.schema);
        }
    }
}
