//! Patterns that a linear engine cannot match.

use std::collections::BTreeMap;

use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value, json};

use super::document::visit;
use crate::{
    codes,
    error::McpError,
    limits::{MAX_PATTERN_AUTOMATON_BYTES, MAX_SCHEMA_PATTERNS},
};

/// The options of every validator: nothing is fetched, patterns take linear time, formats inform.
pub(super) fn options(draft: Draft) -> jsonschema::ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(
            PatternOptions::regex()
                .size_limit(MAX_PATTERN_AUTOMATON_BYTES)
                .dfa_size_limit(MAX_PATTERN_AUTOMATON_BYTES),
        )
}

/// Takes out the patterns that cannot be matched, such as those that look ahead, and returns them.
///
/// The rest of the schema never refuses what the whole one accepts: where a pattern is missing, everything that
/// turns a match into a refusal goes too.
pub(super) fn skip_unmatchable(root: &mut Value, draft: Draft) -> Result<Vec<String>, McpError> {
    let mut fits: BTreeMap<String, bool> = BTreeMap::new();
    let mut note = |pattern: &str| {
        if fits.len() <= MAX_SCHEMA_PATTERNS && !fits.contains_key(pattern) {
            fits.insert(pattern.to_owned(), false);
        }
    };
    visit(root, &mut String::new(), &mut |map, _| {
        map.get("pattern")
            .and_then(Value::as_str)
            .into_iter()
            .for_each(&mut note);
        keys(map).for_each(&mut note);
    });
    if fits.len() > MAX_SCHEMA_PATTERNS {
        return Err(McpError::new(
            codes::MCP_TOOL_SCHEMA_LIMIT,
            format!("the schema has over {MAX_SCHEMA_PATTERNS} patterns"),
        ));
    }
    let options = options(draft);
    for (pattern, fits) in &mut fits {
        *fits = options.build(&json!({ "pattern": pattern })).is_ok();
    }
    let skipped: Vec<String> = fits
        .iter()
        .filter(|(_, fits)| !**fits)
        .map(|(pattern, _)| pattern.clone())
        .collect();
    if !skipped.is_empty() {
        visit(root, &mut String::new(), &mut |map, _| loosen(map, &fits));
    }
    Ok(skipped)
}

fn keys(map: &Map<String, Value>) -> impl Iterator<Item = &str> {
    map.get("patternProperties")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
}

fn loosen(map: &mut Map<String, Value>, fits: &BTreeMap<String, bool>) {
    let is_bad = |pattern: &str| fits.get(pattern) == Some(&false);
    if map
        .get("pattern")
        .and_then(Value::as_str)
        .is_some_and(is_bad)
    {
        map.shift_remove("pattern");
    }
    if keys(map).any(is_bad) {
        if let Some(Value::Object(members)) = map.get_mut("patternProperties") {
            members.retain(|pattern, _| !is_bad(pattern));
        }
        map.shift_remove("additionalProperties");
    }
    // A match may be known no longer, so nothing may be refused because of one.
    for keyword in [
        "not",
        "if",
        "then",
        "else",
        "maxContains",
        "unevaluatedProperties",
        "unevaluatedItems",
    ] {
        map.shift_remove(keyword);
    }
    if let Some(alternatives) = map.shift_remove("oneOf")
        && !map.contains_key("anyOf")
    {
        map.insert("anyOf".to_owned(), alternatives);
    }
}
