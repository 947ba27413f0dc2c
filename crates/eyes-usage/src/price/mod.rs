//! Prices by route and date, in exact arithmetic.

mod cost;
mod document;
mod money;

use std::collections::BTreeMap;

pub use cost::{Cost, CostSum};
pub use document::{Decimal, PriceEntry, PriceTableDocument};
pub use money::Money;
use money::Price;

use crate::{
    error::{PriceError, PriceFault},
    event::UsageRoute,
    limits::{MAX_PRICE_TABLE_BYTES, MAX_PRICES},
    time::Day,
};

/// The JSON Schema (2020-12) of a table of prices, made from its types.
pub const PRICE_TABLE_SCHEMA: &str = include_str!("price-table.schema.json");

/// Stands for every model of a provider that has no entry of its own.
const ANY_MODEL: &str = "*";

/// What a million tokens cost on a route from some day on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    input: Price,
    cache_read: Option<Price>,
    cache_write: Option<Price>,
    output: Price,
}

/// When calls were made, as far as it is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dated {
    /// On a day.
    On(Day),
    /// On some days between two, both included.
    Between(Day, Day),
}

/// A checked table of prices.
///
/// An entry holds from its day until the next entry of the same provider and model. An entry of a model
/// weighs more than one of all models (`*`) as soon as it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceTable {
    currency: String,
    routes: BTreeMap<(String, String), BTreeMap<Day, Prices>>,
}

impl PriceTable {
    /// Checks a document; [`PriceError`] (`USAGE_PRICES_INVALID`) names the entry that is wrong.
    pub fn new(document: PriceTableDocument) -> Result<Self, PriceError> {
        let currency = document.currency;
        if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(PriceError::Currency { currency });
        }
        let entries = document.prices.len();
        if entries > MAX_PRICES {
            return Err(PriceError::Count { entries });
        }
        let mut routes = BTreeMap::<_, BTreeMap<Day, Prices>>::new();
        for (at, entry) in document.prices.into_iter().enumerate() {
            let fail = |fault| PriceError::Entry {
                number: at + 1,
                name: entry.name(),
                fault,
            };
            let (from, prices) = entry.checked().map_err(fail)?;
            let route = (entry.provider.clone(), entry.model.clone());
            let dated = routes.entry(route).or_default();
            if dated.insert(from, prices).is_some() {
                return Err(fail(PriceFault::Twice));
            }
        }
        Ok(Self { currency, routes })
    }

    /// Reads a document of JSON; errors are those of [`new`](Self::new), and of text that is no such document.
    pub fn from_json(text: &str) -> Result<Self, PriceError> {
        if text.len() > MAX_PRICE_TABLE_BYTES {
            let bytes = text.len();
            return Err(PriceError::Size { bytes });
        }
        Self::new(serde_json::from_str(text)?)
    }

    /// Returns the code of the currency (ISO 4217).
    pub fn currency(&self) -> &str {
        &self.currency
    }

    /// Returns the prices of a route; nothing where none is known, or where it changed between the days.
    pub fn prices(&self, route: &UsageRoute, when: Dated) -> Option<&Prices> {
        match when {
            Dated::On(day) => self.on(route, day).map(|(_, prices)| prices),
            Dated::Between(first, last) => {
                let found = self.on(route, last)?;
                let same = self.on(route, first)?;
                (found.0 == same.0).then_some(found.1)
            }
        }
    }

    /// Returns the entry that holds on a day, with whether it is one of all models, and its day.
    fn on(&self, route: &UsageRoute, day: Day) -> Option<((bool, Day), &Prices)> {
        let provider = route.provider.as_str();
        [route.model.as_str(), ANY_MODEL]
            .into_iter()
            .find_map(|model| {
                let dated = self.routes.get(&(provider.to_owned(), model.to_owned()))?;
                let (from, prices) = dated.range(..=day).next_back()?;
                Some(((model == ANY_MODEL, *from), prices))
            })
    }
}

#[cfg(test)]
mod tests;
