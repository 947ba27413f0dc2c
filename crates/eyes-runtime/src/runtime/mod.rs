//! Composition: from settings to something that reads images.

mod answer;
mod compose;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::image::{AdmittedImage, ImageLimits, admit};
use eyes_router::{
    config::VisionConfig,
    model::ImageInput,
    ports::Clock as _,
    route::Route,
    vision::{
        Ask, ReadRequest, ReadWarning, ReaderPorts, Reading, VisionReader, booked, booked_failure,
    },
};
use eyes_usage::{
    category::CallCategory,
    event::{UsageEntry, UsageEvent},
    ports::{NoUsageSink, UsageSink},
};
use tokio::task::spawn_blocking;

pub use self::answer::AnswerAsk;
pub(crate) use self::compose::HEALTH_FILE;
use self::{answer::Answers, compose::Composition};
use crate::{
    clock::SystemClock,
    environment::Environment,
    error::RuntimeError,
    gate::WriteGate,
    random::SystemRandom,
    region::Region,
    settings::{Settings, SettingsError},
};

/// The composed subsystems.
#[derive(Debug)]
pub struct Runtime {
    reader: Arc<VisionReader>,
    answers: Option<Answers>,
    usage: Arc<dyn UsageSink>,
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
    /// What the reader of an overview is after.
    pub focus: Option<String>,
    /// The route that is asked first.
    pub route: Option<Route>,
}

/// One image that was read.
#[derive(Debug, Clone)]
pub struct ReadOutcome {
    /// The image.
    pub image: AdmittedImage,
    /// Its evidence.
    pub reading: Reading,
}

/// What a composition finds around it.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Where records, logs and installed models are.
    pub data_dir: Option<&'a Path>,
    /// The variables that hold keys and proxies.
    pub environment: &'a Environment,
    /// What every write passes.
    pub gate: &'a WriteGate,
    /// The final models that will answer; none where images are only read.
    pub finals: &'a [Route],
}

impl Runtime {
    /// Composes what `settings` ask for.
    ///
    /// A store or a log that cannot be opened costs a warning, not the reading; so does a configured provider without
    /// a key that no route names.
    pub fn compose(
        settings: &Settings,
        surroundings: Surroundings<'_>,
    ) -> Result<Self, RuntimeError> {
        settings.check()?;
        let limits = image_limits(settings)?;
        let mut parts = Composition::new(settings, surroundings);
        let store = parts.store();
        let mut found = parts.providers()?;
        let is_free = found.all.is_empty();
        let mut vision = settings.vision.clone();
        let checks = parts.local_eyes(&mut vision, &mut found, store.as_ref())?;
        let config = VisionConfig::from_settings(vision)
            .map_err(SettingsError::from)?
            .with_declared(found.declared);
        let mut ports = ReaderPorts::new(found.all, Arc::new(SystemClock), Arc::new(SystemRandom))
            .with_store(store);
        ports.checks = checks;
        ports.attempts = parts.log();
        ports.health_path = parts.health_path();
        let usage = parts.usage(is_free);
        let reader = Arc::new(VisionReader::new(ports, config));
        let answers = parts.answers(&reader, &usage)?;
        Ok(Self {
            reader,
            answers,
            usage,
            limits,
            warnings: parts.warnings,
        })
    }

    /// Takes parts that are already composed; such a runtime reads and does not answer.
    pub fn from_parts(reader: VisionReader, limits: ImageLimits) -> Self {
        Self {
            reader: Arc::new(reader),
            answers: None,
            usage: Arc::new(NoUsageSink),
            limits,
            warnings: Vec::new(),
        }
    }

    /// Returns what could not be composed and is not needed for reading.
    pub fn warnings(&self) -> &[ReadWarning] {
        &self.warnings
    }

    /// Returns what reads: its routes, their health and their probes.
    pub fn reader(&self) -> &VisionReader {
        &self.reader
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
        let (bytes, limits) = (bytes.into(), self.limits);
        // Decoding takes processor time, and other readings wait on this thread.
        let image = spawn_blocking(move || admit(bytes, &limits))
            .await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
        let input = ImageInput {
            bytes: Arc::clone(image.bytes()),
            identity: image.identity().clone(),
        };
        let asked = match &ask.question {
            None => Ask::base(ask.focus.as_deref()),
            Some(question) => {
                let region = ask
                    .region
                    .map(|region| region.within(input.identity.size))
                    .transpose()?;
                Ask::target(question, region)?
            }
        };
        let mut request = ReadRequest::new(input, asked);
        request.preferred.clone_from(&ask.route);
        let category = match request.ask {
            Ask::Base { .. } => CallCategory::VisionBase,
            Ask::Target { .. } => CallCategory::VisionTarget,
        };
        let read = self.reader.read(request).await;
        self.book(match &read {
            Ok(reading) if self.reader.is_local(&reading.route) => Vec::new(),
            Ok(reading) => booked(reading, category),
            Err(failure) => booked_failure(failure, category),
        });
        let reading = read?;
        Ok(ReadOutcome { image, reading })
    }
}

impl Runtime {
    fn book(&self, entries: Vec<UsageEntry>) {
        if entries.is_empty() {
            return;
        }
        let at = SystemClock.now();
        let event = |entry| UsageEvent {
            at: at.clone(),
            session: None,
            entry,
        };
        let events: Vec<UsageEvent> = entries.into_iter().map(event).collect();
        self.usage.record(&events);
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
