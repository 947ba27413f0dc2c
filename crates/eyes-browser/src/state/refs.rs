//! Refs: one number for each element that a session has seen, never given to another.

use std::collections::{BTreeMap, BTreeSet};

use crate::{action::Ref, driver::NodeKey, limits::MAX_KEPT_REFS};

/// Gives refs to elements.
#[derive(Debug, Clone, Default)]
pub struct RefBook {
    given: u32,
    refs: BTreeMap<NodeKey, Ref>,
}

impl RefBook {
    /// Returns the ref of an element; the same one for as long as it is remembered, else a new one.
    pub fn name(&mut self, key: NodeKey) -> Ref {
        if let Some(known) = self.refs.get(&key) {
            return *known;
        }
        self.given = self.given.saturating_add(1);
        let new = Ref(self.given);
        self.refs.insert(key, new);
        new
    }

    /// Forgets elements that are not among `present` when more than [`MAX_KEPT_REFS`] are remembered.
    ///
    /// One that comes back gets a new ref, as if it were another.
    pub fn forget_all_but(&mut self, present: &BTreeSet<NodeKey>) {
        if self.refs.len() > MAX_KEPT_REFS {
            self.refs.retain(|key, _| present.contains(key));
        }
    }
}
