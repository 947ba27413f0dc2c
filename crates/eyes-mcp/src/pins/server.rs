//! The pins of one server, as a value.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{
    body_digest,
    digest::definition_text,
    pin::{ApprovedBy, Pin, PinState, Pinned},
    rename::{Rename, renames},
    store::PinError,
};
use crate::{
    catalog::CatalogTool,
    limits::{MAX_PINNED_DEFINITION_BYTES, MAX_PINNED_SERVER_BYTES, MAX_PINS_PER_SERVER},
};

/// The pins of one server, by the server's own names of its tools.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerPins {
    pins: BTreeMap<String, Pin>,
}

/// What a look at a generation of tools showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Observation {
    /// The state of every tool of the generation, and of every tool that is no longer there.
    pub states: BTreeMap<String, PinState>,
    /// New tools that are removed ones by another name.
    pub renames: Vec<Rename>,
    /// Whether the pins are others than before.
    pub changed: bool,
}

impl Observation {
    /// Returns the state of a tool by its server's own name; [`PinState::New`] for one that was not looked at.
    pub fn state(&self, name: &str) -> PinState {
        self.states.get(name).copied().unwrap_or(PinState::New)
    }
}

impl ServerPins {
    /// Looks at a generation of tools: notes what is new, changed and gone, and trusts the first definition of a tool
    /// that `trusted` names.
    ///
    /// A tool that has the body of a removed one is never trusted at once: it would leave that one's pin behind.
    /// Beyond [`MAX_PINS_PER_SERVER`](crate::limits::MAX_PINS_PER_SERVER) nothing new is noted, and stays new.
    pub fn observe(
        &mut self,
        tools: &[Arc<CatalogTool>],
        trusted: impl Fn(&CatalogTool) -> bool,
    ) -> Observation {
        let names: BTreeSet<&str> = tools
            .iter()
            .map(|tool| tool.definition.name.as_str())
            .collect();
        let mut changed = false;
        for (name, pin) in &mut self.pins {
            let present = names.contains(name.as_str());
            changed |= pin.present != present;
            pin.present = present;
        }
        let renames = renames(&self.pins, tools);
        let mut room = MAX_PINNED_SERVER_BYTES.saturating_sub(self.kept_bytes());
        let mut states = BTreeMap::new();
        for tool in tools {
            let name = &tool.definition.name;
            if self.pins.contains_key(name) || self.pins.len() < MAX_PINS_PER_SERVER {
                let renamed = renames.iter().any(|rename| rename.to == *name);
                let pin = self.pins.entry(name.clone()).or_default();
                changed |= note(pin, tool, || !renamed && trusted(tool), &mut room);
            }
            let state = self.pins.get(name).map_or(PinState::New, Pin::state);
            states.insert(name.clone(), state);
        }
        let gone = self.pins.iter().filter(|(_, pin)| !pin.present);
        for (name, _) in gone {
            states.insert(name.clone(), PinState::Removed);
        }
        Observation {
            states,
            renames,
            changed,
        }
    }

    /// Returns the pins by the server's own names of the tools.
    pub const fn pins(&self) -> &BTreeMap<String, Pin> {
        &self.pins
    }

    /// Approves the definition of a tool that was seen last.
    ///
    /// Where a digest is given and is no longer that of the definition, it is `MCP_PIN_STALE`; a tool that was never
    /// seen is `MCP_PIN_MISSING`.
    pub fn approve(&mut self, name: &str, seen: Option<Sha256Digest>) -> Result<(), PinError> {
        let Some(pin) = self.pins.get_mut(name) else {
            return Err(PinError::Missing(name.to_owned()));
        };
        let newest = pin.newest().map(|newest| newest.digest);
        if let (Some(seen), Some(newest)) = (seen, newest)
            && seen != newest
        {
            return Err(PinError::Stale {
                tool: name.to_owned(),
                seen,
                newest,
            });
        }
        approve(pin);
        Ok(())
    }

    /// Forgets tools that the server no longer has; returns how many. One that comes back is new.
    pub fn forget_removed(&mut self) -> usize {
        let before = self.pins.len();
        self.pins.retain(|_, pin| pin.present);
        before - self.pins.len()
    }

    fn kept_bytes(&self) -> usize {
        let kept = self
            .pins
            .values()
            .flat_map(|pin| pin.approved.iter().chain(&pin.waiting));
        kept.filter_map(|pinned| pinned.text.as_ref())
            .map(String::len)
            .sum()
    }
}

/// Notes that a tool is there; tells whether the pin is another one than before.
fn note(
    pin: &mut Pin,
    tool: &CatalogTool,
    trusted: impl FnOnce() -> bool,
    room: &mut usize,
) -> bool {
    let was_present = std::mem::replace(&mut pin.present, true);
    let digest = tool.digest();
    let noted = match &pin.approved {
        Some(approved) if approved.digest == digest => pin.waiting.take().is_some(),
        Some(_) => wait(pin, tool, room),
        None => {
            let waits = wait(pin, tool, room);
            let trusted = trusted();
            if trusted {
                approve(pin);
                pin.by = Some(ApprovedBy::FirstUse);
            }
            waits || trusted
        }
    };
    noted || !was_present
}

/// Keeps the tool's definition as the one that waits; tells whether another one did, or none.
fn wait(pin: &mut Pin, tool: &CatalogTool, room: &mut usize) -> bool {
    let digest = tool.digest();
    if pin
        .waiting
        .as_ref()
        .is_some_and(|waiting| waiting.digest == digest)
    {
        return false;
    }
    let text = definition_text(&tool.definition);
    let fits = text.len() <= MAX_PINNED_DEFINITION_BYTES && text.len() <= *room;
    if fits {
        *room -= text.len();
    }
    pin.waiting = Some(Pinned {
        digest,
        body: body_digest(&tool.definition),
        text: fits.then_some(text),
    });
    true
}

fn approve(pin: &mut Pin) {
    if let Some(waiting) = pin.waiting.take() {
        pin.approved = Some(waiting);
    }
    pin.by = Some(ApprovedBy::Person);
}
