//! The only place that sees the protocol library.

pub mod rmcp;
