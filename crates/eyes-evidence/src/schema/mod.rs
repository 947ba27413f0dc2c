//! The published contracts, as text.
//!
//! The schema of visual evidence is written by hand in `schemas/` of the repository; the copy here is what the
//! package ships, and `cargo xtask tidy` fails when they differ. The others are made from the types by
//! `cargo xtask schema --write`, and a test fails when they differ.

#[cfg(feature = "schema")]
pub mod generate;
#[cfg(feature = "schema")]
mod scalars;
#[cfg(all(test, feature = "schema"))]
mod tests;

/// The JSON Schema (draft-07) of both evidence documents.
pub const VISUAL_EVIDENCE_SCHEMA: &str = include_str!("visual-evidence.schema.json");

/// The JSON Schema (2020-12) of a sealed record, made from its types.
///
/// It cannot say that `recordSha256` fits the rest and that boxes end inside the image.
pub const EVIDENCE_RECORD_SCHEMA: &str = include_str!("evidence-record.schema.json");

/// The JSON Schema (2020-12) of what was done to a model's text, made from its types.
pub const PARSE_AUDIT_SCHEMA: &str = include_str!("parse-audit.schema.json");

/// The JSON Schema (2020-12) of one audited call, made from its types.
pub const AUDIT_EVENT_SCHEMA: &str = include_str!("audit-event.schema.json");

/// The JSON Schema (2020-12) of what changed between two states, made from its types.
pub const STATE_DELTA_SCHEMA: &str = include_str!("state-delta.schema.json");

/// The JSON Schema (2020-12) of the report of one run, made from its types.
pub const RUN_REPORT_SCHEMA: &str = include_str!("run-report.schema.json");

/// Writes the schemas of types that check their own rule: each `Type: { ... }` is what its constructor refuses.
///
/// The caller's crate depends on schemars.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! checked_schemas {
    ($($type:ident: $schema:tt)+) => {$(
        impl ::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!($schema)
            }
        }
    )+};
}
