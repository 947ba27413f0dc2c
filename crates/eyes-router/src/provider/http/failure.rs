//! What went wrong on the wire, as a [`ProviderError`].

use std::{error::Error, time::SystemTime};

use eyes_evidence::redact::{Redactor, safe_message};
use reqwest::{
    StatusCode,
    header::{DATE, HeaderMap, LOCATION, RETRY_AFTER},
};
use serde_json::Value;

use super::super::fault::{Fault, Reported};
use crate::{
    error::ProviderError,
    limits::{MAX_PROVIDER_MESSAGE_CHARS, MAX_PROVIDER_TOKEN_CHARS, MAX_RETRY_AFTER_MS},
};

/// Where a failure happened, and what its message must not show.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Context {
    pub(in super::super) redactor: Redactor,
    pub(in super::super) status: Option<u16>,
    pub(in super::super) request_id: Option<String>,
    pub(in super::super) retry_after_ms: Option<u64>,
}

impl Context {
    pub(in super::super) const fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            status: None,
            request_id: None,
            retry_after_ms: None,
        }
    }

    /// Notes what the reply's head says.
    pub(super) fn note(&mut self, status: StatusCode, headers: &HeaderMap) {
        self.status = Some(status.as_u16());
        let text = |name: &str| headers.get(name)?.to_str().ok();
        self.request_id = ["x-request-id", "request-id", "x-ds-trace-id"]
            .into_iter()
            .find_map(text)
            .and_then(|id| self.token(id));
        self.retry_after_ms = retry_after_ms(headers);
    }

    /// Makes the error of a fault in or around the reply.
    pub(in super::super) fn error(&self, fault: Fault) -> ProviderError {
        let (code, reported) = fault.resolve(self.status);
        let mut error = ProviderError::new(code, self.message(&reported.message));
        error.provider_code = reported.code.and_then(|code| self.token(&code));
        error.status = self.status;
        error.request_id = self
            .request_id
            .clone()
            .or_else(|| reported.request_id.and_then(|id| self.token(&id)));
        error.retry_after_ms = self.retry_after_ms;
        error
    }

    fn message(&self, text: &str) -> String {
        safe_message(&self.redactor.redact(text), MAX_PROVIDER_MESSAGE_CHARS)
    }

    fn token(&self, text: &str) -> Option<String> {
        let token = safe_message(&self.redactor.redact(text), MAX_PROVIDER_TOKEN_CHARS);
        (!token.is_empty()).then_some(token)
    }
}

/// Reads the fault out of a reply that is no success.
pub(super) fn reported(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Fault {
    if status.is_redirection() {
        let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
        return Fault::Redirect(format!(
            "the provider redirects with status {} to {}; redirects are not followed",
            status.as_u16(),
            target.unwrap_or("nowhere"),
        ));
    }
    let text = String::from_utf8_lossy(body);
    let parsed = serde_json::from_slice::<Value>(body).ok();
    let mut reported = match parsed.as_ref().and_then(Reported::find) {
        Some(reported) => reported,
        // Pages of gateways say nothing that the status does not say.
        None if text.trim_start().starts_with('<') => Reported::default(),
        None => Reported::plain(&text),
    };
    if reported.message.trim().is_empty() {
        let reason = status.canonical_reason().unwrap_or("without a reason");
        reported.message = format!("status {}: {reason}", status.as_u16());
    }
    Fault::Reported(reported)
}

/// Translates a failure before the reply's head came.
pub(super) fn not_sent(error: reqwest::Error) -> Fault {
    let error = error.without_url();
    let text = chain(&error);
    if is_certificate(&error) {
        return Fault::Certificate(text);
    }
    if error.is_connect() {
        return Fault::Connect(if error.is_timeout() {
            format!("no connection within the connect timeout: {text}")
        } else {
            text
        });
    }
    if error.is_builder() || error.is_request() && error.status().is_some() {
        return Fault::Invalid(text);
    }
    Fault::Connect(format!(
        "the connection broke before the reply began: {text}"
    ))
}

/// Returns the message with those of everything behind it.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let words = source.to_string();
        if !text.ends_with(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        next = source.source();
    }
    text
}

/// Finds a refused certificate behind the error; input and output errors wrap what they carry.
fn is_certificate(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return matches!(tls, rustls::Error::InvalidCertificate(_));
        }
        let carried = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        next = match carried {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    false
}

/// Reads how long the provider asks to wait.
///
/// `retry-after-ms` wins; `Retry-After` (RFC 9110, 10.2.3) has seconds or a date, which is taken against the
/// `Date` of the same reply, so that no clock of this machine is in it.
pub(super) fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str, unit: f64| {
        let value: f64 = text.parse().ok()?;
        let wanted = (value * unit).ceil();
        (wanted >= 0.0).then(|| wanted.min(MAX_RETRY_AFTER_MS as f64) as u64)
    };
    if let Some(wanted) = text("retry-after-ms").and_then(|text| number(text, 1.0)) {
        return Some(wanted);
    }
    let after = text(RETRY_AFTER.as_str())?;
    number(after, 1_000.0).or_else(|| {
        let until = httpdate::parse_http_date(after).ok()?;
        let now: SystemTime = httpdate::parse_http_date(text(DATE.as_str())?).ok()?;
        let wait = until.duration_since(now).unwrap_or_default().as_millis();
        Some(
            u64::try_from(wait)
                .unwrap_or(u64::MAX)
                .min(MAX_RETRY_AFTER_MS),
        )
    })
}
