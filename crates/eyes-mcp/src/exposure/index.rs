//! The index of capabilities: what can be searched, in a few hundred tokens.

use std::{collections::BTreeMap, sync::Arc};

use eyes_evidence::digest::Sha256Digest;

use super::fixed::CAPABILITY_SEARCH;
use crate::{catalog::CatalogTool, limits::MAX_INDEX_CHARS, names::ServerId};

/// How much is said of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Every name, folded into families where that is shorter.
    Names,
    /// The words that names are made of, the most frequent first.
    Words,
    /// How many there are.
    Count,
}

/// Words of names that stand for a server of which not every name is told.
const MAX_WORDS: usize = 40;

/// Writes the index: a function of the names alone, sorted, and at most [`MAX_INDEX_CHARS`] long.
///
/// Its version is a digest of what it says, so equal catalogues have equal indexes to the byte.
pub(super) fn index_text(
    listed: &[(&ServerId, Vec<&Arc<CatalogTool>>)],
    has_calls: bool,
) -> Option<String> {
    let mut servers: Vec<Entry<'_>> = listed
        .iter()
        .filter(|(_, tools)| !tools.is_empty())
        .map(|(id, tools)| Entry::new(id, tools))
        .collect();
    if servers.is_empty() {
        return None;
    }
    servers.sort_by_key(|server| server.id);
    let head = if has_calls {
        format!(
            "More MCP tools, not listed as definitions: {CAPABILITY_SEARCH}, then capability_describe, then \
             capability_call. Names are mcp__SERVER__NAME; `a, b: x, y` in NOUN: VERBS stands for x_a, y_a, x_b, y_b, \
             and PREFIX: REST for a_x, a_y."
        )
    } else {
        format!(
            "More MCP tools, loaded by {CAPABILITY_SEARCH}. Names are mcp__SERVER__NAME; `a, b: x, y` in NOUN: VERBS \
             stands for x_a, y_a, x_b, y_b, and PREFIX: REST for a_x, a_y."
        )
    };
    let body = body(
        &mut servers,
        MAX_INDEX_CHARS.saturating_sub(head.len() + 40),
    );
    let version = Sha256Digest::of(body.as_bytes()).to_string();
    Some(format!("{head}\nVersion {}.\n{body}", &version[..8]))
}

struct Entry<'a> {
    id: &'a ServerId,
    names: Vec<&'a str>,
    detail: Detail,
    text: String,
}

impl<'a> Entry<'a> {
    fn new(id: &'a ServerId, tools: &[&'a Arc<CatalogTool>]) -> Self {
        let prefix = format!("mcp__{id}__");
        let mut names: Vec<&str> = tools
            .iter()
            .map(|tool| {
                let name = tool.public_name.as_str();
                name.strip_prefix(prefix.as_str()).unwrap_or(name)
            })
            .collect();
        names.sort_unstable();
        let mut entry = Self {
            id,
            names,
            detail: Detail::Names,
            text: String::new(),
        };
        entry.write();
        entry
    }

    fn write(&mut self) {
        let count = self.names.len();
        let id = self.id;
        self.text = match self.detail {
            Detail::Names => {
                let (kind, list) = shortest(&self.names);
                format!("[{id}] {count}{kind}\n{list}")
            }
            Detail::Words => format!(
                "[{id}] {count}, words of the names: {}\n",
                words(&self.names)
            ),
            Detail::Count => format!("[{id}] {count}\n"),
        };
    }

    fn shorten(&mut self) {
        self.detail = match self.detail {
            Detail::Names => Detail::Words,
            Detail::Words | Detail::Count => Detail::Count,
        };
        self.write();
    }
}

/// Shortens the longest entry until everything fits.
fn body(servers: &mut [Entry<'_>], max: usize) -> String {
    loop {
        let total: usize = servers.iter().map(|server| server.text.len()).sum();
        if total <= max {
            break;
        }
        let longest = servers
            .iter_mut()
            .filter(|server| server.detail != Detail::Count)
            .max_by_key(|server| (server.text.len(), std::cmp::Reverse(server.id)));
        match longest {
            Some(server) => server.shorten(),
            None => break,
        }
    }
    let mut out = String::new();
    for (index, server) in servers.iter().enumerate() {
        if out.len() + server.text.len() > max {
            let rest = servers.len() - index;
            // The room for this line is taken from the frame's.
            out.push_str("and more servers: ");
            out.push_str(&rest.to_string());
            out.push('\n');
            break;
        }
        out.push_str(&server.text);
    }
    out
}

/// The shortest of: names, families by what a name ends with, families by what it begins with.
fn shortest(names: &[&str]) -> (&'static str, String) {
    let by_noun = families(names, |name| {
        let (verb, noun) = name.split_once('_')?;
        Some((noun, verb))
    });
    let by_prefix = families(names, |name| name.split_once('_'));
    let listed = format!("{}\n", names.join(", "));
    // Of two that are as short, the one with fewer names before the colon reads better.
    [
        ("", 0, listed),
        (", NOUN: VERBS", by_noun.0, by_noun.1),
        (", PREFIX: REST", by_prefix.0, by_prefix.1),
    ]
    .into_iter()
    .min_by_key(|(_, families, list)| (list.len(), *families))
    .map(|(kind, _, list)| (kind, list))
    .unwrap_or_default()
}

/// Folds names into families, and families with the same members into one line; returns how many families there
/// are, too.
fn families<'a>(
    names: &[&'a str],
    split: impl Fn(&'a str) -> Option<(&'a str, &'a str)>,
) -> (usize, String) {
    let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut alone = Vec::new();
    for name in names {
        match split(name) {
            Some((family, member)) if !family.is_empty() && !member.is_empty() => {
                members.entry(family).or_default().push(member);
            }
            _ => alone.push(*name),
        }
    }
    let count = members.len();
    let mut lines: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (family, members) in members {
        lines.entry(members.join(", ")).or_default().push(family);
    }
    let mut sorted: Vec<(String, String)> = lines
        .into_iter()
        .map(|(members, families)| (families.join(", "), members))
        .collect();
    sorted.sort();
    let mut out = String::new();
    if !alone.is_empty() {
        out.push_str(&alone.join(", "));
        out.push('\n');
    }
    for (families, members) in sorted {
        out.push_str(&families);
        out.push_str(": ");
        out.push_str(&members);
        out.push('\n');
    }
    (count, out)
}

fn words(names: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in names.iter().flat_map(|name| name.split(['_', '-'])) {
        if word.len() > 1 {
            *counts.entry(word).or_default() += 1;
        }
    }
    let mut words: Vec<(&str, usize)> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let shown: Vec<&str> = words
        .iter()
        .take(MAX_WORDS)
        .map(|(word, _)| *word)
        .collect();
    shown.join(", ")
}
