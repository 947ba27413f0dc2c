//! Lists of plain statements: relations, quantitative facts, uncertainties.

use super::scalar::any_text;
use crate::{
    parse::{
        audit::{DropReason, ParseAudit, RepairAction},
        json::{Kind, Value},
    },
    record::{Bounded, NonEmptyText},
};

/// Reads a list of statements; a single statement is a list of one.
pub(super) fn read<const MAX: usize>(
    value: Option<Value<'_, '_>>,
    name: &'static str,
    audit: &mut ParseAudit,
) -> Bounded<NonEmptyText, MAX> {
    let list_path = || format!("/{name}");
    let Some(value) = value.filter(|value| !value.is_null()) else {
        audit.repair(
            list_path(),
            RepairAction::EmptyList,
            value.map(|v| v.raw()),
            Some(serde_json::Value::Array(Vec::new())),
        );
        return Bounded::default();
    };
    if value.kind() != Kind::Array {
        return match any_text(value, audit, list_path) {
            Ok(text) => {
                audit.repair(
                    list_path(),
                    RepairAction::SingletonList,
                    Some(value.source()),
                    None,
                );
                Bounded::truncated(vec![text]).0
            }
            Err(reason) => {
                audit.drop_value(list_path(), reason, Some(value));
                Bounded::default()
            }
        };
    }
    let mut texts = Vec::with_capacity(value.len().min(MAX));
    for (index, element) in value.elements().enumerate() {
        let path = || format!("/{name}/{index}");
        if texts.len() == MAX {
            audit.drop_value(path(), DropReason::ListLimit, Some(element));
            continue;
        }
        match any_text(element, audit, path) {
            Ok(text) => texts.push(text),
            Err(reason) => audit.drop_value(path(), reason, Some(element)),
        }
    }
    Bounded::truncated(texts).0
}
