use std::sync::Arc;

use eyes_evidence::digest::Sha256Digest;
use serde_json::{Map, Value, json};

use super::{ArgumentSchema, SchemaCache, Violation};
use crate::{
    codes,
    definition::ToolDefinition,
    error::McpError,
    limits::{MAX_VIOLATION_RULE_CHARS, MAX_VIOLATIONS},
};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

fn compile(schema: Value) -> Result<ArgumentSchema, McpError> {
    ArgumentSchema::compile(&object(schema))
}

fn check(schema: Value, arguments: Value) -> Result<(), McpError> {
    compile(schema)?.check(&object(arguments))
}

fn violations(schema: Value, value: &Value) -> Vec<String> {
    let schema = compile(schema).unwrap();
    let violations = schema.violations(value).unwrap();
    violations.iter().map(Violation::to_string).collect()
}

#[test]
fn violations_name_the_pointer_and_the_rule() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "minLength": 3, "pattern": "^/" },
            "count": { "type": "integer", "minimum": 1, "maximum": 10 },
            "mode": { "enum": ["fast", "slow"] },
            "list": { "type": "array", "items": { "type": ["string", "null"] }, "maxItems": 2 },
            "a/b~c": { "const": 1 },
            "either": { "anyOf": [{ "type": "string" }, { "type": "number" }] },
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    let cases = [
        (json!({}), r#"(root): required member "path" is missing"#),
        (json!({ "path": 7 }), "/path: type must be string"),
        (json!({ "path": "x" }), "/path: minLength 3"),
        (json!({ "path": "xyz" }), "/path: pattern ^/"),
        (json!({ "path": "/ab", "count": 11 }), "/count: maximum 10"),
        (
            json!({ "path": "/ab", "count": 1.5 }),
            "/count: type must be integer",
        ),
        (
            json!({ "path": "/ab", "mode": "s" }),
            r#"/mode: enum, one of ["fast","slow"]"#,
        ),
        (
            json!({ "path": "/ab", "list": ["a", 3] }),
            "/list/1: type must be null or string",
        ),
        (
            json!({ "path": "/ab", "list": ["a", "b", "c"] }),
            "/list: maxItems 2",
        ),
        (json!({ "path": "/ab", "a/b~c": 2 }), "/a~1b~0c: const 1"),
        (
            json!({ "path": "/ab", "either": true }),
            "/either: anyOf, none of the alternatives fits",
        ),
        (
            json!({ "path": "/ab", "extra": 1 }),
            r#"(root): no members but those of the schema; not "extra""#,
        ),
    ];
    for (arguments, expected) in cases {
        assert!(
            violations(schema.clone(), &arguments).contains(&expected.to_owned()),
            "{arguments}: {:?}",
            violations(schema.clone(), &arguments)
        );
        let error = check(schema.clone(), arguments).unwrap_err();
        assert_eq!(error.code, codes::MCP_TOOL_ARGUMENTS_INVALID);
        assert!(error.message.contains(expected), "{}", error.message);
    }
    check(schema, json!({ "path": "/ab", "count": 10, "either": 1 })).unwrap();
}

#[test]
fn values_are_not_told() {
    let schema = json!({
        "type": "object",
        "properties": {
            "token": { "type": "string", "maxLength": 4, "pattern": "^t", "format": "uuid" },
            "kind": { "enum": ["a"] },
            "number": { "multipleOf": 5 },
            "not": { "not": { "type": "string" } },
        },
    });
    let arguments = json!({
        "token": "sk-secret-1", "kind": "sk-secret-2", "number": 77_123, "not": "sk-secret-3",
    });
    let error = check(schema, arguments).unwrap_err();
    assert!(!error.message.contains("secret"), "{}", error.message);
    assert!(!error.message.contains("77123"), "{}", error.message);
}

