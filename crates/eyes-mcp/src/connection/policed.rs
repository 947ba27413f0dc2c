//! The tools of a server with what policy says of each; decided once, when something of it changes.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    catalog::{CatalogTool, ToolCatalog},
    config::{Approval, ServerConfig},
    names::PublicName,
    pins::PinState,
    policy::{Decision, decide},
};

/// What is known of the pins of a server's tools, by the server's own name of each.
pub(crate) type PinStates = BTreeMap<String, PinState>;

/// One generation of a server's tools under one policy.
#[derive(Debug, Clone)]
pub struct PolicedTools {
    catalog: Arc<ToolCatalog>,
    pins: Arc<PinStates>,
    decisions: Vec<Decision>,
    by_name: BTreeMap<PublicName, usize>,
    allowed: Arc<[Arc<CatalogTool>]>,
}

impl PolicedTools {
    pub(crate) fn new(
        server: &ServerConfig,
        catalog: Arc<ToolCatalog>,
        pins: Arc<PinStates>,
    ) -> Self {
        let decisions: Vec<Decision> = catalog
            .tools
            .iter()
            .map(|tool| {
                let pin = pins.get(&tool.definition.name).copied();
                let pin = match server.approval {
                    Approval::Never => PinState::Approved,
                    _ => pin.unwrap_or(PinState::New),
                };
                decide(server, tool, pin)
            })
            .collect();
        let names = catalog.tools.iter().enumerate();
        let by_name = names
            .map(|(at, tool)| (tool.public_name.clone(), at))
            .collect();
        let allowed = catalog
            .tools
            .iter()
            .zip(&decisions)
            .filter(|(_, decision)| decision.is_allowed())
            .map(|(tool, _)| Arc::clone(tool))
            .collect();
        Self {
            catalog,
            pins,
            decisions,
            by_name,
            allowed,
        }
    }

    /// Returns what was admitted, whatever policy says.
    pub fn catalog(&self) -> &Arc<ToolCatalog> {
        &self.catalog
    }

    /// Returns the tools that policy allows, in the order in which the server lists them.
    pub fn allowed(&self) -> &Arc<[Arc<CatalogTool>]> {
        &self.allowed
    }

    /// Finds a tool by its public name.
    pub fn get(&self, public_name: &str) -> Option<(&Arc<CatalogTool>, Decision)> {
        let at = *self.by_name.get(public_name)?;
        Some((self.catalog.tools.get(at)?, *self.decisions.get(at)?))
    }

    /// Returns every tool and what policy says of it.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<CatalogTool>, Decision)> {
        let decisions = self.decisions.iter().copied();
        self.catalog.tools.iter().zip(decisions)
    }

    /// Tells whether another reading gave the same.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        self.catalog.same_as(&other.catalog)
            && self.catalog.refused == other.catalog.refused
            && self.decisions == other.decisions
            && self.pins == other.pins
    }

    pub(crate) const fn pins(&self) -> &Arc<PinStates> {
        &self.pins
    }
}
