//! Schemas of arguments: validation, and the forms that model APIs accept.
//!
//! Schemas come from servers, so what they may cost is bounded before anything is compiled, when a call's arguments
//! are checked and when they are rewritten for a model API. A schema never makes anything be fetched. The server's
//! own schema is what arguments are checked against; the rewritten form only tells a model what to write.

mod cache;
mod cost;
mod document;
mod fit;
mod pattern;
mod validate;
mod violation;

pub use cache::SchemaCache;
pub use fit::{FitNote, FittedSchema, SchemaProfile, Unfit, fit};
pub use validate::{ArgumentSchema, Skipped};
pub use violation::Violation;

#[cfg(test)]
mod tests;
