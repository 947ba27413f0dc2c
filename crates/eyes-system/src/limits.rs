//! Every numeric bound of this crate.

use std::time::Duration;

/// Bytes of standard error that are kept of one program.
pub const MAX_STDERR_BYTES: usize = 64 << 10;
/// Bytes left out at a cut that falls into a line longer than this.
pub const STDERR_CUT_BYTES: usize = 4 << 10;
/// How long a program may take to end by itself once it was told to.
pub const CLOSE_GRACE: Duration = Duration::from_secs(2);
/// How long what a program left behind may hold its standard error before it is told to end.
pub const CLOSE_ORPHAN_GRACE: Duration = Duration::from_millis(100);
/// How long a group may take to end after it was told to end.
pub const TERMINATE_GRACE: Duration = Duration::from_secs(2);
/// How long the system may take to remove what was killed.
pub const KILL_WAIT: Duration = Duration::from_secs(2);
