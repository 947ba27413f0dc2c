//! Finds the evidence object in a model's text.
//!
//! Every `{` outside an object that was read is a possible start. Reading stops at the first fault, so prose
//! with odd quotation marks or braces costs a few bytes; a budget of [`SCAN_BUDGET_FACTOR`] times the text
//! bounds the rest.

use std::borrow::Cow;

use super::{
    audit::{ExtractionAudit, ExtractionMethod},
    error::ParseError,
    json::{Dialect, Document, Options, SyntaxError, Value, read_object},
};
use crate::{
    limits::{MAX_JSON_DEPTH, MAX_MODEL_TEXT_BYTES, MAX_UNWRAP_MEMBERS, SCAN_BUDGET_FACTOR},
    record::EvidenceKind,
};

/// Marks that end a model's reasoning; an object before one is a draft.
const REASONING_ENDS: [&str; 4] = [
    "</think>",
    "</thinking>",
    "</reasoning>",
    "<|end_of_thought|>",
];

/// The object that was chosen, and how it was found.
#[derive(Debug)]
pub(super) struct Extracted<'t> {
    document: Document<'t>,
    path: Vec<Cow<'t, str>>,
    pub(super) audit: ExtractionAudit,
}

impl<'t> Extracted<'t> {
    /// Returns the evidence object.
    pub(super) fn object(&self) -> Value<'_, 't> {
        let mut value = self.document.root();
        for name in &self.path {
            let inner = value.member(name);
            let first = inner.filter(|inner| is_object(*inner));
            let Some(next) = first.or_else(|| inner.and_then(|list| list.elements().next())) else {
                return value;
            };
            value = next;
        }
        value
    }
}

/// What speaks for an object; compared from the first field to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, compared in this order"
)]
struct Score {
    has_core: bool,
    after_reasoning: bool,
    versioned: bool,
    complete: bool,
    members: usize,
}

struct Candidate<'t> {
    score: Score,
    start: usize,
    path: Vec<Cow<'t, str>>,
    document: Document<'t>,
}

/// Finds the object.
pub(super) fn extract(text: &str, kind: EvidenceKind) -> Result<Extracted<'_>, ParseError> {
    if text.len() > MAX_MODEL_TEXT_BYTES {
        return Err(ParseError::TextTooLong { bytes: text.len() });
    }
    let mut search = Search {
        text,
        kind,
        reasoning_end: reasoning_end(text),
        found: 0,
        deep: false,
        controls: has_controls(text.as_bytes()),
    };
    let strict = search.run(Dialect::Strict);
    let best = match strict {
        Some(candidate) if candidate.score.has_core => Some(candidate),
        other => {
            let strict_found = std::mem::take(&mut search.found);
            let lenient = search.run(Dialect::Lenient);
            search.found = search.found.max(strict_found);
            better(other, lenient)
        }
    };
    // An object without substance inside one that is nested too deep is no answer either.
    let Some(best) = best.filter(|best| best.score.has_core || !search.deep) else {
        return Err(if search.deep {
            ParseError::TooDeep {
                limit: MAX_JSON_DEPTH,
            }
        } else {
            ParseError::NoObject
        });
    };
    Ok(finish(text, best, search.found))
}

fn better<'t>(old: Option<Candidate<'t>>, new: Option<Candidate<'t>>) -> Option<Candidate<'t>> {
    match (old, new) {
        (Some(old), Some(new)) => Some(if new.score > old.score { new } else { old }),
        (old, new) => new.or(old),
    }
}

fn finish<'t>(text: &str, best: Candidate<'t>, candidates: u32) -> Extracted<'t> {
    let trimmed_start = text.len() - text.trim_start().len();
    let whole = best.start == trimmed_start && best.document.end >= text.trim_end().len();
    let unwrapped = (!best.path.is_empty()).then(|| {
        best.path.iter().fold(String::new(), |pointer, name| {
            pointer + "/" + &name.replace('~', "~0").replace('/', "~1")
        })
    });
    Extracted {
        audit: ExtractionAudit {
            method: if whole {
                ExtractionMethod::Whole
            } else {
                ExtractionMethod::Embedded
            },
            candidates,
            truncated: best.document.truncated,
            unwrapped,
            syntax: best.document.syntax,
        },
        path: best.path,
        document: best.document,
    }
}

struct Search<'t> {
    text: &'t str,
    kind: EvidenceKind,
    reasoning_end: usize,
    found: u32,
    deep: bool,
    controls: bool,
}

