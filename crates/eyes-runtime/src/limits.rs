//! Every numeric bound of this crate, with its unit and its reason.

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
