//! Looking again: one question about one image of the session.

use std::sync::Arc;

use eyes_evidence::{digest::Sha256Digest, provenance::EvidenceRecord};
use eyes_usage::category::{CallCategory, Counter};

use super::{LookRequest, TurnError, request::LookReport, session::KnownImage, work::Work};
use crate::{
    attempts::Operation,
    route::Attempt,
    vision::{Ask, ReadRequest},
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

impl Work<'_> {
    /// Answers a question, from what is known where it was asked before; books what that costs, also where it
    /// fails.
    pub(super) async fn look(
        &mut self,
        asked: &LookRequest,
        by_tool: bool,
    ) -> Result<Answered, TurnError> {
        if by_tool {
            self.count(Counter::LookCalls);
        }
        let key = asked.key();
        if let Some(record) = self.session.answer(&key) {
            return Ok(Answered {
                record,
                known: true,
                attempts: Vec::new(),
            });
        }
        let operation = if by_tool {
            Operation::LookTarget
        } else {
            Operation::Target
        };
        let known = self.image_of(asked.image_sha256)?;
        let image = self.load(&known.attachment).await?;
        let mut request = ReadRequest::new(image, Ask::target(&asked.question, asked.region)?);
        request.preferred = known.seen.map(|seen| seen.route);
        request.operation = operation;
        request.session = self.session.digest;
        let read = self.engine.reader.read(request).await;
        match &read {
            Ok(reading) => self.book_reading(reading, CallCategory::VisionTarget),
            Err(failure) => self.book_failure(failure, CallCategory::VisionTarget),
        }
        self.flush();
        match read {
            Ok(reading) => {
                self.session
                    .remember_answer(key, Arc::clone(&reading.record));
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
