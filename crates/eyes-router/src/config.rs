//! Validated settings of this crate.

use crate::{
    limits::{DEFAULT_BASE_TOKENS, DEFAULT_FAILOVERS, DEFAULT_TARGET_TOKENS, MAX_FAILOVERS},
    route::Route,
};

/// How images are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisionConfig {
    routes: Vec<Route>,
    failovers: u32,
    /// Output tokens of an overview at most; the provider decides where absent.
    pub base_max_tokens: Option<u32>,
    /// Output tokens of an answer at most; the provider decides where absent.
    pub target_max_tokens: Option<u32>,
}

impl VisionConfig {
    /// Takes the routes in the order they are asked, with defaults for all else.
    pub fn new(routes: Vec<Route>) -> Self {
        Self {
            routes,
            failovers: DEFAULT_FAILOVERS,
            base_max_tokens: Some(DEFAULT_BASE_TOKENS),
            target_max_tokens: Some(DEFAULT_TARGET_TOKENS),
        }
    }

    /// Sets how many further routes follow the first failure; more than [`MAX_FAILOVERS`] is cut.
    #[must_use]
    pub fn with_failovers(mut self, failovers: u32) -> Self {
        self.failovers = failovers.min(MAX_FAILOVERS);
        self
    }

    /// Returns the routes in the order they are asked.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// Returns how many further routes follow the first failure.
    pub const fn failovers(&self) -> u32 {
        self.failovers
    }
}
