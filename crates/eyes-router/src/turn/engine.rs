//! The engine: what callers hold.

use std::sync::{Arc, Mutex, PoisonError};

use eyes_evidence::image::ImageLimits;
use eyes_usage::ports::UsageSink;

use super::{
    Listener, LookRequest, MarkerKey, TurnError, TurnFailure, TurnMessage, TurnReport, TurnRequest,
    history::Places, marker::targeted_text, request::LookReport, run::Run, session::Sessions,
    work::Work,
};
use crate::{
    config::TurnConfig,
    context::CallGuard,
    ports::{AttachmentSource, Clock},
    vision::VisionReader,
};

/// What an engine needs from outside.
#[derive(Debug, Clone)]
pub struct TurnPorts {
    /// Who looks; its providers answer as well.
    pub reader: Arc<VisionReader>,
    /// Where the bytes of images are.
    pub attachments: Arc<dyn AttachmentSource>,
    /// Who is told what was used.
    pub usage: Arc<dyn UsageSink>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// Lets final models answer, with evidence in place of the images that they cannot see.
///
/// Its futures run inside a tokio runtime with time enabled. Dropping one stops its work; what was read until
/// then is kept.
#[derive(Debug)]
pub struct TurnEngine {
    pub(super) reader: Arc<VisionReader>,
    pub(super) attachments: Arc<dyn AttachmentSource>,
    pub(super) usage: Arc<dyn UsageSink>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) config: TurnConfig,
    pub(super) limits: ImageLimits,
    pub(super) guard: Mutex<CallGuard>,
    pub(super) sessions: Sessions,
}

/// What the look tool found.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// The evidence as the model reads it.
    pub text: String,
    /// How it was found.
    pub report: LookReport,
}

impl TurnEngine {
    /// Takes ports, settings, the bounds of images, and the key that makes markers believed.
    pub fn new(
        ports: TurnPorts,
        config: TurnConfig,
        limits: ImageLimits,
        markers: MarkerKey,
    ) -> Self {
        let guard = CallGuard::new(config.settings().automation_max_calls_per_turn);
        Self {
            reader: ports.reader,
            attachments: ports.attachments,
            usage: ports.usage,
            clock: ports.clock,
            config,
            limits,
            guard: Mutex::new(guard),
            sessions: Sessions::new(markers),
        }
    }

    /// Lets the final model answer; `listener` hears the answer as it comes, up to its finish event.
    ///
    /// A failure of the final model is passed on as its provider reported it. What the listener heard before a
    /// failure is no answer.
    pub async fn answer(
        &self,
        request: &TurnRequest,
        mut listener: Listener<'_>,
    ) -> Result<TurnReport, Box<TurnFailure>> {
        let mut run = Run::new(self, request);
        match run.answer(&mut listener).await {
            Ok(report) => Ok(run.report(report)),
            Err(error) => Err(Box::new(run.work.failure(error))),
        }
    }

    /// Looks again at an image of a session, for a host that offers the look tool itself.
    ///
    /// `arguments` are those of the tool. Errors: `INVALID_VISION_REQUEST`, `UNKNOWN_PRESERVED_IMAGE`,
    /// `VISION_STATE_MISMATCH`, `ATTACHMENT_READ_FAILED`, and those of a reading.
    pub async fn look(&self, session: &str, arguments: &str) -> Result<Looked, Box<TurnFailure>> {
        let mut work = Work::new(self, Some(session));
        let asked = match LookRequest::from_json(arguments) {
            Ok(asked) => asked,
            Err(fault) => return Err(Box::new(work.failure(TurnError::Look(fault)))),
        };
        match work.look(&asked, true).await {
            Ok(answered) => {
                work.flush();
                Ok(Looked {
                    text: targeted_text(&work.session.key, &answered.record),
                    report: answered.report(&asked),
                })
            }
            Err(error) => Err(Box::new(work.failure(error))),
        }
    }

    /// Learns the images of a session from its messages, as after a restart; returns how many markers of it stand
    /// there, so that a host knows whether to offer the look tool.
    pub fn restore(&self, session: &str, messages: &[TurnMessage]) -> usize {
        let session = self.sessions.open(Some(session));
        session.learn(&Places::find(messages, &session.key))
    }

    /// Forgets a session that has ended.
    pub fn forget(&self, session: &str) {
        self.sessions.forget(session);
        self.guard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .forget(session);
    }
}
