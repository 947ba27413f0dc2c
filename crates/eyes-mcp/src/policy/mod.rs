//! Selectors, risk and the decision whether a tool may be used.

mod decision;
mod glob;
mod risk;

pub use decision::{BlockedReason, Decision, decide, decide_selected};
pub use glob::glob_matches;
pub use risk::Risk;

use crate::{config::ServerConfig, limits::MAX_SELECTOR_CHARS, names::PublicName};

/// The globs that allow and deny.
///
/// `*` stands for any run of characters and `?` for one, every character included; everything else is literal.
/// The first deny glob that matches denies; without a match of an allow glob nothing is allowed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selectors {
    /// What may be used.
    pub allow: Vec<String>,
    /// What may not, whatever is allowed.
    pub deny: Vec<String>,
}

impl Selectors {
    /// Tells whether a deny glob matches one of the names.
    pub fn denies(&self, names: &Candidates) -> bool {
        self.deny.iter().any(|glob| names.matched_by(glob, true))
    }

    /// Tells whether an allow glob matches one of the names.
    pub fn allows(&self, names: &Candidates) -> bool {
        self.allow.iter().any(|glob| names.matched_by(glob, false))
    }

    /// Tells whether one of the names stands among the allow globs literally, not by a wildcard.
    pub fn allows_literally(&self, names: &Candidates) -> bool {
        self.allow.iter().any(|glob| names.names.contains(glob))
    }
}

/// The names under which one thing is selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    names: Vec<String>,
}

impl Candidates {
    /// Names a tool: raw and public, each also behind `ID/` and `NAME/` of the server.
    pub fn of_tool(server: &ServerConfig, raw: &str, public: &PublicName) -> Self {
        Self::of(server, &[raw, public.as_str()])
    }

    /// Names a resource, template or prompt: its identity, also behind `ID/` and `NAME/` of the server.
    pub fn of_content(server: &ServerConfig, identity: &str) -> Self {
        Self::of(server, &[identity])
    }

    /// Names one thing that is spelled in several ways; each also behind `ID/` and `NAME/` of the server.
    pub fn of(server: &ServerConfig, identities: &[&str]) -> Self {
        let mut names = Vec::with_capacity(3 * identities.len());
        for identity in identities {
            names.push((*identity).to_owned());
            names.push(format!("{}/{identity}", server.id));
            if server.name != server.id.as_str() {
                names.push(format!("{}/{identity}", server.name));
            }
        }
        Self { names }
    }

    /// Settings do not hold longer globs. One that came another way denies everything and allows nothing,
    /// so that the work for a name stays bounded.
    fn matched_by(&self, glob: &str, too_long: bool) -> bool {
        if glob.len() > 4 * MAX_SELECTOR_CHARS || glob.chars().count() > MAX_SELECTOR_CHARS {
            return too_long;
        }
        self.names.iter().any(|name| glob_matches(glob, name))
    }
}

#[cfg(test)]
mod tests;