impl<'t> Search<'t> {
    fn run(&mut self, dialect: Dialect) -> Option<Candidate<'t>> {
        let bytes = self.text.as_bytes();
        let mut budget = bytes
            .len()
            .saturating_mul(SCAN_BUDGET_FACTOR)
            .saturating_add(4096);
        let options = Options {
            dialect,
            controls: self.controls,
        };
        let mut nodes = Vec::new();
        let mut best: Option<Candidate<'t>> = None;
        let mut at = 0;
        while let Some(offset) = memchr::memchr(b'{', &bytes[at..]) {
            let start = at + offset;
            let (stop, next) = match read_object(self.text, start, options, &mut nodes) {
                Ok(document) => {
                    let stop = document.end;
                    let candidate = self.candidate(document, start);
                    // A cut object without substance is prose; what it swallowed is looked at again.
                    let prose = candidate.document.truncated && !candidate.score.has_core;
                    self.found = self.found.saturating_add(u32::from(!prose));
                    if !prose
                        && best
                            .as_ref()
                            .is_none_or(|best| candidate.score >= best.score)
                    {
                        best = Some(candidate);
                    }
                    (stop, if prose { start + 1 } else { stop })
                }
                Err(SyntaxError::Depth(stop)) => {
                    self.deep = true;
                    (stop, stop)
                }
                Err(error) => (error.offset(), start + 1),
            };
            budget = budget.saturating_sub((stop - start).max(16));
            at = next.min(bytes.len());
            if budget == 0 {
                break;
            }
        }
        best
    }

    fn candidate(&self, document: Document<'t>, start: usize) -> Candidate<'t> {
        let (score, path) = self.locate(&document, start);
        Candidate {
            score,
            start,
            path,
            document,
        }
    }

    /// Scores the object itself or, where it is only a wrapper, the best object inside it.
    fn locate(&self, document: &Document<'t>, start: usize) -> (Score, Vec<Cow<'t, str>>) {
        let root = document.root();
        let mut best = (self.score(root, document, start), Vec::new());
        if best.0.versioned || best.0.has_core {
            return best;
        }
        for (name, inner) in objects_in(root) {
            let score = self.score(inner, document, start);
            if score.has_core && score > best.0 {
                best = (score, vec![name.clone()]);
            }
            for (second, innermost) in objects_in(inner) {
                let score = self.score(innermost, document, start);
                if score.has_core && score > best.0 {
                    best = (score, vec![name.clone(), second]);
                }
            }
        }
        best
    }

    fn score(&self, object: Value<'_, 't>, document: &Document<'t>, start: usize) -> Score {
        let (core, others) = signature(self.kind);
        let mut score = Score {
            after_reasoning: start >= self.reasoning_end,
            versioned: false,
            has_core: false,
            complete: !document.truncated,
            members: 0,
        };
        for (name, value) in object.members() {
            if name == "schemaVersion" {
                score.versioned = value.raw() == self.kind.schema_version();
            } else if name == core {
                score.has_core |= !value.is_null();
                score.members += 1;
            } else if others.contains(&name.as_ref()) {
                score.members += 1;
            }
        }
        score
    }
}

fn is_object(value: Value<'_, '_>) -> bool {
    value.kind() == super::json::Kind::Object
}

/// Returns the members that are objects, or lists of one object.
fn objects_in<'d, 't>(value: Value<'d, 't>) -> impl Iterator<Item = (Cow<'t, str>, Value<'d, 't>)> {
    value
        .members()
        .take(MAX_UNWRAP_MEMBERS)
        .filter_map(|(name, inner)| {
            if is_object(inner) {
                return Some((name, inner));
            }
            let mut elements = inner.elements();
            let first = elements.next().filter(|first| is_object(*first))?;
            elements.next().is_none().then_some((name, first))
        })
}

/// Looks for control characters a block at a time, which compiles to vector instructions.
fn has_controls(bytes: &[u8]) -> bool {
    let lowest = |block: &[u8]| block.iter().fold(u8::MAX, |low, byte| low.min(*byte));
    bytes.chunks(1024).any(|block| lowest(block) < 0x20)
}

/// Returns the member without which there is no document, and the others that mark one.
pub(super) fn signature(kind: EvidenceKind) -> (&'static str, &'static [&'static str]) {
    match kind {
        EvidenceKind::Base => (
            "summary",
            &[
                "ocr",
                "regions",
                "objects",
                "relations",
                "quantitativeFacts",
                "uncertainties",
            ],
        ),
        EvidenceKind::Target => ("answer", &["observations", "ocr", "uncertainties"]),
    }
}

fn reasoning_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    // A mark behind the last brace is text that was read from the picture, or the end of everything.
    let mut end = memchr::memrchr(b'{', bytes).unwrap_or(0);
    while let Some(at) = memchr::memrchr(b'<', &bytes[..end]) {
        if REASONING_ENDS
            .iter()
            .any(|mark| bytes[at..].starts_with(mark.as_bytes()))
        {
            return at;
        }
        end = at;
    }
    0
}
