//! The words of one server's tools.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};

use super::words;
use crate::{
    catalog::CatalogTool,
    limits::{MAX_INDEXED_PARAMETERS, MAX_INDEXED_WORDS},
};

/// How many fields a tool has.
pub(super) const FIELDS: usize = 5;
const NAME: usize = 0;
const TITLE: usize = 1;
const DESCRIPTION: usize = 2;
const PARAMETER_NAMES: usize = 3;
const PARAMETER_DESCRIPTIONS: usize = 4;

/// How often a word is in each field of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) tool: u32,
    pub(super) counts: [u16; FIELDS],
}

/// An index over one server's tools.
#[derive(Debug, Default)]
pub(super) struct Segment {
    tools: Vec<Arc<CatalogTool>>,
    postings: BTreeMap<Box<str>, Vec<Posting>>,
    lengths: Vec<[u16; FIELDS]>,
    totals: [u64; FIELDS],
}

impl Segment {
    pub(super) fn of(tools: &[Arc<CatalogTool>]) -> Self {
        let mut segment = Self {
            tools: tools.to_vec(),
            ..Self::default()
        };
        segment
            .tools
            .sort_by(|a, b| a.public_name.cmp(&b.public_name));
        for at in 0..segment.tools.len() {
            let tool = Arc::clone(&segment.tools[at]);
            segment.add(at as u32, &tool);
        }
        segment
    }

    pub(super) fn tools(&self) -> &[Arc<CatalogTool>] {
        &self.tools
    }

    pub(super) fn get(&self, public_name: &str) -> Option<&Arc<CatalogTool>> {
        let at = self
            .tools
            .binary_search_by(|tool| tool.public_name.as_str().cmp(public_name))
            .ok()?;
        self.tools.get(at)
    }

    pub(super) fn postings(&self, word: &str) -> &[Posting] {
        self.postings.get(word).map_or(&[], Vec::as_slice)
    }

    pub(super) fn lengths(&self) -> &[[u16; FIELDS]] {
        &self.lengths
    }

    pub(super) const fn totals(&self) -> [u64; FIELDS] {
        self.totals
    }

    fn add(&mut self, at: u32, tool: &CatalogTool) {
        let mut lengths = [0; FIELDS];
        let definition = &tool.definition;
        let mut field = |field: usize, text: &str| {
            words::each(text, &mut |word| {
                if usize::from(lengths[field]) < MAX_INDEXED_WORDS {
                    lengths[field] += 1;
                    self.count(at, field, word);
                }
            });
        };
        field(NAME, &definition.name);
        field(TITLE, definition.title.as_deref().unwrap_or_default());
        field(
            DESCRIPTION,
            definition.description.as_deref().unwrap_or_default(),
        );
        let mut parameters = Vec::new();
        collect(&definition.input_schema, 0, &mut parameters);
        for (name, description) in parameters {
            field(PARAMETER_NAMES, name);
            field(PARAMETER_DESCRIPTIONS, description);
        }
        for (total, length) in self.totals.iter_mut().zip(lengths) {
            *total += u64::from(length);
        }
        self.lengths.push(lengths);
    }

    fn count(&mut self, tool: u32, field: usize, word: &str) {
        // Words beyond any that a person writes are data.
        if word.len() > 48 {
            return;
        }
        if !self.postings.contains_key(word) {
            self.postings.insert(word.into(), Vec::new());
        }
        let Some(postings) = self.postings.get_mut(word) else {
            return;
        };
        match postings.last_mut() {
            Some(last) if last.tool == tool => {
                last.counts[field] = last.counts[field].saturating_add(1);
            }
            _ => {
                let mut counts = [0; FIELDS];
                counts[field] = 1;
                postings.push(Posting { tool, counts });
            }
        }
    }
}

/// Collects names and descriptions of parameters, two levels deep.
fn collect<'a>(schema: &'a Map<String, Value>, depth: usize, out: &mut Vec<(&'a str, &'a str)>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, parameter) in properties.into_iter().flatten() {
        if out.len() >= MAX_INDEXED_PARAMETERS {
            return;
        }
        let description = parameter
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default();
        out.push((name, description));
        let inner = parameter.get("items").unwrap_or(parameter);
        if depth == 0
            && let Some(inner) = inner.as_object()
        {
            collect(inner, 1, out);
        }
    }
}
