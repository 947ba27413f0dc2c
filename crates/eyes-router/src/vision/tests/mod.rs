mod budgets;
mod checked;
mod flights;
mod probes;
mod routes;
mod store;
mod units;
mod zoomed;

use std::{path::PathBuf, sync::Arc, time::Duration};

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    geometry::PixelSize,
    image::{ImageIdentity, MediaType},
    record::EvidenceKind,
    store::EvidenceStore,
};

use super::*;
use crate::{
    attempts::{AttemptPhase, AttemptStatus},
    codes,
    config::{VisionConfig, VisionSettings},
    error::{ProviderError, ReadFailure},
    model::{FinishReason, ImageInput, StreamEvent, TokenUsage},
    ports::{Clock, EvidenceCheck, ModelProvider},
    route::{Attempt, Outcome, Route},
    testing::{CountingRandom, FixedClock, Script, ScriptedProvider, VecAttempts},
};

fn picture(name: &str) -> ImageInput {
    let bytes: Arc<[u8]> = Arc::from(name.as_bytes());
    ImageInput {
        identity: ImageIdentity {
            sha256: Sha256Digest::of(&bytes),
            pixel_sha256: Sha256Digest::of(b"decoded"),
            media_type: MediaType::Png,
            bytes: bytes.len() as u64,
            size: PixelSize {
                width: 1920,
                height: 1080,
            },
            orientation: None,
        },
        bytes,
    }
}

fn image() -> ImageInput {
    picture("pixels")
}

fn route(text: &str) -> Route {
    text.parse().expect("a route")
}

fn good(kind: EvidenceKind) -> Script {
    Script::answer(example(kind))
}

fn base_answer() -> Script {
    good(EvidenceKind::Base)
}

fn failing(code: ErrorCode) -> Script {
    Script::Refuse(ProviderError::new(code, "down"))
}

fn down() -> Script {
    failing(codes::VISION_MODEL_FAILED)
}

fn busy(status: u16, retry_after_ms: Option<u64>) -> Script {
    Script::Refuse(ProviderError {
        status: Some(status),
        retry_after_ms,
        ..ProviderError::new(codes::VISION_MODEL_FAILED, "busy")
    })
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A provider with the model `eye`.
fn eye(id: &str, scripts: impl IntoIterator<Item = Script>) -> ScriptedProvider {
    ScriptedProvider::new(id, "eye", scripts)
}

/// Builds a reader over scripted providers; every provider's `eye` is a route, in order.
struct Builder {
    providers: Vec<Arc<ScriptedProvider>>,
    settings: VisionSettings,
    store: Option<Arc<dyn EvidenceStore>>,
    clock: Arc<dyn Clock>,
    health_path: Option<PathBuf>,
    virtual_provider: Option<&'static str>,
    checks: Vec<Arc<dyn EvidenceCheck>>,
}

fn world(providers: impl IntoIterator<Item = ScriptedProvider>) -> Builder {
    let providers: Vec<_> = providers.into_iter().map(Arc::new).collect();
    let routes = providers.iter().map(|p| route(&format!("{}/eye", p.id())));
    Builder {
        settings: VisionSettings {
            vision_route_priority: routes.collect(),
            auto_detect_vision: false,
            active_probe: false,
            ..VisionSettings::default()
        },
        providers,
        store: None,
        clock: Arc::new(FixedClock),
        health_path: None,
        virtual_provider: None,
        checks: Vec::new(),
    }
}

struct World {
    providers: Vec<Arc<ScriptedProvider>>,
    reader: Arc<VisionReader>,
    sink: Arc<VecAttempts>,
}

impl Builder {
    fn settings(mut self, change: impl FnOnce(&mut VisionSettings)) -> Self {
        change(&mut self.settings);
        self
    }

    fn store(mut self, store: &Arc<dyn EvidenceStore>) -> Self {
        self.store = Some(Arc::clone(store));
        self
    }

    fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    fn build(&self) -> World {
        let config = VisionConfig::from_settings(self.settings.clone()).expect("settings");
        let config = match self.virtual_provider {
            Some(id) => config.with_virtual_provider(id),
            None => config,
        };
        let shared = self
            .providers
            .iter()
            .map(|p| Arc::clone(p) as Arc<dyn ModelProvider>);
        let sink = Arc::new(VecAttempts::default());
        let random = Arc::new(CountingRandom::default());
        let mut ports = ReaderPorts::new(shared, Arc::clone(&self.clock), random)
            .with_store(self.store.clone());
        ports.attempts = Some(Arc::clone(&sink) as _);
        ports.checks.clone_from(&self.checks);
        ports.health_path.clone_from(&self.health_path);
        World {
            providers: self.providers.clone(),
            reader: Arc::new(VisionReader::new(ports, config)),
            sink,
        }
    }
}

impl World {
    async fn base(&self) -> Result<Reading, Box<ReadFailure>> {
        self.reader.base_read(&image(), None).await
    }

    fn calls(&self, provider: usize) -> usize {
        self.providers[provider].requests().len()
    }

    fn events(&self) -> Vec<(AttemptPhase, AttemptStatus)> {
        let events = self.sink.events();
        events.iter().map(|e| (e.phase, e.status)).collect()
    }
}

fn code_of(result: Result<Reading, Box<ReadFailure>>) -> ErrorCode {
    result.expect_err("the reading fails").code()
}

fn failures(attempts: &[Attempt]) -> Vec<Option<ErrorCode>> {
    attempts.iter().map(Attempt::failure).collect()
}
