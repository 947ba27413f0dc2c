//! Ranking by BM25F (Robertson, Zaragoza and Taylor 2004).

use std::{collections::BTreeSet, sync::Arc};

use super::{
    SearchHit, SearchIndex, SearchQuery,
    lexicon::{Concept, concepts},
    segment::{FIELDS, Segment},
};
use crate::limits::MAX_QUERY_CHARS;

/// What a word in each field weighs: name, title, description, names and descriptions of parameters.
const WEIGHTS: [f64; FIELDS] = [4.0, 2.0, 1.0, 0.6, 0.25];
/// How much the length of each field counts against it.
const LENGTH_PARTS: [f64; FIELDS] = [0.3, 0.3, 0.6, 0.7, 0.8];
/// How soon more of the same word adds nothing.
const SATURATION: f64 = 1.2;

impl SearchIndex {
    /// Returns the best tools for a query: those with exactly the name that it holds first, then by rank, equal ones
    /// by name.
    pub fn search(&self, query: &SearchQuery<'_>) -> Vec<SearchHit> {
        let text: String = query.text.chars().take(MAX_QUERY_CHARS).collect();
        let segments: Vec<&Segment> = self
            .segments
            .iter()
            .filter(|(id, _)| query.server.is_none_or(|server| id.as_str() == server))
            .map(|(_, lazy)| lazy.segment())
            .collect();
        let concepts = concepts(&text);
        let averages = averages(&segments);
        let count: usize = segments.iter().map(|segment| segment.tools().len()).sum();
        let inverse: Vec<f64> = concepts
            .iter()
            .map(|concept| inverse_frequency(&segments, concept, count))
            .collect();
        let names = names(&text);
        let mut found: Vec<(bool, SearchHit)> = Vec::new();
        for segment in segments {
            let scores = scores(segment, &concepts, &inverse, averages);
            for (tool, score) in segment.tools().iter().zip(scores) {
                if query.risk.is_some_and(|risk| tool.risk != risk) {
                    continue;
                }
                let is_named = names.iter().any(|name| {
                    name.eq_ignore_ascii_case(tool.public_name.as_str())
                        || name.eq_ignore_ascii_case(&tool.definition.name)
                });
                if is_named || score > 0.0 {
                    let tool = Arc::clone(tool);
                    found.push((is_named, SearchHit { tool, score }));
                }
            }
        }
        found.sort_by(|(a_named, a), (b_named, b)| {
            b_named
                .cmp(a_named)
                .then(b.score.total_cmp(&a.score))
                .then_with(|| a.tool.public_name.cmp(&b.tool.public_name))
        });
        found
            .into_iter()
            .take(query.limit)
            .map(|(_, hit)| hit)
            .collect()
    }
}

/// Returns what of a query may be a name: all of it, and every word that is made of parts.
fn names(text: &str) -> BTreeSet<&str> {
    let trimmed = text.trim();
    trimmed
        .split(|character: char| {
            character.is_whitespace()
                || matches!(character, ',' | '`' | '"' | '\'' | '(' | ')' | ':')
        })
        .filter(|word| word.contains(['_', '-']))
        .chain([trimmed])
        .filter(|word| !word.is_empty())
        .collect()
}

fn averages(segments: &[&Segment]) -> [f64; FIELDS] {
    let count: usize = segments.iter().map(|segment| segment.tools().len()).sum();
    let mut averages = [1.0; FIELDS];
    for (field, average) in averages.iter_mut().enumerate() {
        let total: u64 = segments.iter().map(|segment| segment.totals()[field]).sum();
        *average = (total as f64 / count.max(1) as f64).max(0.1);
    }
    averages
}

/// How telling a concept is: the fewer tools have one of its words, the more.
fn inverse_frequency(segments: &[&Segment], concept: &Concept, count: usize) -> f64 {
    let with: usize = segments
        .iter()
        .map(|segment| {
            let words = concept.words.iter();
            words
                .map(|(word, _)| segment.postings(word).len())
                .sum::<usize>()
        })
        .sum();
    let with = with.min(count) as f64;
    (1.0 + (count as f64 - with + 0.5) / (with + 0.5)).ln()
}

fn scores(
    segment: &Segment,
    concepts: &[Concept],
    inverse: &[f64],
    averages: [f64; FIELDS],
) -> Vec<f64> {
    let mut scores = vec![0.0; segment.tools().len()];
    let mut best = vec![0.0_f64; segment.tools().len()];
    for (concept, inverse) in concepts.iter().zip(inverse) {
        best.fill(0.0);
        for (word, weight) in &concept.words {
            for posting in segment.postings(word) {
                let at = posting.tool as usize;
                let mut frequency = 0.0;
                for field in 0..FIELDS {
                    let length = f64::from(segment.lengths()[at][field]) / averages[field];
                    let part = LENGTH_PARTS[field];
                    frequency += WEIGHTS[field] * f64::from(posting.counts[field])
                        / (1.0 - part + part * length);
                }
                let score = weight * inverse * frequency / (SATURATION + frequency);
                // Two words for the same thing count once.
                best[at] = best[at].max(score);
            }
        }
        for (score, best) in scores.iter_mut().zip(&best) {
            *score += best;
        }
    }
    scores
}
