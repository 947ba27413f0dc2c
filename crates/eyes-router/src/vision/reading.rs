//! What a reading is asked for, and what it gives.

use std::sync::Arc;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    provenance::EvidenceRecord,
};

use super::request::Ask;
use crate::{
    attempts::Operation,
    model::{ImageInput, TokenUsage},
    route::{Attempt, Outcome, Route},
};

/// One image to be read.
#[derive(Debug, Clone)]
pub struct ReadRequest {
    /// The image.
    pub image: ImageInput,
    /// What is asked about it.
    pub ask: Ask,
    /// The route that is asked first, such as the one that answered last for the same image.
    pub preferred: Option<Route>,
    /// What the reading is for, as logs tell it.
    pub operation: Operation,
    /// SHA-256 of the session's id, for logs.
    pub session: Option<Sha256Digest>,
}

impl ReadRequest {
    /// Asks about an image, without preference and session.
    pub const fn new(image: ImageInput, ask: Ask) -> Self {
        let operation = match ask {
            Ask::Base { .. } => Operation::Base,
            Ask::Target { .. } => Operation::Target,
        };
        Self {
            image,
            ask,
            preferred: None,
            operation,
            session: None,
        }
    }
}

/// Tokens of one reading with all its retries and routes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadUsage {
    /// Of pixel probes.
    pub probe: TokenUsage,
    /// Of the readings themselves, those that failed included.
    pub model: TokenUsage,
}

impl ReadUsage {
    /// Returns input and output tokens of both parts.
    pub const fn tokens(&self) -> u64 {
        self.probe
            .input
            .saturating_add(self.probe.output)
            .saturating_add(self.model.input)
            .saturating_add(self.model.output)
    }
}

/// One image read into evidence.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The sealed record.
    pub record: Arc<EvidenceRecord>,
    /// Which route answered, now or when the record was stored.
    pub route: Route,
    /// Every route that was tried, oldest first; the last one answered.
    pub attempts: Vec<Attempt>,
    /// Tokens of all calls; zero for a stored record, and for a caller that joined the reading of another one.
    pub usage: ReadUsage,
    /// An equal reading was under way, and this caller waited for it.
    pub joined: bool,
    /// What went wrong beside the reading itself.
    pub warnings: Vec<ReadWarning>,
}

impl Reading {
    /// Returns whether a stored record answered and no model was called.
    pub fn is_cached(&self) -> bool {
        self.attempts
            .last()
            .is_some_and(|attempt| attempt.outcome == Outcome::Cached)
    }
}

/// A fault that did not keep the evidence from its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadWarning {
    /// The registry's code.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
}

impl ReadWarning {
    /// Takes code and message of an error.
    pub fn of(error: &impl Coded) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
        }
    }
}
