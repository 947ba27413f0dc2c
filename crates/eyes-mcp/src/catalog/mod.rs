//! What a server offers, drained and admitted within bounds.
//!
//! A list is drained page by page ([`drain`]), then admitted as one generation. What breaks a bound of the whole
//! rejects the generation and the one before stays withdrawn; what is wrong with one entry removes that entry and
//! says why.

mod belief;
mod content;
mod drain;
mod measure;
mod tool;
mod tools;

pub use belief::{Belief, believe};
pub use content::{ContentCatalog, Prompt, PromptArgument, Resource, ResourceTemplate};
pub use drain::{DrainLimits, ListKind, drain};
pub use measure::Measure;
pub use tool::{CatalogTool, RefusedEntry, RefusedTool};
pub use tools::ToolCatalog;

#[cfg(test)]
mod tests;
