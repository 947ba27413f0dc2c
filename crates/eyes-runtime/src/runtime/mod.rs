//! Composition: from settings to something that reads images.

mod answer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::{
    image::{AdmittedImage, ImageLimits, admit},
    store::{EvidenceStore, fs::FsStore},
};
use eyes_router::{
    attempts::AttemptLog,
    config::VisionConfig,
    model::ImageInput,
    ports::{AttemptSink, EvidenceCheck},
    route::Route,
    vision::{
        Ask, GroundingCheck, ReadRequest, ReadWarning, ReaderPorts, Reading, VisionReader, booked,
        booked_failure,
    },
};
use eyes_usage::{
    category::CallCategory,
    event::{UsageEntry, UsageEvent},
    ports::{NoUsageSink, UsageSink},
};
use tokio::task::spawn_blocking;

pub use self::answer::AnswerAsk;
use self::answer::Answers;
use crate::{
    attempts::attempts_log,
    clock::SystemClock,
    data::DataDirectory,
    environment::Environment,
    error::RuntimeError,
    gate::{GatedStore, WriteGate},
    local::{self, LocalEyes},
    providers::providers,
    random::SystemRandom,
    region::Region,
    settings::{Place, Settings, SettingsError, VisionSettings},
    usage::ledger,
};

/// Where route health outlives the process, below the directory for data.
const HEALTH_FILE: &str = "route-health.json";

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
        let Surroundings {
            data_dir,
            environment,
            gate,
            finals,
        } = surroundings;
        settings.check()?;
        let limits = image_limits(settings)?;
        let mut warnings = Vec::new();
        let store = match open_store(settings, data_dir) {
            Ok(store) => store.map(|store| {
                Arc::new(GatedStore::new(store, gate.clone())) as Arc<dyn EvidenceStore>
            }),
            Err(error) => {
                warnings.push(ReadWarning::of(&error));
                None
            }
        };
        let mut found = providers(settings, environment, finals)?;
        let left_out = found.left_out.drain(..).map(RuntimeError::from);
        warnings.extend(left_out.map(|error| ReadWarning::of(&error)));
        let is_free = found.all.is_empty();
        let mut vision = settings.vision.clone();
        let mut checks: Vec<Arc<dyn EvidenceCheck>> = Vec::new();
        if let Some(local) = LocalEyes::open(&settings.local, data_dir)? {
            if vision.vision_grounding && (names_a_route(&vision) || !found.all.is_empty()) {
                checks.push(grounding(&local, store.clone()));
                // A check that cannot look leaves no trace in a record: said here.
                let missing = local::missing(&settings.local, data_dir);
                warnings.extend(missing.map(|error| ReadWarning::of(&error)));
            }
            if !names_a_route(&vision) && found.all.is_empty() {
                vision.vision_route_priority = vec![local.route];
                vision.auto_detect_vision = false;
            }
            found.all.push(local.provider);
        }
        let config = VisionConfig::from_settings(vision)
            .map_err(SettingsError::from)?
            .with_declared(found.declared);
        let mut ports = ReaderPorts::new(found.all, Arc::new(SystemClock), Arc::new(SystemRandom))
            .with_store(store);
        ports.checks = checks;
        ports.attempts = start_log(settings, data_dir).unwrap_or_else(|error| {
            warn_once(&mut warnings, &error);
            None
        });
        ports.health_path = data_dir
            .filter(|_| settings.persistent_evidence)
            .map(|directory| directory.join(HEALTH_FILE));
        let usage = if is_free {
            Arc::new(NoUsageSink)
        } else {
            ledger(settings, data_dir).unwrap_or_else(|error| {
                warn_once(&mut warnings, &error);
                Arc::new(NoUsageSink)
            })
        };
        let reader = Arc::new(VisionReader::new(ports, config));
        let answers = if finals.is_empty() {
            None
        } else {
            let mut warn = |error: &RuntimeError| warn_once(&mut warnings, error);
            Some(Answers::new(
                settings,
                data_dir,
                (&reader, &usage),
                &mut warn,
            )?)
        };
        Ok(Self {
            reader,
            answers,
            usage,
            limits,
            warnings,
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

/// Notes what is missing; one directory that cannot be used is one warning, though several things belong there.
fn warn_once(warnings: &mut Vec<ReadWarning>, error: &RuntimeError) {
    let warning = ReadWarning::of(error);
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

fn names_a_route(vision: &VisionSettings) -> bool {
    vision.vision_provider.is_some() || !vision.vision_route_priority.is_empty()
}

/// Lets the local eyes look at what other models claim to have read.
fn grounding(local: &LocalEyes, store: Option<Arc<dyn EvidenceStore>>) -> Arc<dyn EvidenceCheck> {
    let vision = VisionSettings {
        vision_route_priority: vec![local.route.clone()],
        auto_detect_vision: false,
        // What it sees is compared, not believed.
        active_probe: false,
        ..VisionSettings::default()
    };
    let config = VisionConfig::from_settings(vision).expect("defaults are within their ranges");
    let ports = ReaderPorts::new(
        [Arc::clone(&local.provider)],
        Arc::new(SystemClock),
        Arc::new(SystemRandom),
    );
    let reader = VisionReader::new(ports.with_store(store), config);
    Arc::new(GroundingCheck::new(Arc::new(reader)))
}

fn start_log(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<dyn AttemptSink>>, RuntimeError> {
    let Some(log) = attempts_log(settings, data_dir)? else {
        return Ok(None);
    };
    let log = AttemptLog::start(log).map_err(|source| RuntimeError::Executor { source })?;
    Ok(Some(Arc::new(log)))
}

fn open_store(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<dyn EvidenceStore>>, RuntimeError> {
    if !settings.persistent_evidence {
        return Ok(None);
    }
    let bounds = settings.store.bounds();
    let store = match &settings.cache_dir {
        Place::Nowhere => return Ok(None),
        Place::At(path) => FsStore::open(path, bounds)?,
        Place::Usual => DataDirectory::open(data_dir)?.evidence(bounds)?,
    };
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
