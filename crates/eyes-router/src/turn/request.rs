//! What a turn is given and what it gives.

use std::sync::Arc;

use eyes_evidence::digest::Sha256Digest;
use eyes_usage::event::UsageEntry;

use super::TurnMessage;
use crate::{
    context::{AutomationKind, EstimatedTokens},
    model::{FinishReason, ToolSpec},
    route::{Attempt, Route},
    vision::ReadWarning,
};

/// One call of the final model, as its host makes it.
#[derive(Debug, Clone)]
pub struct TurnRequest {
    /// The host's id of the session; without one nothing outlives the call.
    pub session: Option<String>,
    /// The final model.
    pub route: Route,
    /// The system text.
    pub system: Option<String>,
    /// The whole session, oldest first.
    pub messages: Vec<TurnMessage>,
    /// The host's tools.
    pub tools: Arc<[ToolSpec]>,
    /// Output tokens at most; the model's default where absent.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature.
    pub temperature: Option<f32>,
}

/// How the pictures of a session reach the final model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnKind {
    /// There are none: the request passes as it is.
    Text,
    /// The final model looks at the pixels itself.
    Native,
    /// Evidence stands for them.
    Bridged,
}

/// An image that was read for a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenImage {
    /// The host's id.
    pub attachment_id: String,
    /// SHA-256 of the bytes.
    pub image_sha256: Sha256Digest,
    /// The digest that names the record.
    pub record_sha256: Sha256Digest,
    /// Who looked.
    pub route: Route,
    /// Whether a stored record answered.
    pub cached: bool,
    /// Every route that was tried.
    pub attempts: Vec<Attempt>,
}

/// How a request of the final model to look again ended.
#[derive(Debug, Clone, PartialEq)]
pub struct LookReport {
    /// The image, where the request named one.
    pub image_sha256: Option<Sha256Digest>,
    /// The question, where there was one.
    pub question: Option<String>,
    /// The digest that names the record of the answer, or the code of the failure.
    pub outcome: Result<Sha256Digest, ReadWarning>,
    /// Whether the answer was known already.
    pub known: bool,
    /// Every route that was tried.
    pub attempts: Vec<Attempt>,
}

/// A message that is to stand otherwise in the session from now on.
///
/// The host keeps its event log and the original; what it sends later should hold these blocks. They are what
/// was sent, byte for byte, and the turn that they come from has succeeded.
#[derive(Debug, Clone, PartialEq)]
pub struct Replacement {
    /// Which message of the request.
    pub index: usize,
    /// The message as it was sent.
    pub message: TurnMessage,
}

/// What a context of an automation was cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// Estimated tokens of the whole.
    pub before: EstimatedTokens,
    /// Estimated tokens of what was sent.
    pub after: EstimatedTokens,
    /// Messages that were left out.
    pub dropped: usize,
}

/// A turn that has its answer; the answer itself was streamed.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    /// How pictures reached the model.
    pub kind: TurnKind,
    /// Which automation the turn went on with.
    pub automation: Option<AutomationKind>,
    /// Why the answer ended.
    pub finish: FinishReason,
    /// The images that were read for it.
    pub images: Vec<SeenImage>,
    /// The rereads that the model asked for.
    pub looks: Vec<LookReport>,
    /// Calls of the final model.
    pub calls: u32,
    /// What was used, as it is booked.
    pub usage: Vec<UsageEntry>,
    /// What is to stand otherwise in the session.
    pub surface: Vec<Replacement>,
    /// What the context was cut to, where it was.
    pub compaction: Option<Compaction>,
    /// What went wrong beside the answer.
    pub warnings: Vec<ReadWarning>,
}

/// Takes the messages that differ from what the host holds.
pub(super) fn replacements(messages: &[TurnMessage], changed: &[usize]) -> Vec<Replacement> {
    let replaced = |&index: &usize| Replacement {
        index,
        message: messages[index].clone(),
    };
    changed.iter().map(replaced).collect()
}
