//! What changed between two observations, field by field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::StateId;
use crate::limits::{MAX_DELTA_ENTRIES, MAX_DELTA_VALUE_CHARS};

/// Elements or windows of one observation: by reference, the fields that are compared.
pub type Items = BTreeMap<String, BTreeMap<String, Value>>;

/// A list that counts everything and keeps the first [`MAX_DELTA_ENTRIES`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "CountedOf{T}"))]
pub struct Counted<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_DELTA_ENTRIES)))]
    pub entries: Vec<T>,
}

impl<T> Default for Counted<T> {
    fn default() -> Self {
        Self {
            total: 0,
            entries: Vec::new(),
        }
    }
}

impl<T> FromIterator<T> for Counted<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut counted = Self::default();
        for item in items {
            counted.total += 1;
            if counted.entries.len() < MAX_DELTA_ENTRIES {
                counted.entries.push(item);
            }
        }
        counted
    }
}

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldChange {
    /// The name of the field.
    pub field: String,
    /// What it was, as text cut to [`MAX_DELTA_VALUE_CHARS`]; absent when it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it is now, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// One element or window whose fields differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemChange {
    /// Its reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The fields, in the order of their names.
    pub fields: Vec<FieldChange>,
}

/// What changed among the elements, or among the windows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupDelta {
    /// References that are new.
    pub added: Counted<String>,
    /// References that are gone.
    pub removed: Counted<String>,
    /// References whose fields differ.
    pub changed: Counted<ItemChange>,
}

impl GroupDelta {
    /// Compares two observations of one group; the order is that of the references.
    pub fn between(before: &Items, after: &Items) -> Self {
        let only = |these: &Items, those: &Items| {
            these
                .keys()
                .filter(|reference| !those.contains_key(*reference))
                .cloned()
                .collect()
        };
        let changed = after
            .iter()
            .filter_map(|(reference, now)| {
                let fields = changed_fields(before.get(reference)?, now);
                (!fields.is_empty()).then(|| ItemChange {
                    reference: reference.clone(),
                    fields,
                })
            })
            .collect();
        Self {
            added: only(after, before),
            removed: only(before, after),
            changed,
        }
    }

    /// Tells whether nothing changed.
    pub const fn is_empty(&self) -> bool {
        self.added.total == 0 && self.removed.total == 0 && self.changed.total == 0
    }
}

fn changed_fields(
    before: &BTreeMap<String, Value>,
    after: &BTreeMap<String, Value>,
) -> Vec<FieldChange> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let mut names: Vec<_> = after.keys().chain(gone).collect();
    names.sort_unstable();
    names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| FieldChange {
            field: name.clone(),
            before: before.get(name).map(shown),
            after: after.get(name).map(shown),
        })
        .collect()
}

/// Shows a value as text: a string as it is, anything else as JSON, both cut.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(MAX_DELTA_VALUE_CHARS) {
        None => text,
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
    }
}

/// What changed from one observation to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum StateDelta {
    /// There is nothing to compare with.
    Initial,
    /// Compared with the observation before.
    #[serde(rename_all = "camelCase")]
    Since {
        /// The observation before.
        from_state_id: StateId,
        /// The pixels differ.
        pixels_changed: bool,
        /// Another page, window or scope was observed; the groups then say little.
        scope_changed: bool,
        /// Changes by group, such as `elements` and `windows`; groups without a change are absent.
        groups: BTreeMap<String, GroupDelta>,
    },
}

impl StateDelta {
    /// Tells whether nothing changed at all.
    pub fn is_unchanged(&self) -> bool {
        matches!(self, Self::Since { pixels_changed: false, scope_changed: false, groups, .. }
            if groups.values().all(GroupDelta::is_empty))
    }
}
