//! Which models there are: the providers' lists, cached, and fetched anew in the background when they are old.
//!
//! A reading on a warm catalogue lists nothing. A list that cannot be fetched again stays in use, and the
//! fault is told by [`Catalogue::state`]. A model that the settings declare needs no list at all.

mod shelf;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use eyes_evidence::code::ErrorCode;
use futures_util::future::join_all;
use shelf::{Look, Models, Shelf};
use tokio::{
    runtime::Handle,
    task::JoinSet,
    time::{Instant, timeout},
};

use crate::{
    call::SingleFlight,
    error::{ProviderError, RouteRefusal, VisionError},
    limits::{CATALOGUE_PATIENCE_MS, MAX_LISTED_MODELS},
    model::{Modality, ModelSpec},
    ports::ModelProvider,
    route::Route,
};

/// The providers and what they list.
#[derive(Debug)]
pub struct Catalogue {
    inner: Arc<Inner>,
    // Dropping it stops what runs in the background.
    background: Mutex<JoinSet<()>>,
}

#[derive(Debug)]
struct Inner {
    providers: BTreeMap<String, Arc<dyn ModelProvider>>,
    declared: BTreeMap<Route, ModelSpec>,
    ttl: Option<Duration>,
    shelves: Mutex<BTreeMap<String, Shelf>>,
    flights: SingleFlight<String, Result<Models, ProviderError>>,
}

/// What is known of one provider's list, for people to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueState {
    /// The provider's id.
    pub provider: String,
    /// How many models it listed last; nothing when it never did.
    pub models: Option<usize>,
    /// How old the list is.
    pub age: Option<Duration>,
    /// The code of the last fetch, when that failed.
    pub failure: Option<ErrorCode>,
}

impl Catalogue {
    /// Takes the providers and the models that the settings declare; a list is fresh for `ttl`, for good
    /// where absent.
    pub fn new(
        providers: impl IntoIterator<Item = Arc<dyn ModelProvider>>,
        declared: BTreeMap<Route, ModelSpec>,
        ttl: Option<Duration>,
    ) -> Self {
        let providers = providers
            .into_iter()
            .map(|provider| (provider.id().to_owned(), provider))
            .collect();
        Self {
            inner: Arc::new(Inner {
                providers,
                declared,
                ttl,
                shelves: Mutex::default(),
                flights: SingleFlight::new(),
            }),
            background: Mutex::default(),
        }
    }

    /// Returns the providers by id.
    pub fn providers(&self) -> &BTreeMap<String, Arc<dyn ModelProvider>> {
        &self.inner.providers
    }

    /// Lists the models of a provider; waits only where there is no list yet.
    ///
    /// Declared models come first. A provider that cannot be listed gives the declared ones, and its failure
    /// where there are none.
    pub async fn models(&self, provider: &str) -> Result<Vec<ModelSpec>, ProviderError> {
        let mut models = self.declared(provider);
        match self.listed(provider).await {
            Ok(listed) => {
                let new = listed
                    .iter()
                    .filter(|model| models.iter().all(|known| known.id != model.id));
                let new: Vec<_> = new.cloned().collect();
                models.extend(new);
                Ok(models)
            }
            Err(error) if models.is_empty() => Err(error),
            Err(_) => Ok(models),
        }
    }

    /// Finds the model of `route`, which must accept images; waits only where there is no list yet.
    ///
    /// Errors: `VISION_ROUTE_ERROR`, `VISION_MODEL_NOT_MULTIMODAL`, or the failure of the list.
    pub async fn model(&self, route: &Route) -> Result<ModelSpec, VisionError> {
        let model = self.any_model(route).await;
        model.and_then(|model| seeing(route, model))
    }

    /// Does the same without waiting; nothing where there is no list yet.
    pub fn peek(&self, route: &Route) -> Option<Result<ModelSpec, VisionError>> {
        let known = self.peek_any(route);
        known.map(|known| known.and_then(|model| seeing(route, model)))
    }

    /// Finds the model of `route`, whatever it accepts; waits only where there is no list yet.
    ///
    /// Errors: `VISION_ROUTE_ERROR`, or the failure of the list.
    pub async fn any_model(&self, route: &Route) -> Result<ModelSpec, VisionError> {
        if let Some(known) = self.peek_any(route) {
            return known;
        }
        let models = self
            .listed(route.provider())
            .await
            .map_err(|source| VisionError::provider(route, source))?;
        find(route, &models)
    }

    /// Does the same without waiting; nothing where there is no list yet.
    pub fn peek_any(&self, route: &Route) -> Option<Result<ModelSpec, VisionError>> {
        if !self.inner.providers.contains_key(route.provider()) {
            return Some(Err(VisionError::refused(route, RouteRefusal::Unknown)));
        }
        if let Some(model) = self.inner.declared.get(route) {
            return Some(Ok(model.clone()));
        }
        match self.look(route.provider()) {
            Look::Fresh(models) => Some(find(route, &models)),
            Look::Stale(models) => {
                self.refresh(route.provider());
                Some(find(route, &models))
            }
            Look::Missing | Look::Failed(_) => None,
        }
    }

