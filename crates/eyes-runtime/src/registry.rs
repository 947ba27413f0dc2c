//! Every code that this software reports, from all rooms.

use eyes_evidence::code::ErrorCode;

/// Lists every code, room by room from the ground up, in the order declared; without those of rooms that are not
/// built in.
pub fn error_codes() -> impl Iterator<Item = ErrorCode> {
    [
        eyes_evidence::codes::ALL,
        eyes_usage::codes::ALL,
        eyes_router::codes::ALL,
        crate::local::CODES,
        crate::codes::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Finds a code by its name; upper and lower case are equal.
pub fn find(name: &str) -> Option<ErrorCode> {
    error_codes().find(|code| code.as_str().eq_ignore_ascii_case(name))
}
