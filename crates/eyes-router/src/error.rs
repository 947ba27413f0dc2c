//! The errors of this crate.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    parse::ParseError,
    provenance::{NameError, RecordError},
};

use crate::{
    codes,
    route::{Attempt, Outcome, Route},
};

/// A model provider failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ProviderError {
    /// The registry's code.
    pub code: ErrorCode,
    /// The code that the provider itself gave, where it gave one.
    pub provider_code: Option<String>,
    /// What happened, redacted.
    pub message: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// How long the provider asked to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

impl ProviderError {
    /// Makes a failure that has only a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            provider_code: None,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            request_id: None,
        }
    }

    /// Makes the failure of a call that its caller stopped.
    pub fn aborted() -> Self {
        Self::new(codes::ABORTED, "stopped by the caller")
    }
}

impl Coded for ProviderError {
    fn code(&self) -> ErrorCode {
        self.code
    }
}

/// An image could not be read into evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VisionError {
    /// No route is configured.
    #[error("no vision route is configured")]
    NoRoute,
    /// The question is empty or too long.
    #[error("the question has {chars} characters")]
    Question {
        /// Its length in characters, counted after white space at both ends is removed.
        chars: usize,
    },
    /// The route names a provider or a model that does not exist.
    #[error("{0} names no configured model")]
    UnknownRoute(Route),
    /// The model does not accept images.
    #[error("{0} does not accept images")]
    NotMultimodal(Route),
    /// The provider failed.
    #[error("{route} failed")]
    Provider {
        /// Which route.
        route: Route,
        /// What the provider reported.
        source: Box<ProviderError>,
    },
    /// The answer could not be taken whole.
    #[error("{route} gave no usable answer")]
    Answer {
        /// Which route.
        route: Route,
        /// Why.
        source: AnswerError,
    },
    /// The answer is not evidence.
    #[error("the answer of {route} is not evidence")]
    Evidence {
        /// Which route.
        route: Route,
        /// Why.
        source: Box<ParseError>,
    },
    /// A name of the route, or the revision of its model, does not fit into a record.
    #[error("{route} cannot be written into a record")]
    Name {
        /// Which route.
        route: Route,
        /// Why.
        source: NameError,
    },
    /// The evidence could not be sealed into a record.
    #[error("the evidence of {route} could not be sealed")]
    Record {
        /// Which route.
        route: Route,
        /// Why.
        source: RecordError,
    },
    /// Several routes failed.
    #[error("{} routes failed: {}", attempts.len(), list(attempts))]
    Exhausted {
        /// What was tried, oldest first.
        attempts: Vec<Attempt>,
    },
}

impl VisionError {
    /// Returns the failure of the provider behind it, where there is one.
    pub fn provider_failure(&self) -> Option<&ProviderError> {
        match self {
            Self::Provider { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Coded for VisionError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NoRoute => codes::NO_VISION_MODEL,
            Self::Question { .. } => codes::INVALID_VISION_REQUEST,
            Self::UnknownRoute(_) | Self::Name { .. } => codes::VISION_ROUTE_ERROR,
            Self::NotMultimodal(_) => codes::VISION_MODEL_NOT_MULTIMODAL,
            Self::Provider { source, .. } => source.code(),
            Self::Answer { source, .. } => source.code(),
            Self::Evidence { source, .. } => source.code(),
            Self::Record { source, .. } => source.code(),
            Self::Exhausted { .. } => codes::VISION_FAILOVER_EXHAUSTED,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Provider { source, .. } => source.hint(),
            Self::Evidence { source, .. } => source.hint(),
            Self::Record { source, .. } => source.hint(),
            _ => self.code().spec().hint.to_owned(),
        }
    }
}

fn list(attempts: &[Attempt]) -> String {
    let mut text = String::new();
    for attempt in attempts {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&attempt.route.to_string());
        if let Outcome::Failed { code, message } = &attempt.outcome {
            text.extend([" [", code.as_str(), "] ", message]);
        }
    }
    text
}

/// A streamed answer could not be taken whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The stream ended without a finish event.
    #[error("the answer ended without a finish mark")]
    Incomplete,
    /// The model ran out of output tokens.
    #[error("the answer was cut off at the output token limit")]
    Truncated,
    /// The answer passes a bound of this crate.
    #[error("the answer has more than {limit} bytes of {what}")]
    Limit {
        /// `text` or `reasoning`.
        what: &'static str,
        /// The bound in bytes.
        limit: usize,
    },
}

impl Coded for AnswerError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Incomplete => codes::INCOMPLETE_STREAM,
            Self::Truncated => codes::VISION_OUTPUT_TRUNCATED,
            Self::Limit { .. } => codes::VISION_OUTPUT_LIMIT,
        }
    }
}
