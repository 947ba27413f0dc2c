//! One event of an attempt.

use std::fmt;

use eyes_evidence::{code::ErrorCode, digest::Sha256Digest, provenance::Timestamp};

use crate::route::Route;

/// The id of one attempt: 128 random bits, printed as a version 4 UUID (RFC 9562).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptId([u8; 16]);

impl AttemptId {
    /// Takes 128 random bits; six of them are replaced by the version and the variant.
    pub const fn from_random(bits: u128) -> Self {
        let mut bytes = bits.to_be_bytes();
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self(bytes)
    }
}

impl fmt::Display for AttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Operation {
    /// An overview that a turn asked for.
    #[default]
    Base,
    /// A question that a turn asked.
    Target,
    /// An overview that the look tool needed.
    LookBase,
    /// A question that the look tool asked.
    LookTarget,
}

impl Operation {
    /// Returns the name that logs use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Target => "target",
            Self::LookBase => "look-base",
            Self::LookTarget => "look-target",
        }
    }
}

/// Which part of an attempt an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AttemptPhase {
    /// Finding the model and what it accepts.
    Health,
    /// The reading itself, or a stored record in its place.
    Operation,
    /// A circuit that is open.
    Circuit,
    /// The same route asked again.
    TransportRetry,
    /// The pixel probe before the first reading.
    Probe,
}

impl AttemptPhase {
    /// Returns the name that logs use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Operation => "operation",
            Self::Circuit => "circuit",
            Self::TransportRetry => "transport-retry",
            Self::Probe => "probe",
        }
    }
}

/// How that part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AttemptStatus {
    /// It did what it was for.
    Success,
    /// A stored record answered; no model was called.
    CacheHit,
    /// It failed, with an error code.
    Failed,
    /// The route was passed over because its circuit is open.
    SkippedOpenCircuit,
    /// It failed and the same route is asked once more.
    Retry,
}

impl AttemptStatus {
    /// Returns the name that logs use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::CacheHit => "cache-hit",
            Self::Failed => "failed",
            Self::SkippedOpenCircuit => "skipped-open-circuit",
            Self::Retry => "retry",
        }
    }
}

/// One event of an attempt, as [`AttemptSink`](crate::ports::AttemptSink) is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEvent {
    /// Which attempt; several events of one route in one operation share it.
    pub attempt_id: AttemptId,
    /// When that part ended.
    pub timestamp: Timestamp,
    /// What the reading is for.
    pub operation: Operation,
    /// Provider and model.
    pub route: Route,
    /// The route's place in the order of candidates, from 0.
    pub priority: u32,
    /// How many routes failed before in this operation.
    pub failover_index: u32,
    /// Which part.
    pub phase: AttemptPhase,
    /// How it ended.
    pub status: AttemptStatus,
    /// How long the part took, in milliseconds.
    pub duration_ms: u64,
    /// The registry's code of a failure.
    pub error_code: Option<ErrorCode>,
    /// SHA-256 of the session's id, where the caller named a session.
    pub session_hash: Option<Sha256Digest>,
    /// SHA-256 of the encoded image, where an image was read.
    pub image_sha256: Option<Sha256Digest>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_prints_as_a_version_4_uuid() {
        for (bits, text) in [
            (0, "00000000-0000-4000-8000-000000000000"),
            (u128::MAX, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
            (
                0x0123_4567_89ab_cdef_0123_4567_89ab_cdef,
                "01234567-89ab-4def-8123-456789abcdef",
            ),
        ] {
            assert_eq!(AttemptId::from_random(bits).to_string(), text);
        }
    }
}
