//! The errors of this crate.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    provenance::NameError,
};

use crate::{
    codes,
    limits::{MAX_PRICE, MAX_PRICE_DIGITS, MAX_PRICE_TABLE_BYTES, MAX_PRICES},
    time::ParseDayError,
};

/// A table of prices cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// The text is no document of prices.
    #[error("the prices are no such document: {0}")]
    Document(#[from] serde_json::Error),
    /// The text is longer than any table.
    #[error("a table of prices has {bytes} bytes, more than {MAX_PRICE_TABLE_BYTES}")]
    Size {
        /// Its length.
        bytes: usize,
    },
    /// There are more entries than any table has.
    #[error("a table of prices has {entries} entries, more than {MAX_PRICES}")]
    Count {
        /// How many.
        entries: usize,
    },
    /// The currency is no code.
    #[error("`{currency}` is no code of a currency, which has three capital letters")]
    Currency {
        /// What stands there.
        currency: String,
    },
    /// One entry is wrong.
    #[error("price {number} ({name}): {fault}")]
    Entry {
        /// Which one, counted from 1.
        number: usize,
        /// Its route and day, as they stand there.
        name: String,
        /// What is wrong with it.
        fault: PriceFault,
    },
}

impl Coded for PriceError {
    fn code(&self) -> ErrorCode {
        codes::USAGE_PRICES_INVALID
    }
}

/// What is wrong with an entry of a table of prices.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriceFault {
    /// The provider's or the model's name is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The day is none.
    #[error(transparent)]
    Day(#[from] ParseDayError),
    /// A price is none.
    #[error(
        "`{text}` is no price for {member}: a decimal number from 0 to {MAX_PRICE} with at most {MAX_PRICE_DIGITS} digits behind the point"
    )]
    Number {
        /// Which member.
        member: &'static str,
        /// What stands there.
        text: String,
    },
    /// Another entry has the same route and day.
    #[error("another entry has the same provider, model and day")]
    Twice,
}
