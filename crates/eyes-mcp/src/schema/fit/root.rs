//! The whole: an object without alternatives, which every API asks for.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Unfit, combine::both, place::Fitter};

/// Keywords that APIs refuse in the whole schema, besides the alternatives.
const REFUSED: &[&str] = &["not", "enum", "const", "if", "then", "else"];
/// Alternatives that are told apart.
const MAX_ALTERNATIVES: usize = 64;
/// Characters of the sentence that tells them apart.
const MAX_FORMS_CHARS: usize = 600;

impl Fitter<'_> {
    /// Rewrites the whole schema.
    pub(super) fn whole(&mut self) -> Result<Map<String, Value>, Unfit> {
        let root = &self.document.root;
        let mut out = self.place(root, 0);
        for keyword in REFUSED {
            if out.shift_remove(*keyword).is_some() {
                self.note(format!("without {keyword}"));
            }
        }
        object_type(&mut out)?;
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = out.shift_remove(keyword) {
                out = self.without_alternatives(out, alternatives)?;
            }
        }
        if !out.get("properties").is_some_and(Value::is_object) {
            out.insert("properties".to_owned(), json!({}));
        }
        self.place_required(&mut out);
        self.name_members(&mut out)?;
        Ok(out)
    }

    /// Leaves optional members out whose names the provider refuses.
    fn name_members(&mut self, out: &mut Map<String, Value>) -> Result<(), Unfit> {
        let required: Vec<Value> = out
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let rules = self.rules;
        let refused = |name: &str| !rules.accepts_name(name);
        if let Some(name) = required
            .iter()
            .filter_map(Value::as_str)
            .find(|name| refused(name))
        {
            return Err(Unfit::MemberName {
                name: name.chars().take(80).collect(),
            });
        }
        if let Some(Value::Object(members)) = out.get_mut("properties") {
            let before = members.len();
            members.retain(|name, _| !refused(name));
            if members.len() < before {
                self.note("members whose names the provider refuses are left out");
            }
        }
        Ok(())
    }

    fn without_alternatives(
        &mut self,
        base: Map<String, Value>,
        alternatives: Vec<Value>,
    ) -> Result<Map<String, Value>, Unfit> {
        let mut branches = Vec::new();
        flatten(alternatives, &Map::new(), &mut branches);
        branches.retain(|branch| branch.get("type").is_none_or(may_be_object));
        if branches.is_empty() {
            return Err(Unfit::NotObject {
                found: "alternatives without an object".to_owned(),
            });
        }
        if branches.len() > MAX_ALTERNATIVES {
            self.note("alternatives beyond the first 64 are left out");
            branches.truncate(MAX_ALTERNATIVES);
        }
        self.note("the alternatives of the whole are one object and a sentence");
        let forms = forms(&base, &branches);
        let mut out = united(base, &branches);
        if let Some(forms) = forms {
            let text = match out.get("description").and_then(Value::as_str) {
                Some(text) => format!("{text} {forms}"),
                None => forms,
            };
            out.insert("description".to_owned(), text.into());
        }
        Ok(out)
    }
}

fn may_be_object(kind: &Value) -> bool {
    kind == "object"
        || kind
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind == "object"))
}

fn object_type(out: &mut Map<String, Value>) -> Result<(), Unfit> {
    match out.get("type") {
        Some(kind) if may_be_object(kind) => {
            out.insert("type".to_owned(), json!("object"));
        }
        None => drop(out.shift_insert(0, "type".to_owned(), json!("object"))),
        Some(other) => {
            return Err(Unfit::NotObject {
                found: other.to_string(),
            });
        }
    }
    Ok(())
}

/// Takes alternatives out of alternatives.
fn flatten(
    alternatives: Vec<Value>,
    outer: &Map<String, Value>,
    out: &mut Vec<Map<String, Value>>,
) {
    for alternative in alternatives {
        if out.len() > MAX_ALTERNATIVES {
            return;
        }
        let Value::Object(mut branch) = alternative else {
            continue;
        };
        let inner = branch
            .shift_remove("anyOf")
            .or_else(|| branch.shift_remove("oneOf"));
        let branch = both(outer.clone(), branch);
        match inner {
            Some(Value::Array(inner)) => flatten(inner, &branch, out),
            _ => out.push(branch),
        }
    }
}

fn names(map: &Map<String, Value>) -> Vec<&str> {
    map.get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn member<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get("properties")?.as_object()?.get(name)
}