    /// Fetches the list of a provider in the background, where there is none.
    pub fn fetch_missing(&self, provider: &str) {
        if matches!(self.look(provider), Look::Missing) {
            self.refresh(provider);
        }
    }

    /// Returns the list of a provider as it is known now, however old; fetches nothing and waits for nothing.
    pub fn known(&self, provider: &str) -> Option<Vec<ModelSpec>> {
        let mut models = self.declared(provider);
        let shelves = self.inner.shelves();
        let listed = shelves.get(provider).and_then(Shelf::models);
        if listed.is_none() && models.is_empty() {
            return None;
        }
        models.extend(listed.into_iter().flat_map(|models| models.iter().cloned()));
        Some(models)
    }

    /// Waits, but not for long, until these providers are listed; a failure is noted and nothing else.
    pub async fn warm(&self, providers: impl IntoIterator<Item = &str>) {
        let cold: Vec<&str> = providers
            .into_iter()
            .filter(|provider| matches!(self.look(provider), Look::Missing))
            .collect();
        if cold.is_empty() {
            return;
        }
        // In the background, so that it goes on when patience ends; whoever needs the list later joins it.
        for provider in &cold {
            self.refresh(provider);
        }
        let lists = join_all(cold.iter().map(|provider| self.listed(provider)));
        let patience = Duration::from_millis(CATALOGUE_PATIENCE_MS);
        // Both outcomes are on the shelf, or will be.
        drop(timeout(patience, lists).await);
    }

    /// Waits until every provider is listed or failed to.
    pub async fn settle(&self) {
        join_all(self.inner.providers.keys().map(|id| self.listed(id))).await;
    }

    /// Returns what is known of each list.
    pub fn state(&self) -> Vec<CatalogueState> {
        let now = Instant::now();
        let shelves = self.inner.shelves();
        let states = self.inner.providers.keys().map(|provider| {
            let shelf = shelves.get(provider);
            CatalogueState {
                provider: provider.clone(),
                models: shelf.and_then(Shelf::models).map(|models| models.len()),
                age: shelf.and_then(|shelf| shelf.age(now)),
                failure: shelf.and_then(Shelf::failure).map(|error| error.code),
            }
        });
        states.collect()
    }

    async fn listed(&self, provider: &str) -> Result<Models, ProviderError> {
        match self.look(provider) {
            Look::Fresh(models) => Ok(models),
            Look::Stale(models) => {
                self.refresh(provider);
                Ok(models)
            }
            Look::Failed(error) => Err(error),
            Look::Missing => self.inner.fetch(provider).await,
        }
    }

    fn look(&self, provider: &str) -> Look {
        let shelves = self.inner.shelves();
        shelves.get(provider).map_or(Look::Missing, |shelf| {
            shelf.look(Instant::now(), self.inner.ttl)
        })
    }

    /// Fetches a list in the background.
    fn refresh(&self, provider: &str) {
        // Outside a runtime nothing runs in the background; the old list serves on.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut background = self
            .background
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while background.try_join_next().is_some() {}
        let fetch = self.inner.fetch(provider);
        background.spawn_on(
            async move {
                // The outcome is on the shelf.
                drop(fetch.await);
            },
            &runtime,
        );
    }

    fn declared(&self, provider: &str) -> Vec<ModelSpec> {
        let declared = self.inner.declared.iter();
        let ours = declared.filter(|(route, _)| route.provider() == provider);
        ours.map(|(_, model)| model.clone()).collect()
    }
}

impl Inner {
    /// Fetches a list, once for all who ask for it now.
    fn fetch(
        self: &Arc<Self>,
        provider: &str,
    ) -> impl Future<Output = Result<Models, ProviderError>> + Send + use<> {
        let inner = Arc::clone(self);
        let id = provider.to_owned();
        self.flights.join(id.clone(), move || {
            Box::pin(async move {
                let Some(provider) = inner.providers.get(&id) else {
                    let message = format!("no provider {id}");
                    return Err(ProviderError::new(
                        crate::codes::VISION_ROUTE_ERROR,
                        message,
                    ));
                };
                let outcome = provider.models().await.map(|mut models| {
                    models.truncate(MAX_LISTED_MODELS);
                    Models::from(models)
                });
                let mut shelves = inner.shelves();
                let shelf = shelves.entry(id).or_default();
                shelf.put(outcome.clone(), Instant::now());
                outcome
            })
        })
    }

    fn shelves(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Shelf>> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find(route: &Route, models: &[ModelSpec]) -> Result<ModelSpec, VisionError> {
    let found = models.iter().find(|model| model.id == route.model());
    found
        .cloned()
        .ok_or_else(|| VisionError::refused(route, RouteRefusal::Unknown))
}

fn seeing(route: &Route, model: ModelSpec) -> Result<ModelSpec, VisionError> {
    if model.input.contains(&Modality::Image) {
        Ok(model)
    } else {
        Err(VisionError::refused(route, RouteRefusal::NotMultimodal))
    }
}
