//! The errors of this crate.

use std::fmt;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    parse::ParseError,
    provenance::{NameError, RecordError},
};

use crate::{
    codes,
    probe::ProbeImageError,
    route::{Attempt, Outcome, Route},
    vision::{ReadUsage, ReadWarning},
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

    /// Returns whether the same call on the same route may succeed after a pause.
    ///
    /// True for rate limits, an overloaded or broken provider, timeouts and failed connections; never for
    /// an answer that broke off, see [`is_broken_stream`](Self::is_broken_stream).
    pub fn is_transient(&self) -> bool {
        [
            codes::PROVIDER_RATE_LIMIT,
            codes::PROVIDER_UNAVAILABLE,
            codes::PROVIDER_TIMEOUT,
            codes::PROVIDER_CONNECT_FAILED,
        ]
        .contains(&self.code)
    }

    /// Returns whether an answer had begun and broke off.
    pub fn is_broken_stream(&self) -> bool {
        self.code == codes::INCOMPLETE_STREAM
    }
}

impl Coded for ProviderError {
    fn code(&self) -> ErrorCode {
        self.code
    }
}

/// Why a route is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteRefusal {
    /// It names a provider or a model that does not exist.
    #[error("names no configured model")]
    Unknown,
    /// The model does not accept images.
    #[error("does not accept images")]
    NotMultimodal,
    /// The provider is the virtual one, which itself needs eyes.
    #[error("is the virtual provider, which cannot be its own eye")]
    Recursion,
    /// It failed several times in a row, and the trial of whether it works again failed too.
    #[error("failed several times in a row and is left alone for now")]
    Blocked,
    /// A name of the route, or the revision of its model, does not fit into a record.
    #[error("cannot be written into a record: {0}")]
    Name(NameError),
}

/// A model did not prove that it sees.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// It did not name the colours of any grid that it was shown.
    #[error("did not name the colours of {grids} grids")]
    Wrong {
        /// How many grids it was shown.
        grids: u32,
    },
    /// The picture of the probe could not be made.
    #[error("could not be shown a grid: {0}")]
    Picture(ProbeImageError),
}

/// Which bound of one operation was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetLimit {
    /// The time.
    #[error("the reading took {limit_ms} ms, as long as it may")]
    Time {
        /// The bound in milliseconds.
        limit_ms: u64,
    },
    /// The tokens.
    #[error("the reading used {used} tokens, and may use {limit}")]
    Tokens {
        /// Tokens used.
        used: u64,
        /// The bound.
        limit: u64,
    },
}

/// An image could not be read into evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VisionError {
    /// No route can look.
    #[error("no vision route is configured, and no listed model accepts text and images")]
    NoRoute,
    /// The question is empty or too long.
    #[error("the question has {chars} characters")]
    Question {
        /// Its length in characters, counted after white space at both ends is removed.
        chars: usize,
    },
    /// The route is not asked.
    #[error("{route} {reason}")]
    Refused {
        /// Which route.
        route: Route,
        /// Why.
        reason: RouteRefusal,
    },
    /// The provider failed.
    #[error("{route} failed")]
    Provider {
        /// Which route.
        route: Route,
        /// What the provider reported.
        source: Box<ProviderError>,
    },
    /// The model did not prove that it sees.
    #[error("{route} {reason}")]
    Probe {
        /// Which route.
        route: Route,
        /// Why.
        reason: ProbeError,
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
    /// The evidence could not be sealed into a record.
    #[error("the evidence of {route} could not be sealed")]
    Record {
        /// Which route.
        route: Route,
        /// Why.
        source: RecordError,
    },
    /// The operation reached one of its bounds.
    #[error("{limit}{}{}", if attempts.is_empty() { "" } else { ": " }, list(attempts))]
    Budget {
        /// Which bound.
        limit: BudgetLimit,
        /// What was tried, oldest first.
        attempts: Vec<Attempt>,
    },
    /// Several routes failed.
    #[error("{} routes failed: {}", attempts.len(), list(attempts))]
    Exhausted {
        /// What was tried, oldest first.
        attempts: Vec<Attempt>,
    },
}

impl VisionError {
    /// Makes the refusal of a route.
    pub fn refused(route: &Route, reason: RouteRefusal) -> Self {
        Self::Refused {
            route: route.clone(),
            reason,
        }
    }

    /// Makes the failure of a route's provider.
    pub fn provider(route: &Route, source: ProviderError) -> Self {
        Self::Provider {
            route: route.clone(),
            source: Box::new(source),
        }
    }

    /// Makes the failure of a route's answer.
    pub fn answer(route: &Route, source: AnswerError) -> Self {
        Self::Answer {
            route: route.clone(),
            source,
        }
    }

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
            Self::Refused { reason, .. } => match reason {
                RouteRefusal::Unknown | RouteRefusal::Name(_) => codes::VISION_ROUTE_ERROR,
                RouteRefusal::NotMultimodal => codes::VISION_MODEL_NOT_MULTIMODAL,
                RouteRefusal::Recursion => codes::VISION_ROUTE_RECURSION,
                RouteRefusal::Blocked => codes::VISION_ROUTE_UNAVAILABLE,
            },
            Self::Provider { source, .. } => source.code(),
            Self::Probe { reason, .. } => match reason {
                ProbeError::Wrong { .. } => codes::VISION_PROBE_FAILED,
                ProbeError::Picture(error) => error.code(),
            },
            Self::Answer { source, .. } => source.code(),
            Self::Evidence { source, .. } => source.code(),
            Self::Record { source, .. } => source.code(),
            Self::Budget { limit, .. } => match limit {
                BudgetLimit::Time { .. } => codes::VISION_READ_TIMEOUT,
                BudgetLimit::Tokens { .. } => codes::VISION_TOKEN_LIMIT,
            },
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

/// A reading failed; what it cost all the same, and what was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadFailure {
    /// Why.
    pub error: VisionError,
    /// Every route that was tried, oldest first.
    pub attempts: Vec<Attempt>,
    /// Tokens of all calls; zero for a caller that joined the reading of another one.
    pub usage: ReadUsage,
    /// What went wrong beside the reading itself.
    pub warnings: Vec<ReadWarning>,
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for ReadFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.error)
    }
}

impl ReadFailure {
    /// Makes a failure that cost nothing.
    pub fn new(error: VisionError) -> Self {
        Self {
            error,
            attempts: Vec::new(),
            usage: ReadUsage::default(),
            warnings: Vec::new(),
        }
    }
}

impl From<VisionError> for Box<ReadFailure> {
    fn from(error: VisionError) -> Self {
        Self::new(ReadFailure::new(error))
    }
}

impl Coded for ReadFailure {
    fn code(&self) -> ErrorCode {
        self.error.code()
    }

    fn hint(&self) -> String {
        self.error.hint()
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
