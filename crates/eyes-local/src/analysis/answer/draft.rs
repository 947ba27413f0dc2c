//! An answer while it is put together.

use eyes_evidence::{
    geometry::PixelRect,
    record::{Bounded, ObservationEntry, TargetEvidence},
};

use super::{
    super::compose::{self, NO_MODEL, quote},
    find::Scope,
};
use crate::limits::{MAX_ANSWER_LINES, MAX_RECORD_OBSERVATIONS};

/// How sure a colour is: it is counted, only smoothing blurs it.
pub(super) const COLOUR: f32 = 0.95;
/// How sure a shape is: its rule fits, but a drawing may imitate it.
pub(super) const SHAPE: f32 = 0.9;

/// An answer with the facts it rests on.
pub(super) struct Draft<'a> {
    pub answer: String,
    scope: &'a Scope<'a>,
    observations: Vec<(String, PixelRect, f32)>,
    lines: Vec<usize>,
    doubts: Vec<String>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(scope: &'a Scope<'a>, answer: impl Into<String>) -> Self {
        Self {
            answer: answer.into(),
            scope,
            observations: Vec::new(),
            lines: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// An answer that says that this reader has none, with the reason and all text of the part.
    pub(super) fn unanswered(scope: &'a Scope<'a>, answer: &str, reason: &str) -> Self {
        let mut draft = Self::new(scope, answer);
        draft.doubts.push(reason.to_owned());
        draft.lines.clone_from(&scope.order);
        draft
    }

    pub(super) fn saw(mut self, fact: impl Into<String>, at: PixelRect, sure: f32) -> Self {
        self.observations.push((fact.into(), at, sure));
        self
    }

    /// Adds a line as an observation and to the text of the answer.
    pub(super) fn read(self, line: usize) -> Self {
        let text = &self.scope.lines[line];
        let fact = format!("text {}", quote(&text.text));
        let (rect, sure) = (text.rect, text.confidence);
        self.saw(fact, rect, sure).with(line)
    }

    /// Adds a line to the text of the answer.
    pub(super) fn with(mut self, line: usize) -> Self {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
        self
    }

    pub(super) fn doubt(mut self, reason: impl Into<String>) -> Self {
        self.doubts.push(reason.into());
        self
    }

    pub(super) fn finish(mut self) -> TargetEvidence {
        let (layout, lines) = (self.scope.layout, self.scope.lines);
        self.doubts
            .extend(compose::text_doubts(layout, lines, &self.lines));
        let more = self.lines.len().saturating_sub(MAX_ANSWER_LINES);
        if more > 0 {
            self.doubts.push(format!(
                "{more} more lines of text are left out of this answer"
            ));
            self.lines.truncate(MAX_ANSWER_LINES);
        }
        let more = self
            .observations
            .len()
            .saturating_sub(MAX_RECORD_OBSERVATIONS);
        if more > 0 {
            self.doubts.push(format!(
                "{more} more observations are left out of this answer"
            ));
            self.observations.truncate(MAX_RECORD_OBSERVATIONS);
        }
        self.doubts.push(NO_MODEL.to_owned());
        let observations = self
            .observations
            .iter()
            .map(|(fact, at, sure)| ObservationEntry {
                fact: compose::text(fact),
                bbox: compose::bbox(*at, layout.size),
                confidence: compose::confidence(*sure),
            })
            .collect();
        TargetEvidence {
            answer: compose::text(&self.answer),
            observations: Bounded::truncated(observations).0,
            ocr: Bounded::truncated(compose::ocr(layout, lines, &self.lines)).0,
            uncertainties: Bounded::truncated(
                self.doubts.iter().map(|d| compose::text(d)).collect(),
            )
            .0,
        }
    }
}
