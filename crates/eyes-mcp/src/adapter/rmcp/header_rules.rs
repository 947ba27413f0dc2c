//! Which annotations of arguments make headers (SEP-2243).
//!
//! The protocol library sends such headers and leaves out tools that break these rules, but not in an answer that
//! overtakes its own note of the negotiated revision; what a model is told must not depend on that. The rules here are
//! the same, so that what is kept here is what the library knows.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The first revision that has them; revisions are dates, so that their texts compare as they do.
pub(super) const FIRST_REVISION: &str = "2026-07-28";
/// The annotation.
const HEADER: &str = "x-mcp-header";
/// Members of a schema that hold schemas by name, other than `properties`.
const NAMED: [&str; 5] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
];
/// Members that hold values or names of properties, no schema.
const DATA: [&str; 5] = ["const", "default", "dependentRequired", "enum", "examples"];

/// Takes the tools out of a page of `tools/list` whose annotations break the rules.
pub(super) fn leave_out_broken(page: &mut Value) {
    let Some(tools) = page.get_mut("tools").and_then(Value::as_array_mut) else {
        return;
    };
    tools.retain(|tool| {
        let schema = tool.get("inputSchema").and_then(Value::as_object);
        schema.is_none_or(|schema| is_sound(schema, true, &mut BTreeSet::new()))
    });
}

/// Each annotation is a token of RFC 9110, unique in any case, on a text, an integer or a yes-or-no that is reached
/// through `properties` alone.
fn is_sound(schema: &Map<String, Value>, is_reached: bool, names: &mut BTreeSet<String>) -> bool {
    if let Some(annotation) = schema.get(HEADER) {
        let name = annotation.as_str().filter(|name| is_token(name));
        let kind = schema.get("type").and_then(Value::as_str);
        let is_plain = matches!(kind, Some("string" | "integer" | "boolean"));
        let is_new = name.is_some_and(|name| names.insert(name.to_ascii_lowercase()));
        if !(is_reached && is_plain && is_new) {
            return false;
        }
    }
    schema.iter().all(|(member, value)| match member.as_str() {
        HEADER => true,
        "properties" => named_sound(value, is_reached, names),
        member if NAMED.contains(&member) => named_sound(value, false, names),
        member if DATA.contains(&member) => true,
        // What is no keyword may hold a schema that is referred to.
        _ => all_sound(value, false, names),
    })
}

fn named_sound(value: &Value, is_reached: bool, names: &mut BTreeSet<String>) -> bool {
    let mut schemas = value.as_object().into_iter().flat_map(Map::values);
    schemas.all(|schema| all_sound(schema, is_reached, names))
}

fn all_sound(value: &Value, is_reached: bool, names: &mut BTreeSet<String>) -> bool {
    match value {
        Value::Object(schema) => is_sound(schema, is_reached, names),
        Value::Array(list) => list.iter().all(|part| all_sound(part, false, names)),
        _ => true,
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_sound_annotations_stay() {
        let header = |name: &str| json!({"type": "string", "x-mcp-header": name});
        for (stays, schema) in [
            (true, json!({"properties": {"a": header("Region")}})),
            (
                true,
                json!({"properties": {"o": {"properties": {"a": header("A")}}}}),
            ),
            (
                true,
                json!({"properties": {"x-mcp-header": {"type": "string"}}}),
            ),
            (false, json!({"properties": {"a": header("")}})),
            (false, json!({"properties": {"a": header("two words")}})),
            (
                false,
                json!({"properties": {"a": header("A"), "b": header("a")}}),
            ),
            (
                false,
                json!({"properties": {"a": {"type": "object", "x-mcp-header": "A"}}}),
            ),
            (false, json!({"properties": {"l": {"items": header("A")}}})),
            (
                false,
                json!({"anyOf": [{"properties": {"a": header("A")}}]}),
            ),
            (false, json!({"dependentSchemas": {"b": header("A")}})),
            (false, json!({"components": {"b": header("A")}})),
            (true, json!({"default": {"x-mcp-header": "A"}})),
            (false, json!({"type": "string", "x-mcp-header": 1})),
        ] {
            let mut page = json!({"tools": [{"name": "t", "inputSchema": schema}]});
            leave_out_broken(&mut page);
            let left = page["tools"].as_array().map_or(0, Vec::len);
            assert_eq!(left == 1, stays, "{schema}");
        }
    }
}
