//! The order in which routes are asked: pure.

use super::{Route, RouteError};
use crate::model::{Modality, ModelSpec};

/// The configured provider, with its model where one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredEye {
    provider: Box<str>,
    model: Option<Box<str>>,
}

impl ConfiguredEye {
    /// Checks both names.
    pub fn new(provider: &str, model: Option<&str>) -> Result<Self, RouteError> {
        // A provider alone is checked together with a model that is surely right.
        let route = Route::new(provider, model.unwrap_or("any"))?;
        Ok(Self {
            provider: route.provider().into(),
            model: model.map(Into::into),
        })
    }

    /// Returns the provider's id.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Returns the route; without a model it is the first one of `models` that accepts images.
    pub fn route(&self, models: Option<&[ModelSpec]>) -> Option<Route> {
        let model = match &self.model {
            Some(model) => model.as_ref(),
            None => models?.iter().find(|model| sees(model))?.id.as_str(),
        };
        Route::new(&*self.provider, model).ok()
    }
}

/// A route that may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which route.
    pub route: Route,
    /// Its place in the order, from 0.
    pub priority: u32,
}

/// Collects routes in the order they are asked, each once.
#[derive(Debug, Clone, Default)]
pub struct Order(Vec<Candidate>);

impl Order {
    /// Puts `preferred` before the `configured` eye and that before the `priority` list.
    ///
    /// The preferred route is the one that answered last for the same picture; it need not be configured.
    pub fn named(
        preferred: Option<&Route>,
        configured: Option<&Route>,
        priority: &[Route],
    ) -> Self {
        let mut order = Self::default();
        for route in preferred.into_iter().chain(configured).chain(priority) {
            order.push(route.clone());
        }
        order
    }

    /// Appends the models of `provider` that accept text and images.
    pub fn detect(&mut self, provider: &str, models: &[ModelSpec]) {
        let eyes = models
            .iter()
            .filter(|model| sees(model) && model.input.contains(&Modality::Text));
        for model in eyes {
            // A name that is no route cannot be asked for by anybody.
            if let Ok(route) = Route::new(provider, model.id.as_str()) {
                self.push(route);
            }
        }
    }

    /// Returns the candidates in order.
    pub fn candidates(&self) -> &[Candidate] {
        &self.0
    }

    fn push(&mut self, route: Route) {
        if self.0.iter().all(|known| known.route != route) {
            let priority = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            self.0.push(Candidate { route, priority });
        }
    }
}

fn sees(model: &ModelSpec) -> bool {
    model.input.contains(&Modality::Image)
}