#[test]
fn errors_are_bounded() {
    let many = json!({ "additionalProperties": { "type": "string", "enum": ["x".repeat(5_000)] } });
    let arguments: Map<String, Value> = (0..1_000)
        .map(|at| (format!("{}{at}", "k".repeat(900)), json!(at)))
        .collect();
    let schema = ArgumentSchema::compile(&object(many)).unwrap();
    let violations = schema.violations(&arguments.clone().into()).unwrap();
    assert_eq!(violations.len(), MAX_VIOLATIONS);
    assert!(
        violations
            .iter()
            .all(|violation| { violation.rule.chars().count() <= MAX_VIOLATION_RULE_CHARS + 3 })
    );
    assert!(schema.check(&arguments).unwrap_err().message.len() < 5_000);
}

#[test]
fn dialects_are_told_by_schema() {
    let tuple = |dialect: Value| {
        let mut schema = json!({
            "type": "object",
            "properties": { "pair": { "items": [{ "type": "string" }], "additionalItems": false } },
        });
        schema["$schema"] = dialect;
        schema
    };
    let long = json!({ "pair": ["a", "b"] });
    for dialect in [
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-04/schema#",
        "https://json-schema.org/draft/2019-09/schema",
    ] {
        let error = check(tuple(json!(dialect)), long.clone()).unwrap_err();
        assert_eq!(error.code, codes::MCP_TOOL_ARGUMENTS_INVALID, "{dialect}");
    }
    let modern = json!({
        "properties": { "pair": { "prefixItems": [{ "type": "string" }], "items": false } },
    });
    check(modern.clone(), long.clone()).unwrap_err();
    // A dialect that nobody knows is read as the default of the protocol.
    let mut unknown = modern;
    unknown["$schema"] = json!("https://example.com/my-dialect");
    check(unknown, long).unwrap_err();
    let exclusive = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": { "n": { "minimum": 1, "exclusiveMinimum": true } },
    });
    check(exclusive.clone(), json!({ "n": 1 })).unwrap_err();
    check(exclusive, json!({ "n": 2 })).unwrap();
}

#[test]
fn references_inside_work_and_cycles_end() {
    let tree = json!({
        "type": "object",
        "properties": { "root": { "$ref": "#/$defs/node" } },
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "value": { "type": "integer" },
                    "children": { "type": "array", "items": { "$ref": "#/$defs/node" } },
                },
                "required": ["value"],
            },
        },
    });
    let good = json!({ "root": { "value": 1, "children": [{ "value": 2, "children": [] }] } });
    check(tree.clone(), good).unwrap();
    let bad = json!({ "root": { "value": 1, "children": [{ "value": 2 }, { "value": "3" }] } });
    assert_eq!(
        violations(tree, &bad),
        ["/root/children/1/value: type must be integer"]
    );
    let anchored = json!({
        "properties": { "a": { "$ref": "#text" }, "b": { "$ref": "#/$defs/odd%20na~1me" } },
        "$defs": { "t": { "$anchor": "text", "type": "string" }, "odd na/me": { "type": "null" } },
    });
    check(anchored.clone(), json!({ "a": "x", "b": null })).unwrap();
    assert_eq!(
        violations(anchored, &json!({ "a": 1, "b": 1 })),
        ["/a: type must be string", "/b: type must be null"]
    );
    let with_id = json!({
        "$id": "https://example.com/tool.json",
        "properties": { "a": { "$ref": "#/$defs/a" } },
        "$defs": { "a": { "type": "string" } },
    });
    check(with_id, json!({ "a": 1 })).unwrap_err();
}

