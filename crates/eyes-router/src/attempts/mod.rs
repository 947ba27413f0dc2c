//! What was tried, event by event: the facts that an attempts log keeps.
//!
//! An event names routes, codes, times and digests; never an image, a prompt or an answer.

mod event;
mod log;
mod record;
#[cfg(test)]
mod tests;

pub use event::{AttemptEvent, AttemptId, AttemptPhase, AttemptStatus, Operation};
pub use log::AttemptLog;
pub use record::AttemptRecord;

/// The JSON Schema (2020-12) of one attempt in the log, made from its type.
pub const ATTEMPT_SCHEMA: &str = include_str!("attempt.schema.json");
