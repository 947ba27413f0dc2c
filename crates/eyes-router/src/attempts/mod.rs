//! What was tried, event by event: the facts that an attempts log keeps.
//!
//! An event names routes, codes, times and digests; never an image, a prompt or an answer.

mod event;
#[cfg(feature = "fs")]
mod log;
#[cfg(feature = "fs")]
mod record;
#[cfg(all(test, feature = "fs"))]
mod tests;

pub use event::{AttemptEvent, AttemptId, AttemptPhase, AttemptStatus, Operation};
#[cfg(feature = "fs")]
pub use log::AttemptLog;
#[cfg(feature = "fs")]
pub use record::AttemptRecord;

/// The JSON Schema (2020-12) of one attempt in the log, made from its type.
pub const ATTEMPT_SCHEMA: &str = include_str!("attempt.schema.json");
