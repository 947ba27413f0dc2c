//! Which tools a model is told of, and in which form.
//!
//! An [`Exposure`] is made once at the beginning of a session and never changes in it: the array of tools and the
//! index stay the same bytes, so that a provider's prompt cache keeps its prefix. When a server's list changes, only
//! [`Capabilities`] is told; searches then find what is there now, and the next session's exposure is made anew.

mod build;
mod capabilities;
mod description;
mod estimate;
mod fixed;
mod index;

use std::sync::Arc;

use eyes_evidence::digest::Sha256Digest;
use serde_json::{Map, Value};

pub use self::{
    build::FitMemo,
    capabilities::{Capabilities, CapabilityAnswer, SearchRequest},
    estimate::{EstimateWriter, text_tokens, value_tokens},
    fixed::{CAPABILITY_CALL, CAPABILITY_DESCRIBE, CAPABILITY_SEARCH, is_capability_tool},
};
use crate::{
    catalog::CatalogTool,
    config::{ExposureMode, ServerConfig},
    names::{PublicName, ServerId},
    schema::{FitNote, SchemaProfile},
};

/// The tools of one server that policy allows.
#[derive(Debug, Clone, Copy)]
pub struct ServerTools<'a> {
    /// The server.
    pub server: &'a ServerConfig,
    /// Its allowed tools, and no others: what is denied is neither exposed nor found.
    pub tools: &'a [Arc<CatalogTool>],
}

/// What an exposure is made from.
#[derive(Debug, Clone, Copy)]
pub struct ExposureInput<'a> {
    /// The servers in the order of the settings.
    pub servers: &'a [ServerTools<'a>],
    /// Tools that are exposed in line, at most.
    pub max_tools: Option<usize>,
    /// Estimated tokens of definitions that are exposed in line, at most.
    pub max_schema_tokens: Option<usize>,
    /// Tokens that the model's context holds, where that is known.
    pub context_tokens: Option<u64>,
    /// The mode of servers that have none of their own.
    pub mode: ExposureMode,
    /// Whether the provider takes `defer_loading` and `tool_reference`.
    pub native_defer: bool,
    /// What schemas the provider accepts.
    pub profile: SchemaProfile,
}

/// One definition of a tool as a provider gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTool {
    /// The name: at most 64 of `A-Z a-z 0-9 _ -`.
    pub name: String,
    /// What it does, cleaned and bounded.
    pub description: String,
    /// The schema of its arguments in a form that the provider accepts.
    pub input_schema: Arc<Map<String, Value>>,
    /// Whether the provider keeps it from the model until a `tool_reference` names it.
    pub defer_loading: bool,
}

/// How a tool reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Presentation {
    /// Its definition is sent in full.
    Inline,
    /// It is found, described and called through the three fixed tools.
    Catalog,
    /// Its definition is sent, and the provider keeps it back.
    Deferred,
}

/// Why a tool that policy allows is not exposed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExposureBlock {
    /// An earlier tool has the same public name.
    DuplicatePublicName,
    /// As many tools as are exposed in line are there already.
    MaxTools,
    /// Its definition does not fit in what is left of the tokens.
    SchemaTokenBudget,
    /// Its schema has no form that the provider accepts; the reason follows.
    UnfitSchema(String),
}

impl ExposureBlock {
    /// Returns the name that snapshots show.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::DuplicatePublicName => "duplicate-public-name",
            Self::MaxTools => "max-tools",
            Self::SchemaTokenBudget => "schema-token-budget",
            Self::UnfitSchema(_) => "unfit-schema",
        }
    }
}

/// What became of one allowed tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRow {
    /// Its server.
    pub server: ServerId,
    /// Its public name.
    pub public_name: PublicName,
    /// How it reaches the model, if it does.
    pub presentation: Presentation,
    /// Estimated tokens of its definition as it would be sent in line.
    pub tokens: u64,
    /// Why it is not exposed.
    pub blocked: Option<ExposureBlock>,
    /// What was changed in its schema for the provider.
    pub notes: Vec<FitNote>,
}

/// What a session tells its model of the servers' tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Exposure {
    /// The definitions in the order in which they are sent.
    pub definitions: Vec<ModelTool>,
    /// The index of what can be searched, for the system text; nothing where every tool is in line.
    pub index: Option<String>,
    /// Every allowed tool, in the order of the settings and by public name.
    pub rows: Vec<ToolRow>,
    /// Estimated tokens of the definitions and the index that the model reads at the beginning.
    pub schema_tokens: u64,
    /// The digest of the definitions and the index: equal digests are equal prefixes.
    pub digest: Sha256Digest,
    /// Whether a search answers with `tool_reference` blocks.
    pub answers_with_references: bool,
}

#[cfg(test)]
mod tests;
