//! A schema made ready: bounded, on its own, and in a known dialect.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Draft;
use serde_json::{Map, Value};

use crate::{
    codes,
    error::McpError,
    limits::{
        MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES, MAX_SCHEMA_PLACES,
        MAX_SCHEMA_REFERENCE_LEVELS,
    },
};

/// Keywords whose value is one schema.
pub(super) const SINGLE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of schemas.
pub(super) const LISTS: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value is an object of schemas.
pub(super) const MAPS: &[&str] = &[
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];
/// Keywords that refer to another place of the schema.
const REFERENCES: &[&str] = &["$ref", "$dynamicRef", "$recursiveRef"];

/// A schema whose references all end inside it.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) root: Value,
    pub(super) draft: Draft,
    anchors: BTreeMap<String, String>,
}

impl Document {
    /// Copies a schema, within the bounds.
    pub(super) fn of(schema: &Map<String, Value>) -> Result<Self, McpError> {
        measure(schema)?;
        let mut root = Value::Object(schema.clone());
        let draft = draft_of(schema);
        let mut found = Found::default();
        let mut at = String::new();
        visit(&mut root, &mut at, &mut |map, at| {
            found.take(map, at, draft);
        });
        let document = Self {
            root,
            draft,
            anchors: found.anchors,
        };
        if found.has_resources && !found.references.is_empty() {
            return Err(unsupported(
                "a part of the schema has an $id of its own, which changes what references mean",
            ));
        }
        document.bound_references(&found.references)?;
        Ok(document)
    }

    /// Whether a reference makes everything beside it mean nothing.
    pub(super) fn is_before_2019(&self) -> bool {
        matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7)
    }

    /// Finds what a reference refers to.
    pub(super) fn resolve(&self, reference: &str) -> Option<&Value> {
        let fragment = decode_percent(reference.strip_prefix('#')?)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.root.pointer(&fragment);
        }
        self.root.pointer(self.anchors.get(&fragment)?)
    }

    /// Returns the references of one place of the schema.
    pub(super) fn references(map: &Map<String, Value>) -> impl Iterator<Item = &str> {
        REFERENCES
            .iter()
            .filter_map(|keyword| map.get(*keyword)?.as_str())
    }

    fn bound_references(&self, references: &BTreeSet<String>) -> Result<(), McpError> {
        let mut levels = 0;
        for reference in references {
            if !reference.starts_with('#') {
                return Err(unsupported(format!(
                    "the schema refers to {:?}, which is not part of it",
                    reference.chars().take(120).collect::<String>()
                )));
            }
            let target = self.resolve(reference).ok_or_else(|| {
                McpError::new(
                    codes::MCP_TOOL_SCHEMA_INVALID,
                    format!(
                        "the schema refers to {:?}, which is not there",
                        reference.chars().take(120).collect::<String>()
                    ),
                )
            })?;
            levels += 1 + depth_of(target);
            if levels > MAX_SCHEMA_REFERENCE_LEVELS {
                return Err(limit(format!(
                    "references reach {levels} levels or more, over {MAX_SCHEMA_REFERENCE_LEVELS}"
                )));
            }
        }
        self.bound_places()
    }

    /// Counts the places as if every reference were a copy: doubling definitions make few bytes cost very much.
    fn bound_places(&self) -> Result<(), McpError> {
        let mut places = 0_usize;
        let mut waiting: Vec<(&Value, usize)> = places_of(&self.root)
            .into_iter()
            .map(|place| (place, 0))
            .collect();
        while let Some((value, depth)) = waiting.pop() {
            places += 1;
            if places > MAX_SCHEMA_PLACES {
                return Err(limit(format!(
                    "the schema with its references in place has over {MAX_SCHEMA_PLACES} places"
                )));
            }
            // References that never leave their value never end; others are places of their own here.
            let Some(map) = value.as_object() else {
                continue;
            };
            if depth > MAX_SCHEMA_REFERENCE_LEVELS {
                return Err(limit("references of the schema never end"));
            }
            waiting.extend(in_place(self, map).map(|next| (next, depth + 1)));
        }
        Ok(())
    }
}

/// Schemas that apply to the same value as the one they stand in.
pub(super) fn in_place<'a>(
    document: &'a Document,
    map: &'a Map<String, Value>,
) -> impl Iterator<Item = &'a Value> {
    let lists = ["allOf", "anyOf", "oneOf"]
        .into_iter()
        .filter_map(|keyword| map.get(keyword)?.as_array())
        .flatten();
    let singles = ["not", "if", "then", "else"]
        .into_iter()
        .filter_map(|keyword| map.get(keyword));
    let maps = ["dependentSchemas", "dependencies"]
        .into_iter()
        .filter_map(|keyword| map.get(keyword)?.as_object())
        .flat_map(Map::values);
    let referred = Document::references(map).filter_map(|reference| document.resolve(reference));
    lists.chain(singles).chain(maps).chain(referred)
}

/// Returns every place of a schema, references not followed.
fn places_of(root: &Value) -> Vec<&Value> {
    let mut places = Vec::new();
    let mut waiting = vec![root];
    while let Some(value) = waiting.pop() {
        places.push(value);
        for (keyword, inner) in value.as_object().into_iter().flatten() {
            let keyword = keyword.as_str();
            match inner {
                Value::Object(_) if SINGLE.contains(&keyword) => waiting.push(inner),
                Value::Object(members) if MAPS.contains(&keyword) => {
                    waiting.extend(members.values());
                }
                Value::Array(items) if LISTS.contains(&keyword) => waiting.extend(items),
                _ => {}
            }
        }
    }
    places
}

