//! Looking again: one question about one image of the session.

use std::sync::Arc;

use eyes_evidence::{digest::Sha256Digest, provenance::EvidenceRecord};
use eyes_usage::category::{CallCategory, Counter};

use super::{LookRequest, TurnError, request::LookReport, session::KnownImage, work::Work};
use crate::{
    attempts::Operation,
    error::ReadFailure,
    route::Attempt,
    vision::{Ask, ReadRequest, Reading},
};

/// A question that has its answer.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    pub(super) record: Arc<EvidenceRecord>,
    /// It was answered before.
    pub(super) known: bool,
    pub(super) attempts: Vec<Attempt>,
}

impl Answered {
    pub(super) fn report(&self, asked: &LookRequest) -> LookReport {
        LookReport {
            image_sha256: Some(asked.image_sha256),
            question: Some(asked.question.clone()),
            outcome: Ok(self.record.record_sha256()),
            known: self.known,
            attempts: self.attempts.clone(),
        }
    }
}

/// What became of a question, not yet booked.
pub(super) enum Found {
    /// It was answered before.
    Known(Arc<EvidenceRecord>),
    /// Somebody looked.
    Read(Result<Reading, Box<ReadFailure>>),
    /// Nobody could look.
    Not(TurnError),
}

impl Work<'_> {
    /// Answers a question and books what that costs, also where it fails.
    pub(super) async fn look(
        &mut self,
        asked: &LookRequest,
        by_tool: bool,
    ) -> Result<Answered, TurnError> {
        let found = self.find(asked, by_tool).await;
        self.take_found(asked, by_tool, found)
    }

    /// Answers a question, from what is known where it was asked before.
    pub(super) async fn find(&self, asked: &LookRequest, by_tool: bool) -> Found {
        if let Some(record) = self.session.answer(&asked.key()) {
            return Found::Known(record);
        }
        match self.request(asked, by_tool).await {
            Ok(request) => Found::Read(self.engine.reader.read(request).await),
            Err(error) => Found::Not(error),
        }
    }

    async fn request(&self, asked: &LookRequest, by_tool: bool) -> Result<ReadRequest, TurnError> {
        let known = self.image_of(asked.image_sha256)?;
        let image = self.load(&known.attachment).await?;
        let mut request = ReadRequest::new(image, Ask::target(&asked.question, asked.region)?);
        request.preferred = known.seen.map(|seen| seen.route);
        request.operation = if by_tool {
            Operation::LookTarget
        } else {
            Operation::Target
        };
        request.session = self.session.digest;
        Ok(request)
    }

    /// Books what became of a question.
    pub(super) fn take_found(
        &mut self,
        asked: &LookRequest,
        by_tool: bool,
        found: Found,
    ) -> Result<Answered, TurnError> {
        if by_tool {
            self.count(Counter::LookCalls);
        }
        let read = match found {
            Found::Known(record) => {
                return Ok(Answered {
                    record,
                    known: true,
                    attempts: Vec::new(),
                });
            }
            Found::Not(error) => return Err(error),
            Found::Read(read) => read,
        };
        match &read {
            Ok(reading) => self.book_reading(reading, CallCategory::VisionTarget),
            Err(failure) => self.book_failure(failure, CallCategory::VisionTarget),
        }
        self.flush();
        match read {
            Ok(reading) => {
                let record = Arc::clone(&reading.record);
                self.session.remember_answer(asked.key(), record);
                self.warnings.extend(reading.warnings);
                Ok(Answered {
                    record: reading.record,
                    known: false,
                    attempts: reading.attempts,
                })
            }
            Err(failure) => {
                self.warnings.extend(failure.warnings.iter().cloned());
                Err(failure.into())
            }
        }
    }

    fn image_of(&self, sha256: Sha256Digest) -> Result<KnownImage, TurnError> {
        let known = self.session.by_digest(sha256);
        known.ok_or(TurnError::UnknownImage(sha256))
    }
}
