//! Everything that is flagged about the tools of several servers.

use std::{collections::BTreeMap, sync::Arc};

use super::{Flag, ServerPins, shadowing};
use crate::{
    catalog::CatalogTool,
    names::{PublicName, ServerId},
};

/// What is flagged about tools: in their own definitions, and beside those of other servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review(BTreeMap<PublicName, Vec<Flag>>);

impl Review {
    /// Looks at `tools`; names of other servers are taken from these and from the pins `others`.
    pub fn of(tools: &[Arc<CatalogTool>], others: &[(ServerId, ServerPins)]) -> Self {
        let mut flagged: BTreeMap<PublicName, Vec<Flag>> = BTreeMap::new();
        for tool in tools.iter().filter(|tool| !tool.flags().is_empty()) {
            flagged.insert(tool.public_name.clone(), tool.flags().to_vec());
        }
        for (name, flag) in shadowing(tools, others) {
            flagged.entry(name).or_default().push(flag);
        }
        Self(flagged)
    }

    /// Returns the flags of a tool; none where nothing was found.
    pub fn flags(&self, tool: &PublicName) -> &[Flag] {
        self.0.get(tool).map_or(&[], Vec::as_slice)
    }

    /// Tells whether somebody has to say that they saw the flags of a tool.
    pub fn is_grave(&self, tool: &PublicName) -> bool {
        self.flags(tool).iter().any(|flag| flag.kind.is_grave())
    }
}
