//! What a provider reports, and which code it stands for.

use eyes_evidence::code::ErrorCode;
use serde_json::Value;

use crate::{codes, context::Overflow};

/// An error as the provider worded it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reported {
    pub(super) message: String,
    /// The most telling of the provider's own names for it.
    pub(super) code: Option<String>,
    /// Every name it has, in lower case.
    words: String,
    status: Option<u16>,
    pub(super) request_id: Option<String>,
}

/// What stopped an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// The provider said so itself.
    Reported(Reported),
    /// The settings lead elsewhere.
    Redirect(String),
    /// No connection.
    Connect(String),
    /// A certificate that is not trusted.
    Certificate(String),
    /// A time limit.
    Timeout(String),
    /// The reply ended too early.
    Cut(String),
    /// The reply breaks its protocol.
    Invalid(String),
    /// The reply passes a bound.
    TooLong(String),
    /// The model or a filter refused.
    Blocked(String),
}

impl Fault {
    /// Returns the code and what is known of the fault.
    pub(super) fn resolve(self, status: Option<u16>) -> (ErrorCode, Reported) {
        let (code, message) = match self {
            Self::Reported(reported) => return (reported.error_code(status), reported),
            Self::Redirect(message) => (codes::PROVIDER_CONFIG_INVALID, message),
            Self::Connect(message) => (codes::PROVIDER_CONNECT_FAILED, message),
            Self::Certificate(message) => (codes::PROVIDER_CERTIFICATE_INVALID, message),
            Self::Timeout(message) => (codes::PROVIDER_TIMEOUT, message),
            Self::Cut(message) => (codes::INCOMPLETE_STREAM, message),
            Self::Invalid(message) => (codes::PROVIDER_RESPONSE_INVALID, message),
            Self::TooLong(message) => (codes::VISION_OUTPUT_LIMIT, message),
            Self::Blocked(message) => (codes::VISION_CONTENT_BLOCKED, message),
        };
        let reported = Reported {
            message,
            ..Reported::default()
        };
        (code, reported)
    }
}

const EMPTY_ACCOUNT: &str = "credit balance is too low";

/// Names that decide whatever the status says: providers use several statuses for them.
const DECIDING: [(&[&str], ErrorCode); 3] = [
    (
        &[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient balance",
            "exceeded_current_quota",
            "billing",
            "arrearage",
            EMPTY_ACCOUNT,
        ],
        codes::PROVIDER_QUOTA_LIMIT,
    ),
    (
        &[
            "content_filter",
            "content_policy",
            "responsibleaipolicyviolation",
            "data_inspection_failed",
            "datainspectionfailed",
        ],
        codes::VISION_CONTENT_BLOCKED,
    ),
    (&["overloaded"], codes::PROVIDER_UNAVAILABLE),
];

/// Names that decide where there is no status, as inside a stream.
const NAMED: [(&[&str], ErrorCode); 7] = [
    (
        &["rate_limit", "ratelimit", "too_many_requests", "throttl"],
        codes::PROVIDER_RATE_LIMIT,
    ),
    (&["timeout", "timed_out"], codes::PROVIDER_TIMEOUT),
    (
        &[
            "authentication",
            "invalid_api_key",
            "permission",
            "unauthorized",
        ],
        codes::PROVIDER_CREDENTIAL_INVALID,
    ),
    (&["model_not_found", "not_found"], codes::VISION_ROUTE_ERROR),
    (
        &["invalid_request", "invalid_image", "too_large"],
        codes::PROVIDER_REQUEST_INVALID,
    ),
    (&["stream_error"], codes::INCOMPLETE_STREAM),
    (
        &["server_error", "api_error", "internal", "unavailable"],
        codes::PROVIDER_UNAVAILABLE,
    ),
];

