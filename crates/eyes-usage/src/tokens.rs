//! Tokens, as providers count them and as they are estimated.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenUsage {
    /// Input tokens, those read from and written to the cache included.
    pub input: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Input tokens read from the provider's cache.
    pub cache_read: u64,
    /// Input tokens written to the provider's cache.
    pub cache_write: u64,
    /// Output tokens spent on reasoning; a part of `output`.
    pub reasoning: u64,
}

impl TokenUsage {
    /// Returns all tokens: input and output, of which the other three are parts.
    pub const fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}

/// Tokens as they were estimated; no provider counted them.
///
/// They are added to nothing but estimates of the same kind:
///
/// ```compile_fail
/// use eyes_usage::tokens::{EstimatedTokens, TokenUsage};
/// let mut usage = TokenUsage::default();
/// usage += EstimatedTokens(10);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct EstimatedTokens(pub u64);

impl AddAssign for EstimatedTokens {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// Calls and their tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallUsage {
    /// Calls, those whose tokens are not known included.
    pub calls: u64,
    /// Calls whose provider told no tokens; what they used is missing in `tokens`.
    pub unreported: u64,
    /// Tokens of the calls that were told.
    pub tokens: TokenUsage,
}

impl CallUsage {
    /// Makes the use of one call; nothing for `tokens` where the provider told none.
    pub fn of_call(tokens: Option<TokenUsage>) -> Self {
        Self {
            calls: 1,
            unreported: u64::from(tokens.is_none()),
            tokens: tokens.unwrap_or_default(),
        }
    }

    /// Adds the use of more calls of the same kind.
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.unreported = self.unreported.saturating_add(other.unreported);
        self.tokens += other.tokens;
    }
}

/// What looking cost beyond the answer: calls of probes, readings, clarifications, automation and MCP.
///
/// ```compile_fail
/// use eyes_usage::tokens::{AdditionalUsage, FinalUsage};
/// let mut additional = AdditionalUsage::default();
/// additional += FinalUsage::default();
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AdditionalUsage(CallUsage);

/// What the final answers themselves cost; without eyes these calls would have been made all the same.
///
/// ```compile_fail
/// use eyes_usage::tokens::{AdditionalUsage, FinalUsage};
/// let mut answers = FinalUsage::default();
/// answers += AdditionalUsage::default();
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FinalUsage(CallUsage);

/// Use of one kind, for sums within that kind.
pub(crate) trait ExactUsage: AddAssign + Copy + Default {
    fn exact(&self) -> &CallUsage;
}

macro_rules! kinds_of_usage {
    ($($kind:ident),+) => {$(
        impl $kind {
            /// Makes the use of one call; nothing for `tokens` where the provider told none.
            pub fn of_call(tokens: Option<TokenUsage>) -> Self {
                Self(CallUsage::of_call(tokens))
            }

            /// Returns calls and tokens, exact as far as providers told them.
            pub const fn exact(&self) -> &CallUsage {
                &self.0
            }

            /// Tells whether no call was made.
            pub const fn is_none(&self) -> bool {
                self.0.calls == 0
            }
        }

        impl ExactUsage for $kind {
            fn exact(&self) -> &CallUsage {
                &self.0
            }
        }

        impl AddAssign for $kind {
            fn add_assign(&mut self, other: Self) {
                self.0.add(&other.0);
            }
        }

        impl From<CallUsage> for $kind {
            fn from(usage: CallUsage) -> Self {
                Self(usage)
            }
        }
    )+};
}

kinds_of_usage!(AdditionalUsage, FinalUsage);
