//! One tool of a catalogue.

use std::{fmt::Display, sync::OnceLock};

use eyes_evidence::{code::ErrorCode, digest::Sha256Digest};

use crate::{
    config::ServerConfig,
    definition::ToolDefinition,
    limits::MAX_SHOWN_NAME_CHARS,
    names::{PublicName, ServerId, visible},
    pins::{Flag, definition_digest, flags},
    policy::{Candidates, Risk},
};

/// A tool that was admitted.
#[derive(Debug, Clone)]
pub struct CatalogTool {
    /// Whose it is.
    pub server: ServerId,
    /// What a model calls it.
    pub public_name: PublicName,
    /// As its server defines it.
    pub definition: ToolDefinition,
    /// What it may do, by its server's word.
    pub risk: Risk,
    digest: OnceLock<Sha256Digest>,
    flags: OnceLock<Vec<Flag>>,
}

impl CatalogTool {
    /// Names a definition and reads its risk.
    pub fn new(server: &ServerId, definition: ToolDefinition) -> Self {
        Self {
            server: server.clone(),
            public_name: PublicName::of(server, &definition.name),
            risk: Risk::of(definition.annotations),
            definition,
            digest: OnceLock::new(),
            flags: OnceLock::new(),
        }
    }

    /// Returns the digest of server and whole definition; it is computed once, when it is first asked for.
    pub fn digest(&self) -> Sha256Digest {
        *self
            .digest
            .get_or_init(|| definition_digest(&self.server, &self.definition))
    }

    /// Returns what looks dangerous in the definition; it is searched once, when it is first asked for.
    pub fn flags(&self) -> &[Flag] {
        self.flags.get_or_init(|| flags(&self.definition))
    }

    /// Returns the names under which it is selected.
    pub fn candidates(&self, server: &ServerConfig) -> Candidates {
        Candidates::of_tool(server, &self.definition.name, &self.public_name)
    }
}

impl PartialEq for CatalogTool {
    fn eq(&self, other: &Self) -> bool {
        self.server == other.server && self.definition == other.definition
    }
}

/// A tool that was not admitted.
pub type RefusedTool = RefusedEntry;

/// An entry of a list that was not admitted; the others were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEntry {
    /// Its name as far as there is one; hidden characters are written as `\u{..}`.
    pub name: String,
    /// What is wrong, for branching.
    pub code: ErrorCode,
    /// What is wrong, for reading.
    pub reason: String,
}

impl RefusedEntry {
    pub(crate) fn new(name: &str, code: ErrorCode, reason: impl Display) -> Self {
        Self {
            name: visible(name, MAX_SHOWN_NAME_CHARS),
            code,
            reason: format!("{reason}"),
        }
    }
}
