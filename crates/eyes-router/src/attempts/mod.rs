//! What was tried, event by event: the facts that an attempts log keeps.
//!
//! An event names routes, codes, times and digests; never an image, a prompt or an answer.

mod event;

pub use event::{AttemptEvent, AttemptId, AttemptPhase, AttemptStatus, Operation};
