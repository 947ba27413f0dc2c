//! Tools that take or speak of the names of other servers' tools.

use std::{collections::BTreeMap, sync::Arc};

use super::{Flag, FlagKind, excerpt};
use crate::{
    catalog::CatalogTool,
    names::{PublicName, ServerId},
    pins::ServerPins,
};

/// Characters below which a name is a plain word that any description may use.
const SHORTEST_MENTIONED: usize = 6;

/// A tool that a name belongs to.
struct Owner<'a> {
    server: &'a ServerId,
    public_name: PublicName,
}

/// Finds tools that shadow those of other servers: by the same name, or by speaking of one in the description.
///
/// What other servers have is taken from `tools` and from `others`, the pins of servers that may not be connected.
/// Case and `-` for `_` make no difference to names. Of two tools with one name both are flagged: which of them was
/// meant is not known.
pub fn shadowing(
    tools: &[Arc<CatalogTool>],
    others: &[(ServerId, ServerPins)],
) -> Vec<(PublicName, Flag)> {
    let owners = owners(tools, others);
    let mut flags = Vec::new();
    for tool in tools {
        let foreign = |name: &str| {
            let owners = owners.get(&fold(name))?;
            owners.iter().find(|owner| *owner.server != tool.server)
        };
        if let Some(other) = foreign(&tool.definition.name) {
            flags.push((
                tool.public_name.clone(),
                Flag {
                    kind: FlagKind::Shadowing,
                    pointer: "/name".to_owned(),
                    excerpt: format!("the same name as {}", other.public_name),
                },
            ));
        }
        let text = tool.definition.description.as_deref().unwrap_or("");
        let mentioned = words(text).find(|(_, word)| {
            word.len() >= SHORTEST_MENTIONED
                && word.contains(['_', '-'])
                && fold(word) != fold(&tool.definition.name)
                && foreign(word).is_some()
        });
        if let Some((at, _)) = mentioned {
            flags.push((
                tool.public_name.clone(),
                Flag {
                    kind: FlagKind::Shadowing,
                    pointer: "/description".to_owned(),
                    excerpt: excerpt(text, at),
                },
            ));
        }
    }
    flags
}

fn owners<'a>(
    tools: &'a [Arc<CatalogTool>],
    others: &'a [(ServerId, ServerPins)],
) -> BTreeMap<String, Vec<Owner<'a>>> {
    let connected = tools.iter().map(|tool| {
        let name = tool.definition.name.as_str();
        (&tool.server, name, tool.public_name.clone())
    });
    let pinned = others.iter().flat_map(|(server, pins)| {
        let present = pins.pins().iter().filter(|(_, pin)| pin.present);
        present.map(move |(name, _)| (server, name.as_str(), PublicName::of(server, name)))
    });
    let mut owners: BTreeMap<String, Vec<Owner<'a>>> = BTreeMap::new();
    for (server, name, public_name) in connected.chain(pinned) {
        for word in [name, public_name.as_str()] {
            let owner = Owner {
                server,
                public_name: public_name.clone(),
            };
            owners.entry(fold(word)).or_default().push(owner);
        }
    }
    owners
}

fn fold(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

/// Splits a text into what could be names, each with its byte offset.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|character: char| {
        !(character.is_ascii_alphanumeric() || matches!(character, '_' | '-'))
    })
    .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
