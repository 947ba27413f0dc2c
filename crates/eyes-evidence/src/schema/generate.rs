//! JSON Schemas from types.

use std::path::Path;

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::Value;

/// Makes the JSON Schema (2020-12) of what a type serialises to; `title` names the document.
///
/// A member that may be absent is never null, so the schema does not allow null for it.
pub fn schema_of<T: JsonSchema>(title: &str) -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    RecursiveTransform(absent_is_not_null).transform(&mut schema);
    RecursiveTransform(plain_description).transform(&mut schema);
    schema
}

fn absent_is_not_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| {
        required
            .as_array()
            .is_some_and(|names| names.iter().any(|other| other == name))
    };
    let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, member) in members {
        let Some(member) = member.as_object_mut().filter(|_| !is_required(name)) else {
            continue;
        };
        if let Some(Value::Array(types)) = member.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                member.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(choices)) = member.get_mut("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
            if let [Value::Object(only)] = choices.as_slice() {
                let only = only.clone();
                member.shift_remove("anyOf");
                member.extend(only);
            }
        }
    }
}

/// Keeps the first paragraph of a Rust doc, and the names of its links.
fn plain_description(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        *text = first.replace("[`", "`").replace("`]", "`");
    }
}

/// Compares a committed schema with the one that its types give, for the test of each crate.
///
/// With the environment variable `UPDATE_SCHEMAS` the file is rewritten instead.
///
/// # Panics
///
/// When the two differ, or the file cannot be written.
#[expect(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "it is called by tests, and the person who runs them asks for the rewrite"
)]
pub fn check_published(path: &Path, schema: &Schema) {
    let text = match serde_json::to_string_pretty(schema) {
        Ok(text) => format!("{text}\n"),
        Err(error) => panic!("a schema is plain data: {error}"),
    };
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    if committed == text {
        return;
    }
    let shown = path.display();
    assert!(
        std::env::var_os("UPDATE_SCHEMAS").is_some(),
        "{shown} drifted from its types; run `cargo xtask schema --write`"
    );
    if let Err(error) = std::fs::write(path, text) {
        panic!("{shown} cannot be written: {error}");
    }
}
