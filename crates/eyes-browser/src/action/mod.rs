//! Actions: the closed set of what a caller can ask for.

pub mod keys;
