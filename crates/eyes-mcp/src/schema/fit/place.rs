//! One place of a schema after the other.

use serde_json::{Map, Value, json};

use super::{
    FitNote,
    combine::both,
    profile::{Rules, SILENT},
};
use crate::{
    limits::{MAX_DESCRIPTION_CHARS, MAX_FIT_NOTES, MAX_FITTED_NODES, MAX_SCHEMA_DEPTH},
    schema::document::{Document, MAPS, SINGLE, push_token},
    visible::clean_text,
};

/// The types of JSON Schema.
const TYPES: &[&str] = &[
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords with a value of their own that mean something to a model, besides the plain ones.
const KNOWN: &[&str] = &[
    "const",
    "contentEncoding",
    "contentMediaType",
    "dependencies",
    "dependentRequired",
    "deprecated",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxProperties",
    "minContains",
    "minProperties",
    "multipleOf",
    "pattern",
    "readOnly",
    "uniqueItems",
    "writeOnly",
];

/// Rewrites a schema from the outside in.
pub(super) struct Fitter<'a> {
    pub(super) document: &'a Document,
    pub(super) rules: &'static Rules,
    pub(super) at: String,
    notes: Vec<FitNote>,
    /// What the references on the way here refer to.
    open: Vec<&'a Value>,
    nodes: usize,
}

impl<'a> Fitter<'a> {
    pub(super) const fn new(document: &'a Document, rules: &'static Rules) -> Self {
        Self {
            document,
            rules,
            at: String::new(),
            notes: Vec::new(),
            open: Vec::new(),
            nodes: 0,
        }
    }

    pub(super) fn into_notes(self) -> Vec<FitNote> {
        self.notes
    }

