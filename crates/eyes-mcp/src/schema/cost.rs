//! What a check would cost, counted before it is made.
//!
//! A schema of a few bytes can make a validator work for years: definitions that each refer twice to the next one.
//! So the pairs of a place of the schema and a value that a validator would look at are counted first.

use serde_json::{Map, Value};

use super::document::{Document, in_place};
use crate::limits::{MAX_CHECK_DEPTH, MAX_CHECK_STEPS};

/// Says whether a check stays within the bounds.
pub(super) fn is_affordable(document: &Document, instance: &Value) -> bool {
    let mut walk = Walk {
        document,
        steps: 0,
        waiting: vec![(&document.root, instance, 0)],
    };
    walk.run()
}

struct Walk<'a> {
    document: &'a Document,
    steps: usize,
    waiting: Vec<(&'a Value, &'a Value, usize)>,
}

impl<'a> Walk<'a> {
    fn run(&mut self) -> bool {
        while let Some((schema, instance, depth)) = self.waiting.pop() {
            self.steps += 1;
            if self.steps + self.waiting.len() > MAX_CHECK_STEPS || depth > MAX_CHECK_DEPTH {
                return false;
            }
            if let Some(map) = schema.as_object() {
                self.place(map, instance, depth + 1);
            }
        }
        true
    }

    fn place(&mut self, map: &'a Map<String, Value>, instance: &'a Value, depth: usize) {
        // Finding what is unevaluated looks at everything that applies here once more.
        let again = usize::from(
            map.contains_key("unevaluatedProperties") || map.contains_key("unevaluatedItems"),
        );
        for _ in 0..=again {
            for inner in in_place(self.document, map) {
                self.waiting.push((inner, instance, depth));
            }
        }
        if let Some(options) = map.get("enum").and_then(Value::as_array) {
            self.steps += options.len();
        }
        match instance {
            Value::Object(members) => self.members(map, members, depth),
            Value::Array(items) => self.items(map, items, depth),
            Value::String(text) if map.contains_key("pattern") => self.steps += text.len() / 64,
            _ => {}
        }
    }

    fn members(
        &mut self,
        map: &'a Map<String, Value>,
        members: &'a Map<String, Value>,
        depth: usize,
    ) {
        if let Some(properties) = map.get("properties").and_then(Value::as_object) {
            for (name, inner) in properties {
                self.steps += 1;
                if let Some(value) = members.get(name) {
                    self.waiting.push((inner, value, depth));
                }
            }
        }
        let patterns = map
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values);
        let rest = ["additionalProperties", "unevaluatedProperties"]
            .into_iter()
            .filter_map(|keyword| map.get(keyword));
        for inner in patterns.chain(rest) {
            self.each(inner, members.values(), depth);
        }
        if let Some(inner) = map.get("propertyNames") {
            self.each(inner, members.values().map(|_| &Value::Null), depth);
        }
    }

    fn items(&mut self, map: &'a Map<String, Value>, items: &'a [Value], depth: usize) {
        for keyword in ["prefixItems", "items"] {
            let tuple = map.get(keyword).and_then(Value::as_array);
            for (inner, value) in tuple.into_iter().flatten().zip(items) {
                self.waiting.push((inner, value, depth));
            }
        }
        for keyword in ["items", "additionalItems", "contains", "unevaluatedItems"] {
            if let Some(inner) = map.get(keyword) {
                self.each(inner, items.iter(), depth);
            }
        }
        if map.contains_key("uniqueItems") {
            self.steps += items.len();
        }
    }

    /// Takes one schema for many values; as soon as that is too much, one more is enough to say so.
    fn each(&mut self, schema: &'a Value, values: impl Iterator<Item = &'a Value>, depth: usize) {
        if !schema.is_object() {
            return;
        }
        let room = MAX_CHECK_STEPS.saturating_sub(self.steps + self.waiting.len()) + 1;
        self.waiting
            .extend(values.take(room).map(|value| (schema, value, depth)));
    }
}