/// What a walk over a schema found.
#[derive(Default)]
struct Found {
    references: BTreeSet<String>,
    anchors: BTreeMap<String, String>,
    has_resources: bool,
}

impl Found {
    fn take(&mut self, map: &mut Map<String, Value>, at: &str, draft: Draft) {
        map.shift_remove("$schema");
        let id = if draft == Draft::Draft4 { "id" } else { "$id" };
        if let Some(name) = map.get(id).and_then(Value::as_str) {
            if let Some(anchor) = name.strip_prefix('#') {
                self.anchors.insert(anchor.to_owned(), at.to_owned());
            } else {
                self.has_resources |= !at.is_empty();
                map.shift_remove(id);
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = map.get(keyword).and_then(Value::as_str) {
                self.anchors.insert(name.to_owned(), at.to_owned());
            }
        }
        self.references
            .extend(Document::references(map).map(str::to_owned));
    }
}

/// Calls `f` with every place of a schema that is an object, from the outside in, and its JSON pointer.
///
/// It goes down as deep as [`measure`] allows.
pub(super) fn visit(
    value: &mut Value,
    at: &mut String,
    f: &mut impl FnMut(&mut Map<String, Value>, &str),
) {
    let Value::Object(map) = value else { return };
    f(map, at);
    let length = at.len();
    for (keyword, inner) in map.iter_mut() {
        let keyword = keyword.as_str();
        push_token(at, keyword);
        match inner {
            Value::Object(_) if SINGLE.contains(&keyword) => visit(inner, at, f),
            Value::Object(members) if MAPS.contains(&keyword) => {
                let length = at.len();
                for (name, member) in members.iter_mut() {
                    push_token(at, name);
                    visit(member, at, f);
                    at.truncate(length);
                }
            }
            Value::Array(items) if LISTS.contains(&keyword) => {
                let length = at.len();
                for (index, item) in items.iter_mut().enumerate() {
                    push_token(at, &index.to_string());
                    visit(item, at, f);
                    at.truncate(length);
                }
            }
            _ => {}
        }
        at.truncate(length);
    }
}

/// Lengthens a JSON pointer (RFC 6901).
pub(super) fn push_token(at: &mut String, token: &str) {
    at.push('/');
    for character in token.chars() {
        match character {
            '~' => at.push_str("~0"),
            '/' => at.push_str("~1"),
            other => at.push(other),
        }
    }
}

fn measure(schema: &Map<String, Value>) -> Result<(), McpError> {
    let (mut bytes, mut nodes) = (0_usize, 0_usize);
    let mut waiting: Vec<(&Value, usize)> = Vec::new();
    let members = |map: &Map<String, Value>| -> usize {
        map.keys().map(|key| key.len() + 4).sum::<usize>() + 2
    };
    bytes += members(schema);
    waiting.extend(schema.values().map(|value| (value, 1)));
    while let Some((value, depth)) = waiting.pop() {
        nodes += 1;
        bytes += match value {
            Value::String(text) => text.len() + 2,
            Value::Object(map) => members(map),
            Value::Array(items) => items.len() + 2,
            _ => 4,
        };
        if nodes > MAX_SCHEMA_NODES {
            return Err(limit(format!(
                "the schema has over {MAX_SCHEMA_NODES} values"
            )));
        }
        if bytes > MAX_SCHEMA_BYTES {
            return Err(limit(format!(
                "the schema has over {MAX_SCHEMA_BYTES} bytes"
            )));
        }
        if depth > MAX_SCHEMA_DEPTH {
            return Err(limit(format!(
                "the schema is nested deeper than {MAX_SCHEMA_DEPTH}"
            )));
        }
        match value {
            Value::Object(map) => waiting.extend(map.values().map(|inner| (inner, depth + 1))),
            Value::Array(items) => waiting.extend(items.iter().map(|inner| (inner, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

fn depth_of(value: &Value) -> usize {
    let mut deepest = 0;
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Object(map) => waiting.extend(map.values().map(|inner| (inner, depth + 1))),
            Value::Array(items) => waiting.extend(items.iter().map(|inner| (inner, depth + 1))),
            _ => {}
        }
    }
    deepest
}

/// The dialect that `$schema` names; one that is not known is read as 2020-12, the protocol's default.
fn draft_of(schema: &Map<String, Value>) -> Draft {
    let named = schema
        .get("$schema")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let dialects = [
        ("draft-04", Draft::Draft4),
        ("draft-06", Draft::Draft6),
        ("draft-07", Draft::Draft7),
        ("draft/2019-09", Draft::Draft201909),
    ];
    dialects
        .into_iter()
        .find(|(dialect, _)| named.contains("json-schema.org/") && named.contains(dialect))
        .map_or(Draft::Draft202012, |(_, draft)| draft)
}

fn decode_percent(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
            bytes.push((digit(0)? * 16 + digit(1)?) as u8);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

fn limit(message: impl Into<String>) -> McpError {
    McpError::new(codes::MCP_TOOL_SCHEMA_LIMIT, message)
}

fn unsupported(message: impl Into<String>) -> McpError {
    McpError::new(codes::MCP_TOOL_SCHEMA_UNSUPPORTED, message)
}
