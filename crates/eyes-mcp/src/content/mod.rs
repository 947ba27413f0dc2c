//! Resources, their templates and prompts: matching and conversion.
//!
//! Nothing here waits: a [`ContentCatalog`](crate::catalog::ContentCatalog) resolves what may be asked for, and the
//! results of `resources/read` and `prompts/get` become blocks as a tool gives them.

mod address;
mod convert;
mod expression;
mod resolve;
mod template;

pub use address::has_dot_segment;
pub use convert::{prompt_blocks, resource_blocks};
pub use resolve::{ResolvedPrompt, ResolvedResource};
pub use template::{TemplateFault, TemplateMatch, UriTemplate, Variable};

#[cfg(test)]
mod tests;
