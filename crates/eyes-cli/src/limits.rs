//! Every numeric bound of this crate, with its unit and its reason.

use std::time::Duration;

/// Bytes of a model's raw text; the same as one streamed answer.
pub const MAX_MODEL_TEXT_BYTES: u64 = eyes_router::limits::MAX_ANSWER_BYTES as u64;
/// Bytes of a file of records; a thousand overviews of dense screens.
pub const MAX_RECORD_FILE_BYTES: u64 = 256 << 20;
/// How long a command runs before it shows progress; shorter ones would only flicker.
pub const PROGRESS_AFTER: Duration = Duration::from_secs(1);
/// How often a spinner moves.
pub const PROGRESS_TICK: Duration = Duration::from_millis(100);
/// Confidence below which human output says how sure the reader is.
pub const DOUBT_BELOW: f64 = 0.8;
