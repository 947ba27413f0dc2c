//! The integration harness.
