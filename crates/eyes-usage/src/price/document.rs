//! A table of prices as a person writes it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{Prices, money::Price};
use crate::{error::PriceFault, event::UsageRoute, time::Day};

/// A table of prices, unchecked, as TOML or JSON holds it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceTableDocument {
    /// The code of the currency of all prices (ISO 4217), such as `USD`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[A-Z]{3}$")))]
    pub currency: String,
    /// The prices, in any order.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::limits::MAX_PRICES)))]
    pub prices: Vec<PriceEntry>,
}

/// Prices of one route from one day on, each for a million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceEntry {
    /// The provider's name in the settings.
    pub provider: String,
    /// The model's name, or `*` for every model of the provider that has no entry of its own.
    pub model: String,
    /// The first day, in UTC, as `YYYY-MM-DD`.
    #[cfg_attr(
        feature = "schema",
        schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))
    )]
    pub from: String,
    /// Input that is neither read from nor written to the cache.
    pub input: Decimal,
    /// Input that is read from the cache; where it is absent, such tokens have no price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<Decimal>,
    /// Input that is written to the cache; where it is absent, such tokens have no price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Decimal>,
    /// Output, reasoning included.
    pub output: Decimal,
}

impl PriceEntry {
    pub(super) fn name(&self) -> String {
        format!("{}/{} from {}", self.provider, self.model, self.from)
    }

    pub(super) fn checked(&self) -> Result<(Day, Prices), PriceFault> {
        UsageRoute::new(self.provider.as_str(), self.model.as_str())?;
        let price = |member, text: &Decimal| {
            Price::parse(&text.0).ok_or_else(|| PriceFault::Number {
                member,
                text: text.0.clone(),
            })
        };
        let optional = |member, text: &Option<Decimal>| {
            let text = text.as_ref();
            text.map(|text| price(member, text)).transpose()
        };
        let prices = Prices {
            input: price("input", &self.input)?,
            cache_read: optional("cacheRead", &self.cache_read)?,
            cache_write: optional("cacheWrite", &self.cache_write)?,
            output: price("output", &self.output)?,
        };
        Ok((self.from.parse()?, prices))
    }
}

/// A decimal number: a text such as `"0.28"`, or a number, which then means the shortest decimal that gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Decimal(pub String);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrNumber;
        impl de::Visitor<'_> for TextOrNumber {
            type Value = Decimal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a decimal number, or one as a text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
                Ok(Decimal(text.to_owned()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Decimal, E> {
                Ok(Decimal(number.to_string()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Decimal, E> {
                Ok(Decimal(number.to_string()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Decimal, E> {
                // The shortest decimal that reads as this number, never with an exponent.
                Ok(Decimal(number.to_string()))
            }
        }
        deserializer.deserialize_any(TextOrNumber)
    }
}
