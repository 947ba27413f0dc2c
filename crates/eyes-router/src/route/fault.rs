//! Whose fault a failure is: pure.

use eyes_evidence::code::{Category, Coded};

use crate::{
    codes,
    error::{AnswerError, ProbeError, ProviderError, VisionError},
};

/// Whose fault a failure is, which decides what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The caller's will, or this machine's: no other route may be asked, and no route is to blame.
    Stop,
    /// This request does not fit this route: another one may be asked, and this one is not to blame.
    Request,
    /// The route's: another one may be asked, and this one is to blame.
    Route,
}

impl Fault {
    /// Tells whose fault `error` is.
    pub fn of(error: &VisionError) -> Self {
        match error {
            VisionError::NoRoute
            | VisionError::Question { .. }
            | VisionError::Budget { .. }
            | VisionError::Exhausted { .. } => Self::Stop,
            VisionError::Refused { .. }
            | VisionError::Record { .. }
            | VisionError::Answer {
                source: AnswerError::Truncated,
                ..
            }
            | VisionError::Probe {
                reason: ProbeError::Picture(_),
                ..
            } => Self::Request,
            VisionError::Probe { .. }
            | VisionError::Answer { .. }
            | VisionError::Evidence { .. } => Self::Route,
            VisionError::Provider { source, .. } => Self::of_provider(source),
        }
    }

    fn of_provider(error: &ProviderError) -> Self {
        // What belongs to the caller or to this machine, whoever reports it.
        const STOPS: [&str; 7] = [
            "ATTACHMENT_READ_FAILED",
            "EVIDENCE_PERSIST_FAILED",
            "FILE_WRITE_FAILED",
            "INVALID_VISION_REQUEST",
            "UNKNOWN_PRESERVED_IMAGE",
            "VISION_STATE_MISMATCH",
            "AUTOMATION_CALL_LIMIT",
        ];
        let code = error.code();
        if code == codes::ABORTED || STOPS.contains(&code.as_str()) {
            return Self::Stop;
        }
        // Refused as it stands: the picture or the bounds of this request, not the state of the route.
        let refused = matches!(error.status, Some(400 | 413 | 415 | 422))
            || [
                codes::PROVIDER_CONTEXT_LIMIT,
                codes::PROVIDER_REQUEST_INVALID,
                codes::VISION_CONTENT_BLOCKED,
            ]
            .contains(&code)
            || (error.status.is_none() && code.spec().category == Category::Invalid)
            || code.as_str().starts_with("IMAGE_")
            // Weights that this machine lacks: the route is not to blame, and may find them the next time.
            || code.as_str().starts_with("LOCAL_MODEL_");
        if refused { Self::Request } else { Self::Route }
    }
}
