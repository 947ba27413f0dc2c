//! Errors of this crate.
