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
/// Bytes of an HTML page; browsers open larger ones slowly or not at all.
pub const MAX_PAGE_BYTES: usize = 256 << 20;
/// Files that one pattern may match; each is read, so more is likely a mistake.
pub const MAX_PATTERN_MATCHES: usize = 10_000;
/// Hexadecimal digits that name a record at least; fewer name several soon.
pub const MIN_DIGEST_DIGITS: usize = 6;
/// Records of one list at most; each is read and verified.
pub const MAX_LISTED_RECORDS: usize = 10_000;
/// Hexadecimal digits of a digest in a table; enough to tell 50 apart.
pub const SHOWN_DIGEST_DIGITS: usize = 12;
/// Digits behind the point of a cost; a call of a small model costs a ten-thousandth.
pub const COST_DIGITS: usize = 6;
/// Characters of a summary in a list of records; what is left of a line of 100.
pub const LISTED_SUMMARY_CHARS: usize = 48;
/// Bytes of the arguments of a call on standard input; servers take far less.
pub const MAX_CALL_ARGUMENTS_BYTES: u64 = 4 << 20;
/// Bytes of a script of a browser's actions.
pub const MAX_SCRIPT_BYTES: u64 = 4 << 20;
