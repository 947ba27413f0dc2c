//! The tool that a model calls.
