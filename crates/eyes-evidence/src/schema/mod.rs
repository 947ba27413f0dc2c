//! The published contracts, as text.
//!
//! `schemas/` of the repository holds the files that one edits; the copies here are what the package ships,
//! and `cargo xtask tidy` fails when they differ.

/// The JSON Schema (draft-07) of both evidence documents.
pub const VISUAL_EVIDENCE_SCHEMA: &str = include_str!("visual-evidence.schema.json");