    pub(super) fn note(&mut self, change: impl Into<String>) {
        if self.notes.len() < MAX_FIT_NOTES {
            let note = FitNote {
                pointer: self.at.clone(),
                change: change.into(),
            };
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Does something one level further in.
    pub(super) fn inside<T>(&mut self, token: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.at.len();
        push_token(&mut self.at, token);
        let result = f(self);
        self.at.truncate(length);
        result
    }

    /// Rewrites one place.
    pub(super) fn place(&mut self, value: &'a Value, depth: usize) -> Map<String, Value> {
        self.nodes += 1;
        let Value::Object(map) = value else {
            if !value.is_boolean() {
                self.note("what is no schema may be anything");
            }
            return Map::new();
        };
        if depth >= self.rules.max_depth || self.open.len() >= MAX_SCHEMA_DEPTH {
            self.note("what is nested deeper may be anything");
            return permissive(map);
        }
        if self.nodes > MAX_FITTED_NODES {
            self.note("the schema is too large from here on; it may be anything");
            return permissive(map);
        }
        let mut out = self.own(map, depth);
        for reference in Document::references(map) {
            let referred = self.referred(reference, depth);
            out = both(out, referred);
        }
        for part in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let part = self.place(part, depth);
            out = both(out, part);
        }
        if !out.contains_key("if") {
            out.shift_remove("then");
            out.shift_remove("else");
        }
        self.finish(out)
    }

    fn referred(&mut self, reference: &str, depth: usize) -> Map<String, Value> {
        let Some(target) = self.document.resolve(reference) else {
            self.note("a reference to nothing may be anything");
            return Map::new();
        };
        if self.open.iter().any(|open| std::ptr::eq(*open, target)) {
            self.note("the schema refers to itself here; deeper down it may be anything");
            return target.as_object().map(permissive).unwrap_or_default();
        }
        self.open.push(target);
        let fitted = self.place(target, depth);
        self.open.pop();
        fitted
    }

    /// Rewrites everything of a place but references and `allOf`.
    fn own(&mut self, map: &'a Map<String, Value>, depth: usize) -> Map<String, Value> {
        let ignores_siblings = map.contains_key("$ref") && self.document.is_before_2019();
        let mut out = Map::new();
        for (keyword, inner) in map {
            let keyword = keyword.as_str();
            if SILENT.contains(&keyword)
                || matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf")
                || (ignores_siblings && !matches!(keyword, "title" | "description" | "default"))
            {
                continue;
            }
            match keyword {
                "type" => self.types(inner, map, &mut out),
                "properties" => self.members(inner, depth, &mut out),
                "required" => required(inner, &mut out),
                "anyOf" | "oneOf" => self.alternatives(keyword, inner, depth, &mut out),
                "items" | "prefixItems" => self.items(keyword, map, depth, &mut out),
                "exclusiveMinimum" | "exclusiveMaximum" | "minimum" | "maximum" => {
                    self.bound(keyword, map, &mut out);
                }
                "additionalProperties" => self.rest(inner, map, depth, &mut out),
                "additionalItems" => {}
                "const" if !self.rules.keeps("const") => {
                    out.insert("enum".to_owned(), json!([inner]));
                }
                _ => self.other(keyword, inner, depth, &mut out),
            }
        }
        out
    }

    fn other(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        depth: usize,
        out: &mut Map<String, Value>,
    ) {
        let rules = self.rules;
        let is_known = KNOWN.contains(&keyword)
            || super::profile::PLAIN.contains(&keyword)
            || SINGLE.contains(&keyword)
            || MAPS.contains(&keyword);
        if !is_known {
            return;
        }
        if !rules.keeps(keyword) {
            self.note(format!("without {keyword}"));
            return;
        }
        let fitted = match inner {
            Value::Object(_) if SINGLE.contains(&keyword) => {
                self.inside(keyword, |this| this.place(inner, depth + 1).into())
            }
            Value::Object(members) if MAPS.contains(&keyword) => self.inside(keyword, |this| {
                let fit = |(name, member): (&String, &'a Value)| {
                    let member = if member.is_object() {
                        this.inside(name, |this| this.place(member, depth + 1).into())
                    } else {
                        member.clone()
                    };
                    (name.clone(), member)
                };
                members.iter().map(fit).collect::<Map<_, _>>().into()
            }),
            Value::String(text) if matches!(keyword, "description" | "title") => {
                clean_text(text, MAX_DESCRIPTION_CHARS).into()
            }
            _ => inner.clone(),
        };
        // What refuses by a match would refuse more if its schema accepts more than before.
        if ["not", "if", "contains"].contains(&keyword) && fitted != *inner {
            self.note(format!("without {keyword}"));
            return;
        }
        out.insert(keyword.to_owned(), fitted);
    }

    fn types(&mut self, inner: &Value, map: &Map<String, Value>, out: &mut Map<String, Value>) {
        let listed: Vec<&str> = match inner {
            Value::String(one) => vec![one],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut known: Vec<&str> = Vec::new();
        for name in &listed {
            if TYPES.contains(name) && !known.contains(name) {
                known.push(name);
            }
        }
        if known.len() < listed.len().max(1) {
            self.note("a type that is none is left out");
            // With a type missing that might fit, the others would refuse too much.
            return;
        }
        let is_nullable = map.get("nullable") == Some(&Value::Bool(true));
        if is_nullable && !known.contains(&"null") {
            known.push("null");
        }
        match known.as_slice() {
            [one] => drop(out.insert("type".to_owned(), json!(one))),
            several if !self.rules.plain_only => {
                out.insert("type".to_owned(), json!(several));
            }
            _ if out.contains_key("anyOf")
                || map.contains_key("anyOf")
                || map.contains_key("oneOf") =>
            {
                self.note("without its list of types");
            }
            several => {
                let alternatives: Vec<Value> =
                    several.iter().map(|name| json!({ "type": name })).collect();
                out.insert("anyOf".to_owned(), alternatives.into());
            }
        }
    }

    fn members(&mut self, inner: &'a Value, depth: usize, out: &mut Map<String, Value>) {
        let Some(members) = inner.as_object() else {
            self.note("members that are none are left out");
            return;
        };
        let fitted = self.inside("properties", |this| {
            let mut fitted = Map::new();
            for (name, member) in members {
                if !this.rules.accepts_name(name) && depth > 0 {
                    this.note("members whose names the provider refuses are left out");
                } else if member == &Value::Bool(false) {
                    this.note("members that may not be given are left out");
                } else {
                    let place = this.inside(name, |this| this.place(member, depth + 1));
                    fitted.insert(name.clone(), place.into());
                }
            }
            fitted
        });
        out.insert("properties".to_owned(), fitted.into());
    }

    fn alternatives(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        depth: usize,
        out: &mut Map<String, Value>,
    ) {
        let listed = inner.as_array().map_or(&[][..], Vec::as_slice);
        let mut fitted: Vec<Value> = Vec::new();
        for alternative in listed {
            // Alternatives stand beside their place; only what holds them is a level.
            if alternative != &Value::Bool(false) {
                fitted.push(self.place(alternative, depth + 1).into());
            }
        }
        // An alternative that accepts more than before may accept what another one does: that exactly one fits can
        // no longer be asked.
        let is_exact = keyword == "oneOf" && !self.rules.plain_only && fitted == listed;
        let keyword = if is_exact { "oneOf" } else { "anyOf" };
        if out.contains_key(keyword) {
            self.note("without the second list of alternatives");
            return;
        }
        if !is_exact {
            let mut distinct: Vec<Value> = Vec::new();
            for place in fitted {
                if !distinct.contains(&place) {
                    distinct.push(place);
                }
            }
            fitted = distinct;
            if fitted.contains(&json!({})) {
                return;
            }
        }
        if !fitted.is_empty() {
            out.insert(keyword.to_owned(), fitted.into());
        }
    }

    fn items(
        &mut self,
        keyword: &str,
        map: &'a Map<String, Value>,
        depth: usize,
        out: &mut Map<String, Value>,
    ) {
        match map.get(keyword) {
            Some(Value::Array(tuple)) if self.rules.keeps("prefixItems") => {
                let places: Vec<Value> = tuple
                    .iter()
                    .map(|item| self.place(item, depth + 1).into())
                    .collect();
                if !places.is_empty() {
                    out.insert("prefixItems".to_owned(), places.into());
                }
                // Before 2020-12 `additionalItems` said what follows a tuple.
                if keyword == "items" {
                    let rest = map.get("additionalItems").unwrap_or(&Value::Bool(true));
                    let rest = match rest {
                        Value::Object(_) => self.place(rest, depth + 1).into(),
                        Value::Bool(false) => Value::Bool(false),
                        _ => json!({}),
                    };
                    out.insert("items".to_owned(), rest);
                }
            }
            Some(Value::Array(_)) => {
                self.note("items of different kinds may be anything");
                out.insert("items".to_owned(), json!({}));
            }
            Some(Value::Bool(false)) if keyword == "items" && self.rules.keeps("prefixItems") => {
                out.insert("items".to_owned(), Value::Bool(false));
            }
            Some(_) if keyword == "items" && self.loses_prefix(map) => {}
            Some(item) if keyword == "items" => {
                let place = self.inside("items", |this| this.place(item, depth + 1));
                out.insert("items".to_owned(), place.into());
            }
            _ => {}
        }
    }

    /// Whether `items` says what follows a tuple that is left out.
    fn loses_prefix(&self, map: &Map<String, Value>) -> bool {
        map.get("prefixItems").is_some_and(Value::is_array) && !self.rules.keeps("prefixItems")
    }

    /// Rewrites a bound of numbers; before draft-06 the exclusive ones were flags of the others.
    fn bound(&mut self, keyword: &str, map: &Map<String, Value>, out: &mut Map<String, Value>) {
        let exclusive = if keyword.ends_with("inimum") {
            "exclusiveMinimum"
        } else {
            "exclusiveMaximum"
        };
        let is_flag = map.get(exclusive) == Some(&Value::Bool(true));
        let Some(value) = map.get(keyword).filter(|value| value.is_number()) else {
            return;
        };
        let target = if is_flag { exclusive } else { keyword };
        if self.rules.keeps(target) {
            out.insert(target.to_owned(), value.clone());
        } else {
            self.note(format!("without {target}"));
        }
    }

    fn rest(
        &mut self,
        inner: &'a Value,
        map: &'a Map<String, Value>,
        depth: usize,
        out: &mut Map<String, Value>,
    ) {
        if map.contains_key("patternProperties") && !self.rules.keeps("patternProperties") {
            self.note("members beside the named ones may be anything");
            return;
        }
        let fitted = match inner {
            Value::Object(_) => self.inside("additionalProperties", |this| {
                this.place(inner, depth + 1).into()
            }),
            Value::Bool(_) => inner.clone(),
            _ => return,
        };
        out.insert("additionalProperties".to_owned(), fitted);
    }

    /// Completes what APIs ask for: a type where members or items are listed, items of a list, and a place for each
    /// required member.
    fn finish(&mut self, mut out: Map<String, Value>) -> Map<String, Value> {
        let is_open = ["type", "anyOf", "oneOf", "enum", "const"]
            .iter()
            .all(|keyword| !out.contains_key(*keyword));
        if is_open {
            let implied = if out.contains_key("properties") {
                Some("object")
            } else if out.contains_key("items") || out.contains_key("prefixItems") {
                Some("array")
            } else {
                None
            };
            if let Some(implied) = implied {
                out.shift_insert(0, "type".to_owned(), json!(implied));
            }
        }
        let is_list = match out.get("type") {
            Some(Value::String(name)) => name == "array",
            Some(Value::Array(names)) => names.iter().any(|name| name == "array"),
            _ => false,
        };
        if is_list && !out.contains_key("items") {
            out.insert("items".to_owned(), json!({}));
        }
        if out.contains_key("properties") {
            self.place_required(&mut out);
        }
        out
    }

    /// Gives every required member a place.
    pub(super) fn place_required(&mut self, out: &mut Map<String, Value>) {
        let names: Vec<String> = out
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        let Some(Value::Object(members)) = out.get_mut("properties") else {
            return;
        };
        let before = members.len();
        for name in names {
            members.entry(name).or_insert_with(|| json!({}));
        }
        if members.len() > before {
            self.note("required members without a schema may be anything");
        }
    }
}

fn required(inner: &Value, out: &mut Map<String, Value>) {
    let mut names: Vec<&Value> = Vec::new();
    for name in inner.as_array().into_iter().flatten() {
        if name.is_string() && !names.contains(&name) {
            names.push(name);
        }
    }
    // An empty list is allowed since draft-06 and says nothing.
    if inner.is_array() {
        out.insert("required".to_owned(), json!(names));
    }
}

/// A schema that accepts whatever `map` accepts: its type and its description.
fn permissive(map: &Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    if let Some(Value::String(name)) = map.get("type")
        && TYPES.contains(&name.as_str())
        && map.get("nullable") != Some(&Value::Bool(true))
    {
        out.insert("type".to_owned(), json!(name));
        if name == "array" {
            out.insert("items".to_owned(), json!({}));
        }
    }
    if let Some(text) = map.get("description").filter(|text| text.is_string()) {
        out.insert("description".to_owned(), text.clone());
    }
    out
}
