//! Exact amounts.

use std::{fmt, ops::AddAssign};

use serde::{Serialize, Serializer};

use crate::limits::{MAX_PRICE, MAX_PRICE_DIGITS};

/// Parts of one unit of currency that a price counts in: 10^-9.
const PRICE_SCALE: u64 = 10_u64.pow(MAX_PRICE_DIGITS as u32);
/// Digits behind the point of an amount: those of a price, and six for the million.
const AMOUNT_DIGITS: usize = MAX_PRICE_DIGITS + 6;

/// What a million tokens cost, in 10^-9 of the currency's unit; so one token costs as many 10^-15.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price(u64);

impl Price {
    /// Reads a decimal number without sign and exponent, of at most [`MAX_PRICE`] and [`MAX_PRICE_DIGITS`].
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (text, ""),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let room = MAX_PRICE_DIGITS.checked_sub(fraction.len())?;
        let whole: u64 = whole.parse().ok()?;
        let fraction: u64 = match fraction {
            "" => 0,
            digits => digits.parse::<u64>().ok()? * 10_u64.pow(room as u32),
        };
        if whole > MAX_PRICE || (whole == MAX_PRICE && fraction > 0) {
            return None;
        }
        Some(Self(whole * PRICE_SCALE + fraction))
    }

    pub(super) fn of(self, tokens: u64) -> Money {
        // At most 2^64 times 10^15: below 2^114.
        Money(u128::from(tokens) * u128::from(self.0))
    }
}

/// An exact amount of some currency, in 10^-15 of its unit; sums end at the largest number there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u128);

impl Money {
    /// Writes the amount with `digits` digits behind the point, at most 15, rounded half up.
    pub fn rounded(self, digits: usize) -> String {
        let digits = digits.min(AMOUNT_DIGITS);
        let unit = 10_u128.pow((AMOUNT_DIGITS - digits) as u32);
        let rounded = (self.0 / unit)
            .saturating_add(u128::from(self.0 % unit >= unit.div_ceil(2) && unit > 1));
        let scale = 10_u128.pow(digits as u32);
        if digits == 0 {
            rounded.to_string()
        } else {
            format!("{}.{:0digits$}", rounded / scale, rounded % scale)
        }
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl fmt::Display for Money {
    /// Writes every digit that is not a zero at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.rounded(AMOUNT_DIGITS);
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
