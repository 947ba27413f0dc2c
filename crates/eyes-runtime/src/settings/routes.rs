//! The priority list of routes in the forms that people write it in.

use std::collections::BTreeSet;

use eyes_router::route::Route;
use serde_json::{Map, Value};

use super::SettingsError;

/// The member's name.
pub(super) const PRIORITY: &str = "visionRoutePriority";

/// Brings the priority list to a list of distinct `provider/model`.
///
/// It may be one text with commas or line breaks, a list of texts, or a list of objects with `provider` and `model`.
pub(super) fn normalise(document: &mut Map<String, Value>) -> Result<(), SettingsError> {
    let Some(value) = document.get_mut(PRIORITY) else {
        return Ok(());
    };
    let stated = match value.take() {
        Value::Null => Vec::new(),
        Value::String(text) => text
            .split([',', '\n'])
            .map(|part| Value::from(part.trim()))
            .filter(|part| part != "")
            .collect(),
        Value::Array(entries) => entries,
        _ => return refuse(PRIORITY.to_owned(), "a text or a list of routes"),
    };
    let mut seen = BTreeSet::new();
    let mut routes = Vec::new();
    for (at, entry) in stated.into_iter().enumerate() {
        let path = || format!("{PRIORITY}[{at}]");
        let text = match &entry {
            Value::String(text) => text.trim().to_owned(),
            Value::Object(members) => named(members, path)?,
            _ => return refuse(path(), "a route is provider/model"),
        };
        let route: Route = match text.parse() {
            Ok(route) => route,
            Err(error) => return refuse(path(), &format!("{error}")),
        };
        if seen.insert(route.clone()) {
            routes.push(Value::from(route.to_string()));
        }
    }
    *value = Value::Array(routes);
    Ok(())
}

fn named(members: &Map<String, Value>, path: impl Fn() -> String) -> Result<String, SettingsError> {
    let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::trim);
    match (text("provider"), text("model"), members.len()) {
        (Some(provider), Some(model), 2) => Ok(format!("{provider}/{model}")),
        _ => refuse(path(), "an entry has provider and model, and nothing else"),
    }
}

fn refuse<T>(path: String, reason: &str) -> Result<T, SettingsError> {
    Err(SettingsError::Member {
        path,
        reason: reason.to_owned(),
    })
}
