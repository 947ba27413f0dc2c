//! Tools that came back under another name.

use std::{collections::BTreeMap, sync::Arc};

use super::{body_digest, pin::Pin};
use crate::catalog::CatalogTool;

/// A tool that has the body of one that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The server's own name of the tool that is gone.
    pub from: String,
    /// The name of the one that has its body now.
    pub to: String,
}

/// Finds among tools without a pin those with the body of an approved one that is gone.
///
/// Of several that are gone and alike the first by name is meant.
pub(super) fn renames(pins: &BTreeMap<String, Pin>, tools: &[Arc<CatalogTool>]) -> Vec<Rename> {
    let mut gone = BTreeMap::new();
    for (name, pin) in pins.iter().rev() {
        if let (false, Some(approved)) = (pin.present, &pin.approved) {
            gone.insert(approved.body, name);
        }
    }
    if gone.is_empty() {
        return Vec::new();
    }
    let unapproved = |tool: &&Arc<CatalogTool>| {
        pins.get(&tool.definition.name)
            .is_none_or(|pin| pin.approved.is_none())
    };
    tools
        .iter()
        .filter(unapproved)
        .filter_map(|tool| {
            let from = gone.get(&body_digest(&tool.definition))?;
            Some(Rename {
                from: (*from).clone(),
                to: tool.definition.name.clone(),
            })
        })
        .collect()
}