/// Makes one object of the alternatives: all their members, and what all of them require.
fn united(mut base: Map<String, Value>, branches: &[Map<String, Value>]) -> Map<String, Value> {
    let mut order: Vec<String> = Vec::new();
    for map in std::iter::once(&base).chain(branches) {
        let members = map.get("properties").and_then(Value::as_object);
        for name in members.into_iter().flat_map(Map::keys) {
            if !order.contains(name) {
                order.push(name.clone());
            }
        }
    }
    let members: Map<String, Value> = order
        .into_iter()
        .map(|name| {
            let variants = variants(&base, branches, &name);
            (name, one_of(variants))
        })
        .collect();
    let mut required: Vec<String> = names(&base).into_iter().map(str::to_owned).collect();
    for name in names(&branches[0]) {
        let is_everywhere = branches.iter().all(|branch| names(branch).contains(&name));
        if is_everywhere && !required.iter().any(|known| known == name) {
            required.push(name.to_owned());
        }
    }
    let closed = Value::Bool(false);
    let is_closed = branches
        .iter()
        .all(|branch| branch.get("additionalProperties") == Some(&closed));
    if !members.is_empty() {
        base.insert("properties".to_owned(), members.into());
    }
    if !required.is_empty() {
        base.insert("required".to_owned(), json!(required));
    }
    if is_closed {
        base.insert("additionalProperties".to_owned(), closed);
    }
    base
}

/// Returns every form that a member has in some alternative.
fn variants(base: &Map<String, Value>, branches: &[Map<String, Value>], name: &str) -> Vec<Value> {
    let mine = member(base, name);
    let mut variants: Vec<Value> = Vec::new();
    for branch in branches {
        let variant = match (mine, member(branch, name)) {
            (Some(Value::Object(mine)), Some(Value::Object(theirs))) => {
                both(mine.clone(), theirs.clone()).into()
            }
            (None, Some(theirs)) => theirs.clone(),
            (Some(mine), _) => mine.clone(),
            (None, None) => continue,
        };
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    variants
}

fn one_of(mut variants: Vec<Value>) -> Value {
    if variants.len() == 1 {
        return variants.remove(0);
    }
    if variants.iter().any(|variant| variant == &json!({})) {
        return json!({});
    }
    // Members that tell the alternatives apart have one constant in each.
    let constants: Option<Vec<Value>> = variants
        .iter()
        .map(constants)
        .collect::<Option<Vec<_>>>()
        .map(|all| {
            let mut distinct = Vec::new();
            for value in all.into_iter().flatten() {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            distinct
        });
    match constants {
        Some(constants) => {
            let mut out = Map::new();
            if let Some(kind) = variants[0].get("type")
                && variants
                    .iter()
                    .all(|variant| variant.get("type") == Some(kind))
            {
                out.insert("type".to_owned(), kind.clone());
            }
            out.insert("enum".to_owned(), constants.into());
            out.into()
        }
        None => json!({ "anyOf": variants }),
    }
}

/// Returns the values of a schema that is nothing but a choice of values.
fn constants(schema: &Value) -> Option<Vec<Value>> {
    let map = schema.as_object()?;
    let is_plain = map.keys().all(|key| {
        matches!(
            key.as_str(),
            "type" | "const" | "enum" | "title" | "description" | "default"
        )
    });
    if !is_plain {
        return None;
    }
    match (map.get("const"), map.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    }
}

/// Says which members go together.
fn forms(base: &Map<String, Value>, branches: &[Map<String, Value>]) -> Option<String> {
    let common = names(base);
    let mut listed: Vec<String> = Vec::new();
    for branch in branches {
        let mut parts = Vec::new();
        let members = branch.get("properties").and_then(Value::as_object);
        for (name, schema) in members.into_iter().flatten() {
            if let Some([value]) = constants(schema).as_deref() {
                parts.push(format!("{name}: {value}"));
            }
        }
        for name in names(branch) {
            let is_told = parts
                .iter()
                .any(|part| part.starts_with(&format!("{name}: ")));
            if !common.contains(&name) && !is_told {
                parts.push(name.to_owned());
            }
        }
        let form = format!("{{{}}}", parts.join(", "));
        if !listed.contains(&form) {
            listed.push(form);
        }
    }
    if listed.len() < 2 {
        return None;
    }
    let mut text = "Give the members of one of these forms: ".to_owned();
    for (index, form) in listed.iter().enumerate() {
        if text.len() + form.len() > MAX_FORMS_CHARS {
            write!(text, "and {} more", listed.len() - index).ok()?;
            break;
        }
        text.push_str(form);
        if index + 1 < listed.len() {
            text.push_str("; ");
        }
    }
    text.push('.');
    Some(text)
}
