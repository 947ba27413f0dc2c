//! An attempt as the log keeps it.

use eyes_evidence::{digest::Sha256Digest, provenance::Timestamp};
use serde::{Deserialize, Serialize};

use super::AttemptEvent;

/// One event of an attempt as JSON: names, codes, times and digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttemptRecord {
    /// A version 4 UUID; events of one route in one operation share it.
    #[cfg_attr(test, schemars(regex(pattern = UUID)))]
    pub attempt_id: String,
    /// When that part ended.
    pub timestamp: Timestamp,
    /// `base`, `target`, `look-base` or `look-target`.
    #[cfg_attr(test, schemars(length(max = 64)))]
    pub operation: String,
    /// The provider's id.
    #[cfg_attr(test, schemars(length(min = 1, max = crate::limits::MAX_PROVIDER_CHARS)))]
    pub provider: String,
    /// The provider's name of the model.
    #[cfg_attr(test, schemars(length(min = 1, max = crate::limits::MAX_MODEL_CHARS)))]
    pub model: String,
    /// The route's place in the order of candidates, from 0.
    pub priority: u32,
    /// How many routes failed before in this operation.
    pub failover_index: u32,
    /// Which part, such as `health` or `operation`.
    #[cfg_attr(test, schemars(length(max = 64)))]
    pub phase: String,
    /// How it ended, such as `success` or `failed`.
    #[cfg_attr(test, schemars(length(max = 64)))]
    pub status: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The registry's code of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        test,
        schemars(regex(pattern = "^[A-Z][A-Z0-9_]*$"), length(max = 128))
    )]
    pub error_code: Option<String>,
    /// SHA-256 of the session's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_hash: Option<Sha256Digest>,
    /// SHA-256 of the encoded image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_sha256: Option<Sha256Digest>,
}

#[cfg(test)]
const UUID: &str = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";

impl From<&AttemptEvent> for AttemptRecord {
    fn from(event: &AttemptEvent) -> Self {
        Self {
            attempt_id: event.attempt_id.to_string(),
            timestamp: event.timestamp.clone(),
            operation: event.operation.name().to_owned(),
            provider: event.route.provider().to_owned(),
            model: event.route.model().to_owned(),
            priority: event.priority,
            failover_index: event.failover_index,
            phase: event.phase.name().to_owned(),
            status: event.status.name().to_owned(),
            duration_ms: event.duration_ms,
            error_code: event.error_code.map(|code| code.as_str().to_owned()),
            session_hash: event.session_hash,
            image_sha256: event.image_sha256,
        }
    }
}
