//! What something cost, as far as that is known.

use std::ops::AddAssign;

use serde::Serialize;

use super::{Money, Prices};
use crate::tokens::CallUsage;

/// What calls cost. What has no known price is told and never counted as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    tag = "status",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub enum Cost {
    /// Everything has a price.
    Priced {
        /// The sum, as a decimal number.
        amount: Money,
    },
    /// Some of it has.
    Partial {
        /// The sum of what has a price, as a decimal number.
        amount: Money,
        /// Calls without a price, or whose provider told no tokens.
        unpriced_calls: u64,
        /// Tokens without a price.
        unpriced_tokens: u64,
    },
    /// Nothing has.
    Unpriced {
        /// Calls without a price, or whose provider told no tokens.
        unpriced_calls: u64,
        /// Tokens without a price.
        unpriced_tokens: u64,
    },
}

/// Adds up costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CostSum {
    amount: Money,
    any_priced: bool,
    unpriced_calls: u64,
    unpriced_tokens: u64,
}

impl CostSum {
    /// Returns the cost of calls at their prices; nothing for `prices` where there are none.
    pub fn of(usage: &CallUsage, prices: Option<&Prices>) -> Self {
        let Some(prices) = prices else {
            return Self {
                unpriced_calls: usage.calls,
                unpriced_tokens: usage.tokens.total(),
                ..Self::default()
            };
        };
        let tokens = &usage.tokens;
        let cached = tokens.cache_read.saturating_add(tokens.cache_write);
        let mut sum = Self {
            unpriced_calls: usage.unreported,
            ..Self::default()
        };
        for (tokens, price) in [
            (tokens.input.saturating_sub(cached), Some(prices.input)),
            (tokens.cache_read, prices.cache_read),
            (tokens.cache_write, prices.cache_write),
            (tokens.output, Some(prices.output)),
        ] {
            match price {
                Some(price) => sum.amount += price.of(tokens),
                None => sum.unpriced_tokens = sum.unpriced_tokens.saturating_add(tokens),
            }
        }
        sum.any_priced = usage.calls > usage.unreported;
        sum
    }

    /// Tells what is known.
    pub const fn cost(&self) -> Cost {
        let Self {
            amount,
            any_priced,
            unpriced_calls,
            unpriced_tokens,
        } = *self;
        match (any_priced, unpriced_calls, unpriced_tokens) {
            (_, 0, 0) => Cost::Priced { amount },
            (true, ..) => Cost::Partial {
                amount,
                unpriced_calls,
                unpriced_tokens,
            },
            (false, ..) => Cost::Unpriced {
                unpriced_calls,
                unpriced_tokens,
            },
        }
    }
}

impl AddAssign for CostSum {
    fn add_assign(&mut self, other: Self) {
        self.amount += other.amount;
        self.any_priced |= other.any_priced;
        self.unpriced_calls = self.unpriced_calls.saturating_add(other.unpriced_calls);
        self.unpriced_tokens = self.unpriced_tokens.saturating_add(other.unpriced_tokens);
    }
}
