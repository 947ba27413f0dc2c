//! Every numeric bound of this crate, with its unit and its reason.

use std::time::Duration;

/// Bytes of a settings file; a full one has under 4 KiB.
pub const MAX_SETTINGS_BYTES: u64 = 1 << 20;
/// Routes in the settings; each is asked in turn, so a long list only costs time.
pub const MAX_ROUTES: usize = 32;
/// Threads of the local eyes at most; more gain nothing on one image.
pub const MAX_LOCAL_THREADS: usize = 64;
/// Bytes of a store at least; a smaller one could not hold the record of one dense screen.
pub const MIN_STORE_BYTES: u64 = 1 << 20;
/// Characters of another program's message that are passed on.
pub const MAX_TOOL_MESSAGE_CHARS: usize = 500;
/// Nesting of a settings document; a full one needs 5, `extraBody` a few more.
pub const MAX_SETTINGS_DEPTH: usize = 32;
/// Providers in the settings.
pub const MAX_PROVIDERS: usize = 64;
/// Models that the settings declare for one provider.
pub const MAX_DECLARED_MODELS: usize = 256;
/// PEM files of further certification authorities.
pub const MAX_CA_FILES: usize = 16;
/// Bytes of one PEM file; a whole system's bundle has 200 KiB.
pub const MAX_CA_BYTES: u64 = 4 << 20;
/// Bytes of a file that holds a key.
pub const MAX_KEY_FILE_BYTES: u64 = 16 << 10;
/// The shortest time limit of the network, in milliseconds.
pub const MIN_TIMEOUT_MS: u64 = 100;
/// The longest time limit of the network, in milliseconds: an hour.
pub const MAX_TIMEOUT_MS: u64 = 3_600_000;
/// Attempts that the log keeps at least.
pub const MIN_ATTEMPTS_KEPT: u32 = 10;
/// Attempts that the log keeps at most; about 5 MB.
pub const MAX_ATTEMPTS_KEPT: u32 = 10_000;
/// Attempts that the log keeps unless configured.
pub const DEFAULT_ATTEMPTS_KEPT: u32 = 1_000;
/// Bytes of one line of the attempts log, for the size of its files; usual lines have 450 to 550.
pub const ATTEMPT_LINE_BYTES: u64 = 512;
/// Bytes of one truth file; the densest screen takes a twentieth.
pub const MAX_TRUTH_BYTES: u64 = 4 << 20;
/// Pictures of one suite; reading them would take hours.
pub const MAX_EVAL_CASES: usize = 10_000;
/// Characters of one expected line; comparing takes time with its square.
pub const MAX_TRUTH_LINE_CHARS: usize = 1_000;
/// Characters of what was read beside a line that are compared with it; a line of a wide screen has below 1,000.
pub const MAX_COMPARED_CHARS: usize = 8_000;
/// Bytes of a file of prices; a table of every public model has a tenth.
pub const MAX_PRICES_BYTES: u64 = 1 << 20;
/// Bytes of the file that keeps the key of markers, with room for a line end.
pub const MAX_MARKER_KEY_BYTES: u64 = 128;
/// Strangers in the directory for data that are named; more say nothing more.
pub const MAX_UNKNOWN_FILES: usize = 1_000;
/// Lines of which one has to be a log's, for the file to be a log; damage rarely takes more.
pub const MAX_LOG_LINES_LOOKED_AT: usize = 8;
/// How often a watcher looks at the ledger; a person sees no difference from more.
pub const LEDGER_LOOK_EVERY: Duration = Duration::from_secs(1);
/// Records that the tool `evidence` tells of unless the call names a number.
pub const DEFAULT_TOLD_RECORDS: usize = 5;
/// Records that the tool `evidence` tells of at most; a screen of text has about 5,000 tokens.
pub const MAX_TOLD_RECORDS: usize = 20;
/// Digits that name a record at least, as on the command line.
pub const MIN_RECORD_DIGITS: usize = 6;
