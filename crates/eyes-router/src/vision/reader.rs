//! The async shell around the pure parts: ask, collect, admit, seal, store.

use std::{collections::BTreeMap, sync::Arc};

use eyes_evidence::{
    code::{Coded, ErrorCode},
    geometry::NormalizedBbox,
    provenance::{CacheKey, EvidenceRecord},
    store::EvidenceStore,
};

use super::{
    answer::collect,
    record::{Subject, admit},
    request::{Ask, build_request, checked_question},
};
use crate::{
    config::VisionConfig,
    error::VisionError,
    model::{ImageInput, Modality, ModelSpec, ModelUsage},
    ports::{Clock, ModelProvider},
    route::{Attempt, Failover, Outcome, Route, order},
};

/// One image read into evidence.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The sealed record.
    pub record: Arc<EvidenceRecord>,
    /// Which route answered, now or when the record was stored.
    pub route: Route,
    /// Every route that was asked, oldest first; the last one answered.
    pub attempts: Vec<Attempt>,
    /// Tokens of the call that answered; zero for a stored record.
    pub usage: ModelUsage,
    /// What went wrong beside the reading itself.
    pub warnings: Vec<ReadWarning>,
}

impl Reading {
    /// Returns whether a stored record answered and no model was called.
    pub fn is_cached(&self) -> bool {
        self.attempts
            .last()
            .is_some_and(|attempt| attempt.outcome == Outcome::Cached)
    }
}

/// A fault that did not keep the evidence from its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadWarning {
    /// The registry's code.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
}

/// Reads images over the configured routes.
#[derive(Debug)]
pub struct VisionReader {
    providers: BTreeMap<String, Arc<dyn ModelProvider>>,
    config: VisionConfig,
    store: Option<Arc<dyn EvidenceStore>>,
    clock: Arc<dyn Clock>,
}

/// One reading in progress.
#[derive(Clone, Copy)]
struct Job<'a> {
    image: &'a ImageInput,
    ask: Ask<'a>,
}

impl VisionReader {
    /// Takes providers, settings, the clock, and the store that serves as cache; without one nothing is kept.
    pub fn new(
        providers: impl IntoIterator<Item = Arc<dyn ModelProvider>>,
        config: VisionConfig,
        clock: Arc<dyn Clock>,
        store: Option<Arc<dyn EvidenceStore>>,
    ) -> Self {
        let providers = providers
            .into_iter()
            .map(|provider| (provider.id().to_owned(), provider))
            .collect();
        Self {
            providers,
            config,
            store,
            clock,
        }
    }

    /// Reads an overview of `image`, asking the `preferred` route first.
    pub async fn base_read(
        &self,
        image: &ImageInput,
        preferred: Option<&Route>,
    ) -> Result<Reading, VisionError> {
        let ask = Ask::Base;
        self.read(Job { image, ask }, preferred).await
    }

    /// Asks one question about `image`, or about a region of it, the `preferred` route first.
    pub async fn target_read(
        &self,
        image: &ImageInput,
        question: &str,
        region: Option<NormalizedBbox>,
        preferred: Option<&Route>,
    ) -> Result<Reading, VisionError> {
        let question = checked_question(question)?;
        let ask = Ask::Target { question, region };
        self.read(Job { image, ask }, preferred).await
    }

    async fn read(&self, job: Job<'_>, preferred: Option<&Route>) -> Result<Reading, VisionError> {
        let routes = order(preferred, self.config.routes());
        let mut failover = Failover::new(routes, self.config.failovers());
        while let Some(route) = failover.next_route() {
            match self.read_with(&route, job).await {
                Ok(found) => {
                    return Ok(Reading {
                        record: found.record,
                        attempts: failover.succeeded(route.clone(), found.outcome),
                        route,
                        usage: found.usage,
                        warnings: found.warnings,
                    });
                }
                Err(error) => failover.failed(route, error)?,
            }
        }
        Err(failover.into_error())
    }

    async fn read_with(&self, route: &Route, job: Job<'_>) -> Result<Found, VisionError> {
        let provider = self
            .providers
            .get(route.provider())
            .ok_or_else(|| VisionError::UnknownRoute(route.clone()))?;
        let model = model_of(provider.as_ref(), route).await?;
        let subject = Subject::new(route, &model, job.image, &job.ask)?;
        let key = subject.cache_key();
        let mut warnings = Vec::new();
        if let Some(record) = self.stored(&key, &mut warnings) {
            return Ok(Found {
                record,
                outcome: Outcome::Cached,
                usage: ModelUsage::default(),
                warnings,
            });
        }
        let failed = |source| VisionError::Provider {
            route: route.clone(),
            source: Box::new(source),
        };
        let request = build_request(route, job.image, &job.ask, &self.config);
        let stream = provider.generate(request).await.map_err(failed)?;
        let answer = collect(route, stream).await?;
        let record = Arc::new(admit(subject, &answer.text, self.clock.now())?);
        self.keep(&record, &mut warnings);
        Ok(Found {
            record,
            outcome: Outcome::Answered,
            usage: answer.usage,
            warnings,
        })
    }

    fn stored(
        &self,
        key: &CacheKey,
        warnings: &mut Vec<ReadWarning>,
    ) -> Option<Arc<EvidenceRecord>> {
        match self.store.as_ref()?.get(key) {
            Ok(record) => record,
            Err(error) => {
                warnings.push(warning(&error));
                None
            }
        }
    }

    /// Stores the record; evidence that was paid for is not lost when that fails.
    fn keep(&self, record: &Arc<EvidenceRecord>, warnings: &mut Vec<ReadWarning>) {
        let Some(store) = &self.store else { return };
        if let Err(error) = store.put_if_absent(record) {
            warnings.push(warning(&error));
        }
    }
}

/// What one route gave.
struct Found {
    record: Arc<EvidenceRecord>,
    outcome: Outcome,
    usage: ModelUsage,
    warnings: Vec<ReadWarning>,
}

fn warning(error: &impl Coded) -> ReadWarning {
    ReadWarning {
        code: error.code(),
        message: error.to_string(),
    }
}

async fn model_of(provider: &dyn ModelProvider, route: &Route) -> Result<ModelSpec, VisionError> {
    let models = provider
        .models()
        .await
        .map_err(|source| VisionError::Provider {
            route: route.clone(),
            source: Box::new(source),
        })?;
    let model = models
        .into_iter()
        .find(|model| model.id == route.model())
        .ok_or_else(|| VisionError::UnknownRoute(route.clone()))?;
    if model.input.contains(&Modality::Image) {
        Ok(model)
    } else {
        Err(VisionError::NotMultimodal(route.clone()))
    }
}
