//! Every numeric bound of this crate, with its unit and its reason.

use std::time::Duration;

// The state.

/// Days that are told apart; older ones become one bucket. A year and some weeks, to compare months.
pub const MAX_DAYS: usize = 400;
/// Routes that are told apart; people use a handful, and each takes up to 7 entries a day.
pub const MAX_ROUTES: usize = 32;
/// Sessions that a view lists, the newest of them.
pub const MAX_SESSIONS: usize = 50;
/// Pairs of a day and a session that are kept, unless those of one day are more; ten days of [`MAX_SESSIONS`].
pub const MAX_SESSION_ROWS: usize = 500;
/// Sessions of one day that are told apart; more than a person has, and at least [`MAX_SESSIONS`].
pub const MAX_DAY_SESSIONS: usize = 1_000;

// Prices.

/// Entries of a price table; a hundred models with monthly changes for eight years.
pub const MAX_PRICES: usize = 10_000;
/// Digits behind the point of a price per million tokens; amounts are then exact in 10^-15.
pub const MAX_PRICE_DIGITS: usize = 9;
/// Units of currency that a million tokens may cost; a currency of small units is worth a thousandth.
pub const MAX_PRICE: u64 = 1_000_000;
/// Bytes of a price table's text; [`MAX_PRICES`] entries take less.
pub const MAX_PRICE_TABLE_BYTES: usize = 8 << 20;

// The ledger.

/// Bytes of a ledger's file; the largest checkpoint takes half of it, and a usual one a thousandth.
pub const MAX_LEDGER_BYTES: u64 = 256 << 20;
/// Bytes of the first line of a ledger; two numbers and their names take below 80.
pub const MAX_LEDGER_HEADER_BYTES: u64 = 256;
/// Bytes of events that a ledger takes between checkpoints unless it is told otherwise; about 4,000 events.
pub const DEFAULT_COMPACT_BYTES: u64 = 1 << 20;
/// Events that wait to be written unless it is told otherwise; minutes of the busiest host.
pub const DEFAULT_QUEUE_EVENTS: usize = 8_192;
/// How long a flush waits: a slow disk and the compaction of another process fit.
pub const FLUSH_WAIT: Duration = Duration::from_secs(10);
/// Files set aside under one name.
pub const MAX_SET_ASIDE: usize = 1_000;
/// Looks at a ledger that is replaced at every look; one compaction lies between two of them.
pub const MAX_READ_TRIES: usize = 8;
