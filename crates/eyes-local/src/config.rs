//! Settings of the local reader.

use std::{num::NonZeroUsize, path::PathBuf};

/// Which weights read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ModelTier {
    /// The embedded weights: Latin, simplified and traditional Chinese.
    #[default]
    Tiny,
    /// The larger weights, from files in this directory; slower, fewer errors, more languages.
    Small(PathBuf),
}

impl ModelTier {
    /// Returns the name of the tier as a model: `eyes-tiny` or `eyes-small`.
    pub const fn model_name(&self) -> &'static str {
        match self {
            Self::Tiny => "eyes-tiny",
            Self::Small(_) => "eyes-small",
        }
    }
}

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Detail {
    /// Text is looked for in a copy of at most 1,920 pixels and read from the original pixels.
    #[default]
    Standard,
    /// Text is looked for in the original pixels; for 4K screens with small print.
    High,
}

/// Settings of a [`LocalReader`](crate::LocalReader).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalConfig {
    /// Which weights read.
    pub tier: ModelTier,
    /// Threads that compute; the machine's parallelism, at most 8, where absent.
    ///
    /// The result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}
