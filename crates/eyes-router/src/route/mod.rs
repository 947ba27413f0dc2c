//! Routes: which model of which provider looks, and in what order.

mod attempt;
mod failover;
mod fault;
mod order;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

pub use attempt::{Attempt, Outcome};
pub use failover::{Failover, Next};
pub use fault::Fault;
pub use order::{Candidate, ConfiguredEye, Order};
use serde::{Deserialize, Serialize};

use crate::limits::{MAX_MODEL_CHARS, MAX_PROVIDER_CHARS};

/// A model of a provider, written `provider/model`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Route {
    provider: Box<str>,
    model: Box<str>,
}

/// The text does not name a route.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteError {
    /// There is no slash.
    #[error("a route is written provider/model")]
    Slash,
    /// The provider is empty, too long, or has a space or a control character.
    #[error(
        "a provider id is 1 to {MAX_PROVIDER_CHARS} printable characters without space or slash"
    )]
    Provider,
    /// The model is empty, too long, or has a space or a control character.
    #[error("a model name is 1 to {MAX_MODEL_CHARS} printable characters without space")]
    Model,
}

impl Route {
    /// Checks both names.
    pub fn new(
        provider: impl Into<Box<str>>,
        model: impl Into<Box<str>>,
    ) -> Result<Self, RouteError> {
        let (provider, model) = (provider.into(), model.into());
        if provider.contains('/') || !is_name(&provider, MAX_PROVIDER_CHARS) {
            return Err(RouteError::Provider);
        }
        if !is_name(&model, MAX_MODEL_CHARS) {
            return Err(RouteError::Model);
        }
        Ok(Self { provider, model })
    }

    /// Returns the provider's id.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Returns the provider's name of the model; it may hold slashes.
    pub fn model(&self) -> &str {
        &self.model
    }
}

fn is_name(text: &str, max: usize) -> bool {
    !text.is_empty()
        && text.chars().nth(max).is_none()
        && !text.chars().any(|c| c.is_control() || c.is_whitespace())
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

impl TryFrom<String> for Route {
    type Error = RouteError;

    fn try_from(text: String) -> Result<Self, RouteError> {
        text.parse()
    }
}

impl From<Route> for String {
    fn from(route: Route) -> Self {
        route.to_string()
    }
}

impl FromStr for Route {
    type Err = RouteError;

    fn from_str(text: &str) -> Result<Self, RouteError> {
        let (provider, model) = text.split_once('/').ok_or(RouteError::Slash)?;
        Self::new(provider, model)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Route {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Route".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A model of a provider, written `provider/model`.",
            "type": "string",
            "pattern": "^[^/\\s]{1,256}/\\S{1,512}$"
        })
    }
}