impl Reported {
    /// Finds an error in a JSON document: `{"error": {…}}`, `{"error": "…"}`, `{"type": "error", …}`,
    /// `{"errors": [{…}]}`, `{"message": …}` and `{"detail": …}` are in use.
    pub(super) fn find(document: &Value) -> Option<Self> {
        let inner = match document.get("error") {
            Some(Value::Null) | None => document
                .get("errors")
                .and_then(|errors| errors.get(0))
                .unwrap_or(document),
            Some(error) => error,
        };
        let mut found = match inner {
            Value::String(message) => Self::plain(message),
            Value::Object(_) => Self::of_object(inner)?,
            _ => return None,
        };
        found.request_id = ["request_id", "requestId"]
            .iter()
            .find_map(|name| document.get(name)?.as_str())
            .map(str::to_owned);
        Some(found)
    }

    /// Takes a fault that has a name and a message.
    #[cfg(feature = "openai")]
    pub(super) fn named(code: &str, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: Some(code.to_owned()),
            words: code.to_ascii_lowercase(),
            ..Self::default()
        }
    }

    /// Takes an error that is only words.
    pub(super) fn plain(message: &str) -> Self {
        Self {
            message: message.to_owned(),
            words: message.to_ascii_lowercase(),
            ..Self::default()
        }
    }

    fn of_object(object: &Value) -> Option<Self> {
        let text = |name: &str| match object.get(name) {
            Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let message = ["message", "detail", "msg"].into_iter().find_map(text);
        let kind = text("type").filter(|kind| kind != "error");
        let code = text("code");
        if message.is_none() && kind.is_none() && code.is_none() {
            return None;
        }
        let words = [&code, &kind].map(|word| word.as_deref().unwrap_or_default());
        let mut words = words.join(" ").to_ascii_lowercase();
        // An empty account at Anthropic is an invalid request by name.
        if let Some(message) = &message
            && message.to_ascii_lowercase().contains(EMPTY_ACCOUNT)
        {
            words.push_str(EMPTY_ACCOUNT);
        }
        let number = code.as_deref().and_then(|code| code.parse::<u16>().ok());
        Some(Self {
            message: message.unwrap_or_default(),
            words,
            status: number.filter(|number| (300..600).contains(number)),
            code: code.or(kind),
            request_id: None,
        })
    }

    fn error_code(&self, status: Option<u16>) -> ErrorCode {
        let named = |table: &[(&[&str], ErrorCode)]| {
            let hit = |(names, _): &&(&[&str], ErrorCode)| {
                names.iter().any(|name| self.words.contains(name))
            };
            table.iter().find(hit).map(|(_, code)| *code)
        };
        // A stream's head said success: only what came inside counts.
        let status = status.filter(|status| !(200..300).contains(status));
        let status = status.or(self.status);
        named(&DECIDING)
            .or_else(|| {
                self.is_overflow(status)
                    .then_some(codes::PROVIDER_CONTEXT_LIMIT)
            })
            .or_else(|| of_status(status?))
            .or_else(|| named(&NAMED))
            .unwrap_or(codes::VISION_MODEL_FAILED)
    }
}

impl Reported {
    /// Tells whether the request passes the model's window. Many wires say so in words only, under the code of
    /// any invalid request; llama.cpp has used status 500.
    fn is_overflow(&self, status: Option<u16>) -> bool {
        let is_open = matches!(status, None | Some(400 | 413 | 422 | 500));
        is_open && (Overflow::is_name(&self.words) || Overflow::in_text(&self.message).is_some())
    }
}

fn of_status(status: u16) -> Option<ErrorCode> {
    Some(match status {
        400 | 405 | 406 | 409 | 411 | 413..=415 | 422 | 431 => codes::PROVIDER_REQUEST_INVALID,
        401 | 403 | 407 => codes::PROVIDER_CREDENTIAL_INVALID,
        402 => codes::PROVIDER_QUOTA_LIMIT,
        404 | 410 => codes::VISION_ROUTE_ERROR,
        408 | 504 | 524 => codes::PROVIDER_TIMEOUT,
        429 => codes::PROVIDER_RATE_LIMIT,
        425 | 500..=599 => codes::PROVIDER_UNAVAILABLE,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
