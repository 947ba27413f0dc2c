//! Why a turn has no answer.

use std::fmt;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    image::ImageError,
};
use eyes_usage::event::UsageEntry;

use super::LookFault;
use crate::{
    codes,
    context::ContextError,
    error::{AnswerError, ProviderError, ReadFailure, VisionError},
    vision::ReadWarning,
};

/// The bytes of an image could not be had from the host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AttachmentError {
    /// What happened, redacted.
    pub message: String,
}

/// A turn has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The final model failed; code, status and waiting time are what its provider said.
    #[error("{0}")]
    Final(Box<ProviderError>),
    /// The answer of the final model could not be taken whole.
    #[error("the final model gave no usable answer: {0}")]
    Answer(AnswerError),
    /// An image of this turn could not be read, or the route of the final model leads nowhere.
    #[error("{0}")]
    Vision(Box<ReadFailure>),
    /// The host could not give the bytes of an image.
    #[error("attachment {id} cannot be read: {source}")]
    Attachment {
        /// The host's id.
        id: String,
        /// Why.
        source: AttachmentError,
    },
    /// An attachment is no image that is admitted.
    #[error("attachment {id}: {source}")]
    Image {
        /// The host's id.
        id: String,
        /// Why.
        source: ImageError,
    },
    /// The bytes of an attachment are not those that were seen before.
    #[error("attachment {id} has other bytes than the image {expected}")]
    Changed {
        /// The host's id.
        id: String,
        /// What was seen.
        expected: Sha256Digest,
    },
    /// The session has no such image.
    #[error("this session has no image {0}")]
    UnknownImage(Sha256Digest),
    /// The request passes a bound of its context.
    #[error("{0}")]
    Context(#[from] ContextError),
    /// What the look tool was called with is no request.
    #[error("{0}")]
    Look(LookFault),
}

impl From<VisionError> for TurnError {
    fn from(error: VisionError) -> Self {
        Self::Vision(error.into())
    }
}

impl From<Box<ReadFailure>> for TurnError {
    fn from(failure: Box<ReadFailure>) -> Self {
        Self::Vision(failure)
    }
}

impl From<ProviderError> for TurnError {
    fn from(error: ProviderError) -> Self {
        Self::Final(Box::new(error))
    }
}

impl TurnError {
    /// Returns what the provider said, where a provider failed: the status and the waiting time are in it.
    pub fn provider_failure(&self) -> Option<&ProviderError> {
        match self {
            Self::Final(error) => Some(error),
            Self::Vision(failure) => failure.error.provider_failure(),
            _ => None,
        }
    }
}

impl Coded for TurnError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Final(error) => error.code(),
            Self::Answer(error) => error.code(),
            Self::Vision(failure) => failure.code(),
            Self::Attachment { .. } => codes::ATTACHMENT_READ_FAILED,
            Self::Image { source, .. } => source.code(),
            Self::Changed { .. } => codes::VISION_STATE_MISMATCH,
            Self::UnknownImage(_) => codes::UNKNOWN_PRESERVED_IMAGE,
            Self::Context(error) => error.code(),
            Self::Look(_) => codes::INVALID_VISION_REQUEST,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Final(error) => error.hint(),
            Self::Vision(failure) => failure.hint(),
            Self::Image { source, .. } => source.hint(),
            _ => self.code().spec().hint.to_owned(),
        }
    }
}

/// A turn failed; what it cost all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnFailure {
    /// Why.
    pub error: TurnError,
    /// What was used, as it is booked.
    pub usage: Vec<UsageEntry>,
    /// What went wrong beside it.
    pub warnings: Vec<ReadWarning>,
}

impl fmt::Display for TurnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for TurnFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.error)
    }
}

impl Coded for TurnFailure {
    fn code(&self) -> ErrorCode {
        self.error.code()
    }

    fn hint(&self) -> String {
        self.error.hint()
    }
}