#[test]
fn schemas_that_cannot_be_used_say_why() {
    let deep = (0..80).fold(json!({}), |inner, _| json!({ "items": inner }));
    let wide: Vec<Value> = (0..120_000).map(|_| json!(1)).collect();
    let long = "x".repeat(1 << 20);
    let cases = [
        (
            json!({ "$ref": "https://example.com/s.json" }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({ "properties": { "a": { "$ref": "other.json#/a" } } }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({ "properties": { "a": { "$ref": "file:///etc/passwd" } } }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({
                "properties": { "a": { "$id": "https://a.example/b", "$ref": "#/$defs/x" } },
                "$defs": { "x": {} },
            }),
            codes::MCP_TOOL_SCHEMA_UNSUPPORTED,
        ),
        (
            json!({ "$ref": "#/$defs/missing" }),
            codes::MCP_TOOL_SCHEMA_INVALID,
        ),
        (json!({ "type": "text" }), codes::MCP_TOOL_SCHEMA_INVALID),
        (
            json!({ "properties": { "a": { "required": true } } }),
            codes::MCP_TOOL_SCHEMA_INVALID,
        ),
        (
            json!({ "properties": { "a": deep } }),
            codes::MCP_TOOL_SCHEMA_LIMIT,
        ),
        (json!({ "enum": wide }), codes::MCP_TOOL_SCHEMA_LIMIT),
        (json!({ "description": long }), codes::MCP_TOOL_SCHEMA_LIMIT),
        (json!({ "$ref": "#" }), codes::MCP_TOOL_SCHEMA_LIMIT),
    ];
    for (schema, code) in cases {
        let error = compile(schema).unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
        assert!(!error.sent);
    }
}

/// Definitions that each refer twice to the next one.
fn doubling(levels: usize, place: &str) -> Value {
    let reference = |at: usize| json!({ "$ref": format!("#/$defs/d{at}") });
    let mut defs = Map::new();
    for at in 0..levels {
        let inner = if place.is_empty() {
            json!({ "allOf": [reference(at + 1), reference(at + 1)] })
        } else {
            json!({ "allOf": [
                { "properties": { (place): reference(at + 1) } },
                { "properties": { (place): reference(at + 1) } },
            ] })
        };
        defs.insert(format!("d{at}"), inner);
    }
    defs.insert(format!("d{levels}"), json!({ "type": "object" }));
    json!({ "type": "object", "allOf": [reference(0)], "$defs": defs })
}

#[test]
fn what_grows_without_end_is_refused_before_it_costs_anything() {
    let error = compile(doubling(60, "")).unwrap_err();
    assert_eq!(error.code, codes::MCP_TOOL_SCHEMA_LIMIT);
    // Harmless to compile, but a value of the right form would be looked at 2^40 times.
    let schema = compile(doubling(40, "a")).unwrap();
    let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    schema.check(&object(nested(5))).unwrap();
    let error = schema.check(&object(nested(40))).unwrap_err();
    assert_eq!(error.code, codes::MCP_TOOL_ARGUMENTS_LIMIT);
    let mut defs = Map::new();
    for at in 0..5_000 {
        defs.insert(
            format!("d{at}"),
            json!({ "$ref": format!("#/$defs/d{}", at + 1) }),
        );
    }
    defs.insert("d5000".to_owned(), json!({}));
    let chain = json!({ "$ref": "#/$defs/d0", "$defs": defs });
    assert_eq!(
        compile(chain).unwrap_err().code,
        codes::MCP_TOOL_SCHEMA_LIMIT
    );
    let cycle = json!({
        "properties": { "x": { "$ref": "#/$defs/a" } },
        "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } },
    });
    assert_eq!(
        compile(cycle).unwrap_err().code,
        codes::MCP_TOOL_SCHEMA_LIMIT
    );
}

#[test]
fn the_deepest_schemas_and_values_that_are_allowed_fit_on_a_small_stack() {
    let mut defs = Map::new();
    for at in 0..300 {
        defs.insert(
            format!("d{at}"),
            json!({ "$ref": format!("#/$defs/d{}", at + 1) }),
        );
    }
    defs.insert("d300".to_owned(), json!({ "type": "object" }));
    let chain = json!({ "$ref": "#/$defs/d0", "$defs": defs });
    check(chain, json!({})).unwrap();
    let tree = json!({
        "type": "object",
        "properties": { "a": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] } },
    });
    let nested = (0..120).fold(json!({}), |inner, _| json!({ "a": inner }));
    check(tree, nested).unwrap();
}

#[test]
fn patterns_that_no_linear_engine_matches_are_left_to_the_server() {
    let schema = json!({
        "type": "object",
        "properties": {
            "mail": { "type": "string", "pattern": "^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z.]+$", "minLength": 2 },
            "plain": { "type": "string", "pattern": "^[a-z]+$" },
        },
        "patternProperties": { "^(?=x)": { "type": "integer" } },
        "additionalProperties": false,
        "not": { "required": ["never"] },
    });
    let compiled = compile(schema).unwrap();
    let skipped: Vec<&str> = compiled
        .skipped()
        .iter()
        .map(|skipped| skipped.pattern.as_str())
        .collect();
    assert_eq!(skipped, ["^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z.]+$", "^(?=x)"]);
    // Nothing that the server might accept is refused.
    compiled
        .check(&object(json!({ "mail": "a@b", "x1": 1, "plain": "abc" })))
        .unwrap();
    let error = compiled
        .check(&object(json!({ "mail": "a", "plain": "ABC" })))
        .unwrap_err();
    assert!(
        error.message.contains("/mail: minLength 2"),
        "{}",
        error.message
    );
    assert!(
        error.message.contains("/plain: pattern"),
        "{}",
        error.message
    );
    let huge = json!({ "properties": { "a": { "pattern": "^(ab{1,500}c){1,500}$" } } });
    assert_eq!(compile(huge).unwrap().skipped().len(), 1);
    // A pattern that takes a backtracking engine years.
    let evil = json!({ "properties": { "a": { "type": "string", "pattern": "^(a+)+$" } } });
    let error = check(evil, json!({ "a": format!("{}!", "a".repeat(5_000)) })).unwrap_err();
    assert_eq!(error.code, codes::MCP_TOOL_ARGUMENTS_INVALID);
}

#[test]
fn formats_inform_and_do_not_refuse() {
    for dialect in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let schema = json!({
            "$schema": dialect,
            "properties": { "when": { "type": "string", "format": "date-time" } },
        });
        check(schema, json!({ "when": "tomorrow" })).unwrap();
    }
}

