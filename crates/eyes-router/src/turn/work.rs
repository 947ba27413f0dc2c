//! What turns and the look tool share: reading images of a session, and the books.

use std::sync::Arc;

use eyes_evidence::code::Coded;

use super::{
    TurnEngine, TurnError, TurnFailure, booking::Book, request::SeenImage, session::Session,
};
use crate::vision::ReadWarning;

/// Work for one session.
pub(super) struct Work<'a> {
    pub(super) engine: &'a TurnEngine,
    pub(super) session_id: Option<&'a str>,
    pub(super) session: Arc<Session>,
    pub(super) book: Book,
    pub(super) images: Vec<SeenImage>,
    pub(super) warnings: Vec<ReadWarning>,
}

impl<'a> Work<'a> {
    pub(super) fn new(engine: &'a TurnEngine, session_id: Option<&'a str>) -> Self {
        Self {
            engine,
            session_id,
            session: engine.sessions.open(session_id),
            book: Book::default(),
            images: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn warn(&mut self, error: &impl Coded) {
        self.warnings.push(ReadWarning::of(error));
    }

    /// Ends in a failure; what it cost is told to the ledger all the same.
    pub(super) fn failure(mut self, error: TurnError) -> TurnFailure {
        self.flush();
        TurnFailure {
            error,
            usage: std::mem::take(&mut self.book.entries),
            warnings: std::mem::take(&mut self.warnings),
        }
    }
}

impl Drop for Work<'_> {
    /// A turn that is stopped was paid for all the same.
    fn drop(&mut self) {
        self.flush();
    }
}
