//! What changed from one look at a document to the next.

use std::collections::BTreeMap;

use eyes_evidence::state::StateId;
use serde::Serialize;

use super::{BrowserState, ElementState};
use crate::{action::Ref, driver::Tristate};

/// One thing about an element that is different now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// What it is, such as `value`.
    pub field: &'static str,
    /// What it was; empty where there was nothing.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// An element that is different now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElementChange {
    /// Which.
    #[serde(rename = "ref")]
    pub reference: Ref,
    /// What about it.
    pub facets: Vec<Facet>,
}

/// What changed in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StateChange {
    /// The state before.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub from: StateId,
    /// Elements that are new.
    pub added: Vec<Ref>,
    /// Elements that are different.
    pub changed: Vec<ElementChange>,
    /// Elements that are gone, or, where not all elements are listed, no longer listed.
    pub removed: Vec<Ref>,
    /// Whether all elements are listed before and after, so that removed ones are gone.
    pub complete: bool,
    /// Lines of text that are new.
    pub text_added: Vec<String>,
    /// How many lines are gone.
    pub text_removed: usize,
    /// Whether other elements are within the viewport now.
    pub view_moved: bool,
    /// Whether address, title, scroll position, dialog, tabs, chooser or downloads are different.
    pub surroundings: bool,
    /// Whether the pixels of two pictures differ; absent where there are not two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<bool>,
}

impl StateChange {
    /// Compares two states of one document; nothing where they show different documents or not the whole page.
    pub fn between(before: &BrowserState, after: &BrowserState) -> Option<Self> {
        let (old, new) = (&before.page, &after.page);
        let same = old.document == new.document && old.tab == new.tab;
        // While a dialog is open nothing of the page is seen: a comparison would say that all is gone.
        let seen = old.dialog.is_none() && new.dialog.is_none();
        if !same || !seen || old.scoped || new.scoped {
            return None;
        }
        let were: BTreeMap<Ref, &ElementState> =
            old.elements.iter().map(|e| (e.reference, e)).collect();
        let are: BTreeMap<Ref, &ElementState> =
            new.elements.iter().map(|e| (e.reference, e)).collect();
        let of = |list: &[ElementState], other: &BTreeMap<Ref, &ElementState>| {
            let missing = list.iter().filter(|e| !other.contains_key(&e.reference));
            missing.map(|e| e.reference).collect::<Vec<_>>()
        };
        let changed = new.elements.iter().filter_map(|now| {
            let facets = facets(were.get(&now.reference)?, now);
            (!facets.is_empty()).then_some(ElementChange {
                reference: now.reference,
                facets,
            })
        });
        let (text_added, text_removed) = text(&old.text, &new.text);
        let visible = |list: &[ElementState]| -> Vec<Ref> {
            let mut refs: Vec<_> = list
                .iter()
                .filter(|e| e.in_viewport)
                .map(|e| e.reference)
                .collect();
            refs.sort_unstable();
            refs
        };
        Some(Self {
            from: before.state_id,
            added: of(&new.elements, &were),
            changed: changed.collect(),
            removed: of(&old.elements, &are),
            complete: [old, new]
                .iter()
                .all(|p| p.elements.len() >= p.element_total as usize),
            text_added,
            text_removed,
            view_moved: old.scroll != new.scroll
                && visible(&old.elements) != visible(&new.elements),
            surroundings: old.url != new.url
                || old.title != new.title
                || old.scroll != new.scroll
                || old.tabs != new.tabs
                || old.chooser != new.chooser
                || old.downloads != new.downloads,
            pixels: before
                .pixel_sha256
                .zip(after.pixel_sha256)
                .map(|(old, new)| old != new),
        })
    }

    /// Returns whether nothing is different.
    pub const fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.changed.is_empty()
            && self.removed.is_empty()
            && self.text_added.is_empty()
            && self.text_removed == 0
            && !self.surroundings
            && !matches!(self.pixels, Some(true))
    }

    /// Returns whether anything is different but which element has the focus.
    pub fn is_visible(&self) -> bool {
        let mut facets = self.changed.iter().flat_map(|change| &change.facets);
        let unfocused = Self {
            changed: Vec::new(),
            ..self.clone()
        };
        facets.any(|facet| facet.field != "focused") || !unfocused.is_empty()
    }
}

fn facets(before: &ElementState, after: &ElementState) -> Vec<Facet> {
    // Most elements are as they were: nothing is written out for them.
    let same = before.flags == after.flags
        && before.name == after.name
        && before.value == after.value
        && before.value_chars == after.value_chars
        && before.role == after.role
        && before.covered_by == after.covered_by
        && before.href == after.href
        && before.options == after.options;
    if same {
        return Vec::new();
    }
    let pairs = described(before).into_iter().zip(described(after));
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .map(|((field, before), (_, after))| Facet {
            field,
            before,
            after,
        })
        .collect()
}

fn described(e: &ElementState) -> [(&'static str, String); 15] {
    let tristate = |state: Option<Tristate>| match state {
        None => "",
        Some(Tristate::True) => "true",
        Some(Tristate::False) => "false",
        Some(Tristate::Mixed) => "mixed",
    };
    let flag = |flag: bool| if flag { "true" } else { "false" };
    let optional = |flag: Option<bool>| flag.map_or("", |f| if f { "true" } else { "false" });
    let f = e.flags;
    let value = match (&e.value, e.value_chars) {
        (None, Some(chars)) => format!("{chars} characters"),
        (value, _) => value.clone().unwrap_or_default(),
    };
    [
        ("role", e.role.clone()),
        ("name", e.name.clone()),
        ("value", value),
        ("checked", tristate(f.checked).to_owned()),
        ("pressed", tristate(f.pressed).to_owned()),
        ("selected", optional(f.selected).to_owned()),
        ("expanded", optional(f.expanded).to_owned()),
        ("disabled", flag(f.disabled).to_owned()),
        ("readonly", flag(f.readonly).to_owned()),
        ("required", flag(f.required).to_owned()),
        ("focused", flag(f.focused).to_owned()),
        ("invalid", flag(f.invalid).to_owned()),
        ("covered", e.covered_by.clone().unwrap_or_default()),
        ("href", e.href.clone().unwrap_or_default()),
        ("options", e.options.join(" | ")),
    ]
}

/// Lines that are new, counting repeated ones, and how many are gone.
fn text(before: &[String], after: &[String]) -> (Vec<String>, usize) {
    let mut counts: BTreeMap<&str, isize> = BTreeMap::new();
    for line in before {
        *counts.entry(line).or_default() += 1;
    }
    let mut added = Vec::new();
    for line in after {
        let count = counts.entry(line).or_default();
        *count -= 1;
        if *count < 0 {
            added.push(line.clone());
        }
    }
    let removed: isize = counts.values().filter(|count| **count > 0).sum();
    (added, removed as usize)
}