#[test]
fn structured_content_is_checked_the_same_way() {
    let schema = compile(json!({ "type": "object", "required": ["total"] })).unwrap();
    assert!(
        schema
            .violations(&json!({ "total": 1 }))
            .unwrap()
            .is_empty()
    );
    let violations = schema.violations(&json!([1])).unwrap();
    assert_eq!(violations[0].to_string(), "(root): type must be object");
}

#[test]
fn compiled_schemas_are_kept_by_digest() {
    let definition = ToolDefinition::parse(json!({
        "name": "t",
        "inputSchema": { "type": "object", "required": ["a"] },
        "outputSchema": { "type": "object", "required": ["b"] },
    }))
    .unwrap();
    let cache = SchemaCache::new();
    let digest = Sha256Digest::of(b"one");
    let first = cache.input(digest, &definition);
    assert!(Arc::ptr_eq(&first, &cache.input(digest, &definition)));
    let output = cache.output(digest, &definition).unwrap();
    assert!(!Arc::ptr_eq(&first, &output));
    for at in 0..600_u32 {
        let _unused = cache.input(Sha256Digest::of(&at.to_be_bytes()), &definition);
        if at % 100 == 0 {
            assert!(Arc::ptr_eq(&first, &cache.input(digest, &definition)));
        }
    }
    assert!(!Arc::ptr_eq(
        &output,
        &cache.output(digest, &definition).unwrap()
    ));
    let broken = ToolDefinition::parse(json!({
        "name": "t", "inputSchema": { "type": "object", "$ref": "https://example.com" },
    }))
    .unwrap();
    let failed = cache.input(Sha256Digest::of(b"broken"), &broken);
    assert!(failed.as_ref().as_ref().is_err());
    assert!(cache.output(digest, &broken).is_none());
}
