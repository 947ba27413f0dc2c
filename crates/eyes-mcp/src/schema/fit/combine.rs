//! Two schemas as one.

use serde_json::{Map, Value, json};

/// Returns a schema that accepts whatever both accept, and as little else as plain keywords can say.
///
/// Where the two say different things that no keyword can say together, the first one's word stands.
pub(super) fn both(first: Map<String, Value>, second: Map<String, Value>) -> Map<String, Value> {
    if first.is_empty() {
        return second;
    }
    let mut out = first;
    let has_condition = ["if", "then", "else"]
        .iter()
        .any(|keyword| out.contains_key(*keyword));
    for (keyword, value) in second {
        if has_condition && matches!(keyword.as_str(), "if" | "then" | "else") {
            continue;
        }
        let Some(mine) = out.get_mut(&keyword) else {
            out.insert(keyword, value);
            continue;
        };
        match keyword.as_str() {
            "properties" | "patternProperties" => members(mine, value),
            "required" => union(mine, value),
            "type" => types(mine, &value),
            "enum" => intersection(mine, &value),
            "additionalProperties" | "items" | "propertyNames" | "contains" => nested(mine, value),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
                tighter(mine, value, |mine, other| other > mine);
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
                tighter(mine, value, |mine, other| other < mine);
            }
            _ => {}
        }
    }
    out
}

fn members(mine: &mut Value, other: Value) {
    let (Value::Object(mine), Value::Object(other)) = (mine, other) else {
        return;
    };
    for (name, member) in other {
        match mine.get_mut(&name) {
            Some(known) => nested(known, member),
            None => drop(mine.insert(name, member)),
        }
    }
}

fn nested(mine: &mut Value, other: Value) {
    *mine = match (mine.take(), other) {
        (Value::Object(mine), Value::Object(other)) => both(mine, other).into(),
        (Value::Bool(true), other) => other,
        (_, Value::Bool(false)) => Value::Bool(false),
        (mine, _) => mine,
    };
}

fn union(mine: &mut Value, other: Value) {
    let (Value::Array(mine), Value::Array(other)) = (mine, other) else {
        return;
    };
    for item in other {
        if !mine.contains(&item) {
            mine.push(item);
        }
    }
}

fn intersection(mine: &mut Value, other: &Value) {
    let (Value::Array(mine), Value::Array(other)) = (mine, other) else {
        return;
    };
    let shared: Vec<Value> = mine
        .iter()
        .filter(|item| other.contains(item))
        .cloned()
        .collect();
    if !shared.is_empty() {
        *mine = shared;
    }
}

fn types(mine: &mut Value, other: &Value) {
    let list = |value: &Value| match value {
        Value::Array(names) => names.clone(),
        one => vec![one.clone()],
    };
    let (ours, theirs) = (list(mine), list(other));
    // Every integer is a number.
    let has = |names: &[Value], name: &Value| {
        names.contains(name) || (name == "integer" && names.iter().any(|known| known == "number"))
    };
    let mut shared: Vec<Value> = ours
        .iter()
        .filter(|name| has(&theirs, name))
        .chain(theirs.iter().filter(|name| has(&ours, name)))
        .cloned()
        .collect();
    shared.dedup();
    let mut distinct: Vec<Value> = Vec::new();
    for name in shared {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.len() {
        0 => {}
        1 => *mine = distinct.remove(0),
        _ => *mine = json!(distinct),
    }
}

fn tighter(mine: &mut Value, other: Value, is_tighter: impl Fn(f64, f64) -> bool) {
    if let (Some(ours), Some(theirs)) = (mine.as_f64(), other.as_f64())
        && is_tighter(ours, theirs)
    {
        *mine = other;
    }
}
