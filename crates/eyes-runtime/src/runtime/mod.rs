//! Composition: from settings to something that reads images.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::{
    code::Coded,
    image::{AdmittedImage, ImageLimits, admit},
    store::EvidenceStore,
};
use eyes_router::{
    config::VisionConfig,
    model::ImageInput,
    ports::ModelProvider,
    route::Route,
    vision::{ReadWarning, ReaderPorts, Reading, VisionReader},
};

use crate::{
    clock::SystemClock,
    data::DataDirectory,
    error::RuntimeError,
    gate::{GatedStore, WriteGate},
    local,
    random::SystemRandom,
    region::Region,
    settings::{Settings, SettingsError},
};

/// The composed subsystems.
#[derive(Debug)]
pub struct Runtime {
    reader: VisionReader,
    limits: ImageLimits,
    warnings: Vec<ReadWarning>,
}

/// What is asked about one image; an overview when nothing is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadAsk {
    /// One question.
    pub question: Option<String>,
    /// The part of the image that the question is about.
    pub region: Option<Region>,
}

/// One image that was read.
#[derive(Debug, Clone)]
pub struct ReadOutcome {
    /// The image.
    pub image: AdmittedImage,
    /// Its evidence.
    pub reading: Reading,
}

impl Runtime {
    /// Composes what `settings` ask for; `data_dir` is where records and installed models are.
    ///
    /// Writes pass `gate`. A store that cannot be opened costs a warning, not the reading.
    pub fn compose(
        settings: &Settings,
        data_dir: Option<&Path>,
        gate: &WriteGate,
    ) -> Result<Self, RuntimeError> {
        settings.check()?;
        let limits = image_limits(settings)?;
        let mut warnings = Vec::new();
        let store = match open_store(settings, data_dir) {
            Ok(store) => store.map(|store| {
                Arc::new(GatedStore::new(store, gate.clone())) as Arc<dyn EvidenceStore>
            }),
            Err(error) => {
                warnings.push(ReadWarning {
                    code: error.code(),
                    message: error.to_string(),
                });
                None
            }
        };
        let mut providers: Vec<Arc<dyn ModelProvider>> = Vec::new();
        let mut routes = configured_routes(settings)?;
        if settings.local.enabled {
            let local = local::provider(&settings.local, data_dir)?;
            if routes.is_empty() {
                routes.push(local::route(&settings.local));
            }
            providers.push(local);
        }
        let config = VisionConfig::new(routes).with_failovers(settings.vision.failovers);
        let ports = ReaderPorts::new(providers, Arc::new(SystemClock), Arc::new(SystemRandom));
        Ok(Self {
            reader: VisionReader::new(ports.with_store(store), config),
            limits,
            warnings,
        })
    }

    /// Takes parts that are already composed.
    pub const fn from_parts(reader: VisionReader, limits: ImageLimits) -> Self {
        Self {
            reader,
            limits,
            warnings: Vec::new(),
        }
    }

    /// Returns what could not be composed and is not needed for reading.
    pub fn warnings(&self) -> &[ReadWarning] {
        &self.warnings
    }

    /// Returns the bounds of an image.
    pub const fn limits(&self) -> &ImageLimits {
        &self.limits
    }

    /// Admits an image and reads it.
    pub async fn read(
        &self,
        bytes: impl Into<Arc<[u8]>>,
        ask: &ReadAsk,
    ) -> Result<ReadOutcome, RuntimeError> {
        let image = admit(bytes, &self.limits)?;
        let input = ImageInput {
            bytes: Arc::clone(image.bytes()),
            identity: image.identity().clone(),
        };
        let reading = match &ask.question {
            None => self.reader.base_read(&input, None).await?,
            Some(question) => {
                let region = ask
                    .region
                    .map(|region| region.within(input.identity.size))
                    .transpose()?;
                self.reader
                    .target_read(&input, question, region, None)
                    .await?
            }
        };
        Ok(ReadOutcome { image, reading })
    }
}

fn image_limits(settings: &Settings) -> Result<ImageLimits, RuntimeError> {
    let mut limits = ImageLimits::default();
    let images = &settings.images;
    let member = |path: &str| {
        let path = path.to_owned();
        move |error: eyes_evidence::image::ImageError| SettingsError::Member {
            path,
            reason: error.to_string(),
        }
    };
    if let Some(bytes) = images.max_bytes {
        limits = limits
            .with_max_bytes(bytes)
            .map_err(member("images.maxBytes"))?;
    }
    if let Some(side) = images.max_side {
        limits = limits
            .with_max_side(side)
            .map_err(member("images.maxSide"))?;
    }
    if let Some(pixels) = images.max_pixels {
        limits = limits
            .with_max_pixels(pixels)
            .map_err(member("images.maxPixels"))?;
    }
    Ok(limits)
}

fn configured_routes(settings: &Settings) -> Result<Vec<Route>, RuntimeError> {
    let parse = |text: &String| {
        text.parse().map_err(
            |error: eyes_router::route::RouteError| SettingsError::Member {
                path: "vision.routes".to_owned(),
                reason: error.to_string(),
            },
        )
    };
    let routes: Result<Vec<Route>, SettingsError> =
        settings.vision.routes.iter().map(parse).collect();
    Ok(routes?)
}

fn open_store(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<dyn EvidenceStore>>, RuntimeError> {
    if !settings.store.enabled {
        return Ok(None);
    }
    let data = DataDirectory::open(data_dir)?;
    let store = data.evidence(settings.store.bounds())?;
    Ok(Some(Arc::new(store)))
}

/// Returns the directory for data: what the caller named, else the settings, else the environment.
pub fn data_dir(
    named: Option<PathBuf>,
    settings: &Settings,
    environment: &crate::environment::Environment,
) -> Option<PathBuf> {
    named
        .or_else(|| settings.data_dir.clone())
        .or_else(|| environment.data_dir())
}

#[cfg(test)]
mod tests;
