//! Which annotations of arguments make headers (SEP-2243).
//!
//! The protocol library leaves out tools that break these rules, but not in an answer that overtakes its own note of
//! the negotiated revision; what a model is told must not depend on that.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The first revision that has them; revisions are dates, so that their texts compare as they do.
pub(super) const FIRST_REVISION: &str = "2026-07-28";
/// The annotation.
const HEADER: &str = "x-mcp-header";
/// Members of a schema that hold schemas, other than `properties`.
const PARTS: &[&str] = &[
    "$defs",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "definitions",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "then",
];

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
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut properties = properties.into_iter().flat_map(Map::values);
    if !properties.all(|child| all_sound(child, is_reached, names)) {
        return false;
    }
    PARTS.iter().all(|part| {
        let Some(value) = schema.get(*part) else {
            return true;
        };
        let holds_names = matches!(*part, "$defs" | "definitions" | "patternProperties");
        match value {
            Value::Object(parts) if holds_names => {
                parts.values().all(|part| all_sound(part, false, names))
            }
            other => all_sound(other, false, names),
        }
    })
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
        ] {
            let mut page = json!({"tools": [{"name": "t", "inputSchema": schema}]});
            leave_out_broken(&mut page);
            let left = page["tools"].as_array().map_or(0, Vec::len);
            assert_eq!(left == 1, stays, "{schema}");
        }
    }
}
