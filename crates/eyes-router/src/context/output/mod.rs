//! How long the final model's answer may be.

mod overflow;
mod wire;

pub use overflow::{Overflow, ReportedInput};

use super::{ContextError, EstimatedTokens};
use crate::{
    error::ProviderError,
    limits::{MAX_WINDOW_MARGIN, MIN_OUTPUT_TOKENS, MIN_WINDOW_MARGIN},
};

/// The output tokens of one final call, fitted to the model's window; corrected at most once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputBudget {
    window: Option<u32>,
    input: EstimatedTokens,
    wanted: Option<u32>,
    max: Option<u32>,
    retried: bool,
}

impl OutputBudget {
    /// Fits an answer of `wanted` tokens behind a request of `input` tokens.
    ///
    /// `wanted` is what the caller asks for, or the model's default. Where it or the window is unknown nothing is
    /// fitted, and the provider decides. Between the two a margin is left, because `input` is an estimate: one per
    /// cent of the window, at least 256 and at most 8,192 tokens; where only the margin is left, an answer of
    /// [`MIN_OUTPUT_TOKENS`] may use it.
    ///
    /// Fails with `FINAL_CONTEXT_EXHAUSTED` when the request alone fills the window.
    pub fn fit(
        window: Option<u32>,
        wanted: Option<u32>,
        input: EstimatedTokens,
    ) -> Result<Self, ContextError> {
        let mut budget = Self {
            window,
            input,
            wanted,
            max: wanted,
            retried: false,
        };
        if let (Some(window), Some(wanted)) = (window, wanted) {
            let window = u64::from(window);
            let floor = u64::from(wanted.min(MIN_OUTPUT_TOKENS));
            let left = window.saturating_sub(input.0);
            if left < floor {
                return Err(ContextError::Window {
                    input: input.0,
                    window,
                });
            }
            let available = left.saturating_sub(margin(window)).max(floor);
            budget.max = Some(wanted.min(u32::try_from(available).unwrap_or(u32::MAX)));
        }
        Ok(budget)
    }

    /// Returns the output tokens to ask for; the provider's default where absent.
    pub const fn max_output_tokens(&self) -> Option<u32> {
        self.max
    }

    /// Tells whether the answer may be shorter than was wanted.
    pub fn is_capped(&self) -> bool {
        self.max != self.wanted
    }

    /// Decides after a failure of the call whether a shorter answer helps.
    ///
    /// Returns nothing for failures of another kind, which pass on unchanged, and the output tokens of the one
    /// further call otherwise.
    ///
    /// Fails with `FINAL_CONTEXT_EXHAUSTED` when the request does not fit the window that the provider names or
    /// the model declares, when figures are missing, or when the further call failed the same way.
    pub fn after(&mut self, failure: &ProviderError) -> Result<Option<u32>, ContextError> {
        let Some(overflow) = Overflow::of(failure) else {
            return Ok(None);
        };
        let exhausted = || ContextError::Overflow {
            overflow,
            message: failure.message.clone(),
        };
        let shorter = self.shorter(overflow).filter(|_| !self.retried);
        let max = shorter.ok_or_else(exhausted)?;
        self.retried = true;
        self.max = Some(max);
        Ok(Some(max))
    }

    /// Returns an answer that fits the figures, if it is worth a call and shorter than the one before.
    fn shorter(&self, overflow: Overflow) -> Option<u32> {
        let window = overflow.window.or(self.window.map(u64::from))?;
        let input = match overflow.input? {
            ReportedInput::Exactly(input) => input,
            ReportedInput::AtLeast(input) => input.max(self.input.0),
        };
        let available = window.checked_sub(input)?.checked_sub(margin(window))?;
        let before = self.max.map(u64::from).or(overflow.output);
        let floor = u64::from(
            self.wanted
                .unwrap_or(MIN_OUTPUT_TOKENS)
                .min(MIN_OUTPUT_TOKENS),
        );
        let fits = available >= floor && before.is_none_or(|before| available < before);
        u32::try_from(available).ok().filter(|_| fits)
    }
}

/// Returns the tokens that are left between request and answer: one per cent of the window, within bounds.
fn margin(window: u64) -> u64 {
    window
        .div_ceil(100)
        .clamp(MIN_WINDOW_MARGIN, MAX_WINDOW_MARGIN)
}

#[cfg(test)]
mod tests;
