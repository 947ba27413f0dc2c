//! The list of one provider and its age: pure; time is passed in.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{error::ProviderError, limits::CATALOGUE_RETRY_MS, model::ModelSpec};

/// A list as it was fetched.
pub(super) type Models = Arc<[ModelSpec]>;

/// What a provider listed last, and whether the last attempt failed.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf {
    listing: Option<(Models, Instant)>,
    failure: Option<(ProviderError, Instant)>,
}

/// What to do for one look at a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Look {
    /// Use it.
    Fresh(Models),
    /// Use it, and fetch it anew meanwhile.
    Stale(Models),
    /// Fetch it and wait.
    Missing,
    /// It could not be fetched a moment ago and there is no older one.
    Failed(ProviderError),
}

impl Shelf {
    /// Decides; without `ttl` a list is fresh for good.
    pub(super) fn look(&self, now: Instant, ttl: Option<Duration>) -> Look {
        let retry = Duration::from_millis(CATALOGUE_RETRY_MS);
        let retry = ttl.map_or(retry, |ttl| ttl.min(retry));
        let failed_lately = self
            .failure
            .as_ref()
            .filter(|(_, at)| now.saturating_duration_since(*at) < retry);
        match (&self.listing, failed_lately) {
            (Some((models, at)), failed) => {
                let old = ttl.is_some_and(|ttl| now.saturating_duration_since(*at) >= ttl);
                if old && failed.is_none() {
                    Look::Stale(Arc::clone(models))
                } else {
                    Look::Fresh(Arc::clone(models))
                }
            }
            (None, Some((error, _))) => Look::Failed(error.clone()),
            (None, None) => Look::Missing,
        }
    }

    /// Takes the outcome of a fetch; a failure keeps the older list.
    pub(super) fn put(&mut self, outcome: Result<Models, ProviderError>, now: Instant) {
        match outcome {
            Ok(models) => {
                self.listing = Some((models, now));
                self.failure = None;
            }
            Err(error) => self.failure = Some((error, now)),
        }
    }

    /// Returns the list, however old.
    pub(super) fn models(&self) -> Option<&Models> {
        self.listing.as_ref().map(|(models, _)| models)
    }

    /// Returns why the last fetch failed, if it did.
    pub(super) fn failure(&self) -> Option<&ProviderError> {
        self.failure.as_ref().map(|(error, _)| error)
    }

    /// Returns the age of the list.
    pub(super) fn age(&self, now: Instant) -> Option<Duration> {
        self.listing
            .as_ref()
            .map(|(_, at)| now.saturating_duration_since(*at))
    }
}
