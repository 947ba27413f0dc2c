//! Tools that take or speak of the names of other servers' tools.

use std::{collections::BTreeMap, sync::Arc};

use super::{Flag, FlagKind, excerpt};
use crate::{catalog::CatalogTool, names::PublicName};

/// Characters below which a name is a plain word that any description may use.
const SHORTEST_MENTIONED: usize = 6;

/// Finds tools that shadow those of other servers: by the same name, or by speaking of one in the description.
///
/// Case and `-` for `_` make no difference to names. Of two tools with one name both are flagged: which of them was
/// meant is not known.
pub fn shadowing(tools: &[Arc<CatalogTool>]) -> Vec<(PublicName, Flag)> {
    let mut owners: BTreeMap<String, Vec<&CatalogTool>> = BTreeMap::new();
    for tool in tools {
        for name in [tool.definition.name.as_str(), tool.public_name.as_str()] {
            let owners = owners.entry(fold(name)).or_default();
            owners.push(tool);
        }
    }
    let mut flags = Vec::new();
    for tool in tools {
        let foreign = |name: &str| {
            let owners = owners.get(&fold(name))?;
            owners.iter().find(|owner| owner.server != tool.server)
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
