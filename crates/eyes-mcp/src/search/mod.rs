//! Search over capabilities.
//!
//! Words are ranked by BM25F over the parts of a name, title, description, and names and descriptions of parameters.
//! Each server has its own segment, so that a changed list costs only that server's words again.

mod lexicon;
mod score;
mod segment;
mod words;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use self::segment::Segment;
use crate::{catalog::CatalogTool, names::ServerId, policy::Risk};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchQuery<'a> {
    /// Words, or a name.
    pub text: &'a str,
    /// Only of the server with this id.
    pub server: Option<&'a str>,
    /// Only of this risk.
    pub risk: Option<Risk>,
    /// Hits at most.
    pub limit: usize,
}

/// One tool that fits a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    /// The tool.
    pub tool: Arc<CatalogTool>,
    /// How well it fits; only the order means something.
    pub score: f64,
}

/// An index over the allowed tools of all servers.
#[derive(Debug, Clone, Default)]
pub struct SearchIndex {
    segments: BTreeMap<ServerId, Arc<Lazy>>,
}

/// A segment that is made when it is first looked into: a session whose tools are all in line never does.
#[derive(Debug)]
struct Lazy {
    tools: Vec<Arc<CatalogTool>>,
    segment: OnceLock<Segment>,
}

impl Lazy {
    fn of(tools: &[Arc<CatalogTool>]) -> Self {
        Self {
            tools: tools.to_vec(),
            segment: OnceLock::new(),
        }
    }

    fn segment(&self) -> &Segment {
        self.segment.get_or_init(|| Segment::of(&self.tools))
    }
}

impl SearchIndex {
    /// Takes the tools of a server instead of those it had; without any the server is forgotten.
    pub fn replace(&mut self, server: &ServerId, tools: &[Arc<CatalogTool>]) {
        if tools.is_empty() {
            self.segments.remove(server);
        } else {
            self.segments
                .insert(server.clone(), Arc::new(Lazy::of(tools)));
        }
    }

    /// Returns the tool with a public name.
    pub fn get(&self, public_name: &str) -> Option<&Arc<CatalogTool>> {
        self.segments
            .values()
            .find_map(|lazy| lazy.segment().get(public_name))
    }

    /// Returns how many tools there are.
    pub fn len(&self) -> usize {
        self.segments.values().map(|lazy| lazy.tools.len()).sum()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Returns the public names that look most like `name`, at most `limit` of them.
    pub fn close_names(&self, name: &str, limit: usize) -> Vec<String> {
        let wanted = words::pairs(name);
        let mut scored: Vec<(f64, &str)> = self
            .segments
            .values()
            .flat_map(|lazy| &lazy.tools)
            .map(|tool| {
                let likeness = words::likeness(&wanted, &words::pairs(&tool.definition.name)).max(
                    words::likeness(&wanted, &words::pairs(tool.public_name.as_str())),
                );
                (likeness, tool.public_name.as_str())
            })
            .filter(|(likeness, _)| *likeness >= 0.4)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        scored
            .into_iter()
            .take(limit)
            .map(|(_, name)| name.to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests;
