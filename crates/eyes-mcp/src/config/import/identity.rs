//! Ids and names for servers of a file.

use std::collections::BTreeSet;

use eyes_evidence::redact::safe_message;

use crate::{
    config::{ServerSettings, validate::folded},
    limits::{MAX_SERVER_ID_CHARS, MAX_SERVER_NAME_CHARS},
    names::ServerId,
};

/// Ids and names that are taken.
#[derive(Debug)]
pub(super) struct Identities {
    ids: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Identities {
    pub(super) fn new(configured: &[ServerSettings]) -> Self {
        Self {
            ids: configured.iter().map(|server| folded(&server.id)).collect(),
            names: configured
                .iter()
                .map(|server| folded(&server.name))
                .collect(),
        }
    }

    /// Gives each key an id and a name; no id is another's id or name, and the other way round.
    ///
    /// Keys that are ids keep theirs, whatever comes before them.
    pub(super) fn of<'a>(
        mut self,
        keys: impl Iterator<Item = &'a String>,
    ) -> Vec<(String, String)> {
        let keys: Vec<&String> = keys.collect();
        let mut ids: Vec<Option<String>> = keys.iter().map(|key| self.kept(key)).collect();
        for (key, id) in keys.iter().zip(&mut ids) {
            if id.is_none() {
                *id = Some(self.made(key));
            }
        }
        let ids = ids.into_iter().flatten();
        let mut pairs = Vec::new();
        for (key, id) in keys.iter().zip(ids) {
            let name = self.name(key, &id);
            pairs.push((id, name));
        }
        pairs
    }

    fn kept(&mut self, key: &str) -> Option<String> {
        let is_safe = safe_message(key, MAX_SERVER_ID_CHARS) == key;
        let fits = is_safe && key.parse::<ServerId>().is_ok();
        (fits && self.claim(key)).then(|| key.to_owned())
    }

    fn claim(&mut self, id: &str) -> bool {
        let id = folded(id);
        !self.names.iter().any(|name| is_head(&id, name)) && self.ids.insert(id)
    }

    fn made(&mut self, key: &str) -> String {
        let key = safe_message(key, MAX_SERVER_NAME_CHARS);
        let mut id = String::new();
        for c in key.chars() {
            if c.is_ascii_alphanumeric() || c == '_' {
                id.push(c);
            } else if !id.is_empty() && !id.ends_with('-') {
                id.push('-');
            }
        }
        // Room for a number.
        id.truncate(MAX_SERVER_ID_CHARS - 8);
        let id = id.trim_matches('-');
        let id = if id.is_empty() { "server" } else { id };
        let numbered = (2_u32..).map(|number| format!("{id}-{number}"));
        let mut free = std::iter::once(id.to_owned()).chain(numbered);
        free.find(|id| self.claim(id)).unwrap_or_default()
    }

    fn name(&mut self, key: &str, id: &str) -> String {
        let name = safe_message(key, MAX_SERVER_NAME_CHARS - 16);
        let name = if name.is_empty() { id.to_owned() } else { name };
        let own = folded(id);
        let numbered = (2_u32..).map(|number| format!("{id} ({number})"));
        let mut free = [name, id.to_owned()].into_iter().chain(numbered);
        let found = free.find(|name| {
            let name = folded(name);
            let heads = [name.as_str(), name.split('/').next().unwrap_or_default()];
            let foreign = heads
                .iter()
                .any(|head| **head != *own && self.ids.contains(*head));
            !foreign && !self.names.contains(&name)
        });
        let found = found.unwrap_or_default();
        self.names.insert(folded(&found));
        found
    }
}

/// Whether a selector for the server `id` would match one of this name.
fn is_head(id: &str, name: &str) -> bool {
    name == id || name.split('/').next() == Some(id)
}
