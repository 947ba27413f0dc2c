//! The embedded local eyes as the settings ask for them.

use std::{path::Path, sync::Arc};

use eyes_evidence::image::ImageLimits;
use eyes_local::{Detail, LocalConfig, LocalProvider, LocalReader, ModelTier, PROVIDER_ID};
use eyes_router::{ports::ModelProvider, route::Route};

use crate::{
    data::small_models,
    error::RuntimeError,
    settings::{LocalDetail, LocalSettings, LocalTier},
};

/// Loads and verifies the weights.
pub(crate) fn provider(
    settings: &LocalSettings,
    data_dir: Option<&Path>,
) -> Result<Arc<dyn ModelProvider>, RuntimeError> {
    let tier = match settings.tier {
        LocalTier::Tiny => ModelTier::Tiny,
        LocalTier::Small => {
            ModelTier::Small(small_models(data_dir.ok_or(RuntimeError::NoDataDirectory)?))
        }
    };
    let detail = match settings.detail {
        LocalDetail::Standard => Detail::Standard,
        LocalDetail::High => Detail::High,
    };
    let reader = LocalReader::new(LocalConfig {
        tier,
        threads: settings.threads,
    })?;
    // The runtime admitted the image within the settings' bounds; the provider need not be stricter.
    Ok(Arc::new(LocalProvider::new(
        reader,
        detail,
        ImageLimits::default(),
    )))
}

/// Returns the route that the settings choose.
pub(crate) fn route(settings: &LocalSettings) -> Route {
    let model = match settings.tier {
        LocalTier::Tiny => ModelTier::Tiny.model_name(),
        LocalTier::Small => ModelTier::Small(std::path::PathBuf::new()).model_name(),
    };
    Route::new(PROVIDER_ID, model).expect("id and model are short words")
}
