//! Which routes may look, from the settings and the catalogue.

use std::sync::Arc;

use super::reader::Core;
use crate::{
    error::{RouteRefusal, VisionError},
    model::ModelSpec,
    ports::ModelProvider,
    route::{ConfiguredEye, Order, Route},
};

impl Core {
    /// Tells whether routes are looked for beyond the named ones.
    pub(super) const fn detects(&self) -> bool {
        self.config.settings().auto_detect_vision
    }

    /// Puts the routes in order; a list that does not come soon is left out for now.
    pub(super) async fn order(&self, preferred: Option<&Route>) -> Order {
        let eye = self.config.eye();
        let all = self.catalogue.providers().keys().map(String::as_str);
        let named = preferred
            .into_iter()
            .chain(self.config.routes())
            // Where the settings declare the model there is nothing to list.
            .filter(|route| !self.config.declared().contains_key(*route))
            .map(Route::provider)
            .chain(eye.map(ConfiguredEye::provider));
        if self.detects() {
            self.catalogue.warm(all).await;
        } else {
            let mut named: Vec<&str> = named.collect();
            named.sort_unstable();
            named.dedup();
            self.catalogue.warm(named).await;
        }
        let configured = eye.and_then(|eye| {
            let known = self.catalogue.known(eye.provider());
            eye.route(known.as_deref())
        });
        let mut order = Order::named(preferred, configured.as_ref(), self.config.routes());
        if self.detects() {
            self.detect(&mut order);
        }
        order
    }

    /// Appends what the lists offer that are known now.
    pub(super) fn detect(&self, order: &mut Order) {
        let providers = self.catalogue.providers();
        for local in [false, true] {
            for (id, _) in providers
                .iter()
                .filter(|(_, found)| found.is_local() == local)
            {
                if self.config.virtual_provider() == Some(id) {
                    continue;
                }
                if let Some(models) = self.catalogue.known(id) {
                    order.detect(id, &models);
                }
            }
        }
    }

    /// Finds the model of a route that may look.
    pub(super) async fn model(&self, route: &Route) -> Result<ModelSpec, VisionError> {
        self.refuse_virtual(route)?;
        self.catalogue.model(route).await
    }

    /// Does the same without waiting; nothing where the list is not there yet.
    pub(super) fn known_model(&self, route: &Route) -> Option<ModelSpec> {
        self.refuse_virtual(route).ok()?;
        self.catalogue.peek(route)?.ok()
    }

    /// Finds the provider of a route.
    pub(super) fn provider(&self, route: &Route) -> Result<&Arc<dyn ModelProvider>, VisionError> {
        self.catalogue
            .providers()
            .get(route.provider())
            .ok_or_else(|| VisionError::refused(route, RouteRefusal::Unknown))
    }

    fn refuse_virtual(&self, route: &Route) -> Result<(), VisionError> {
        if self.config.virtual_provider() == Some(route.provider()) {
            return Err(VisionError::refused(route, RouteRefusal::Recursion));
        }
        Ok(())
    }
}
