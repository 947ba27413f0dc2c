//! The reader: what callers hold.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use eyes_evidence::{
    digest::Sha256Digest, geometry::NormalizedBbox, provenance::EvidenceRecord,
    store::EvidenceStore,
};
use futures_util::{StreamExt, stream};

use super::{
    operation::{Ended, Operation},
    reading::{ReadRequest, ReadUsage, Reading},
    request::{Ask, checked_question},
};
use crate::{
    call::SingleFlight,
    catalog::Catalogue,
    config::VisionConfig,
    error::{ProbeError, ReadFailure, VisionError},
    health::{HealthRegistry, RouteHealth},
    model::{ImageInput, Modality, ModelSpec},
    ports::{AttemptSink, Clock, EvidenceCheck, ModelProvider, RandomSource},
    probe::Prover,
    route::{Candidate, Order, Route},
};

/// What a reader needs from outside.
#[derive(Debug, Clone)]
pub struct ReaderPorts {
    /// The providers; of two with one id the last counts.
    pub providers: Vec<Arc<dyn ModelProvider>>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Unpredictable numbers, for probes and waits.
    pub random: Arc<dyn RandomSource>,
    /// The store that serves as cache; without one nothing is kept.
    pub store: Option<Arc<dyn EvidenceStore>>,
    /// Who is told of attempts.
    pub attempts: Option<Arc<dyn AttemptSink>>,
    /// Who looks at an answer before it is sealed, in this order.
    pub checks: Vec<Arc<dyn EvidenceCheck>>,
    /// Where route health outlives the process; in memory only where absent.
    pub health_path: Option<PathBuf>,
}

impl ReaderPorts {
    /// Takes what every reader needs, and leaves the rest out.
    pub fn new(
        providers: impl IntoIterator<Item = Arc<dyn ModelProvider>>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn RandomSource>,
    ) -> Self {
        Self {
            providers: providers.into_iter().collect(),
            clock,
            random,
            store: None,
            attempts: None,
            checks: Vec::new(),
            health_path: None,
        }
    }

    /// Sets the store.
    #[must_use]
    pub fn with_store(mut self, store: Option<Arc<dyn EvidenceStore>>) -> Self {
        self.store = store;
        self
    }
}

/// What all readings of one reader share.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) config: VisionConfig,
    pub(super) catalogue: Catalogue,
    pub(super) health: Arc<HealthRegistry>,
    pub(super) prover: Prover,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) random: Arc<dyn RandomSource>,
    pub(super) store: Option<Arc<dyn EvidenceStore>>,
    pub(super) attempts: Option<Arc<dyn AttemptSink>>,
    pub(super) checks: Vec<Arc<dyn EvidenceCheck>>,
}

/// Reads images over the configured routes.
///
/// Its futures run inside a tokio runtime with time enabled. Dropping one stops its work, unless another
/// caller waits for the same reading.
#[derive(Debug)]
pub struct VisionReader {
    core: Arc<Core>,
    flights: SingleFlight<FlightKey, Arc<Landed>>,
}

/// What makes two readings equal while they are under way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FlightKey {
    image: Sha256Digest,
    kind: &'static str,
    words: Option<Arc<str>>,
    // The bits of the numbers; numbers that are equal have the same ones, since no box holds a negative zero.
    region: Option<[u64; 4]>,
    preferred: Option<Route>,
}

/// A reading that came to its end.
#[derive(Debug)]
struct Landed {
    ended: Ended,
    booked: AtomicBool,
}

impl VisionReader {
    /// Takes the ports and the settings, and reads the file of route health where one is named.
    pub fn new(ports: ReaderPorts, config: VisionConfig) -> Self {
        let health = HealthRegistry::open(
            config.circuit_policy(),
            Arc::clone(&ports.clock),
            ports.health_path,
        );
        let catalogue = Catalogue::new(
            ports.providers,
            config.declared().clone(),
            config.catalogue_ttl(),
        );
        let prover = Prover::new(
            Arc::clone(&health),
            Arc::clone(&ports.random),
            config.settings().vision_probe_ttl_ms,
        );
        Self {
            core: Arc::new(Core {
                config,
                catalogue,
                health,
                prover,
                clock: ports.clock,
                random: ports.random,
                store: ports.store,
                attempts: ports.attempts,
                checks: ports.checks,
            }),
            flights: SingleFlight::new(),
        }
    }

    /// Reads one image.
    pub async fn read(&self, mut request: ReadRequest) -> Result<Reading, Box<ReadFailure>> {
        if let Ask::Target { question, region } = &request.ask {
            let question = checked_question(question)?.into();
            request.ask = Ask::Target {
                question,
                region: *region,
            };
        }
        let core = Arc::clone(&self.core);
        let mut leads = false;
        let flight = self.flights.join(FlightKey::of(&request), || {
            leads = true;
            Box::pin(async move {
                let ended = Operation::run(&core, &request).await;
                Arc::new(Landed {
                    ended,
                    booked: AtomicBool::new(false),
                })
            })
        });
        flight.await.share(!leads)
    }

    /// Reads the images of one turn, several at once, as the settings say; the results stand in their order.
    pub async fn read_all(
        &self,
        requests: Vec<ReadRequest>,
    ) -> Vec<Result<Reading, Box<ReadFailure>>> {
        let at_once = self.core.config.settings().vision_concurrency;
        let numbered = requests.into_iter().enumerate();
        let readings = numbered.map(|(at, request)| async move { (at, self.read(request).await) });
        let mut results: Vec<_> = stream::iter(readings)
            .buffer_unordered(at_once)
            .collect()
            .await;
        results.sort_unstable_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Reads an overview of `image`, asking the `preferred` route first.
    pub async fn base_read(
        &self,
        image: &ImageInput,
        preferred: Option<&Route>,
    ) -> Result<Reading, Box<ReadFailure>> {
        let mut request = ReadRequest::new(image.clone(), Ask::base(None));
        request.preferred = preferred.cloned();
        self.read(request).await
    }

    /// Asks one question about `image`, or about a region of it, the `preferred` route first.
    pub async fn target_read(
        &self,
        image: &ImageInput,
        question: &str,
        region: Option<NormalizedBbox>,
        preferred: Option<&Route>,
    ) -> Result<Reading, Box<ReadFailure>> {
        let mut request = ReadRequest::new(image.clone(), Ask::target(question, region)?);
        request.preferred = preferred.cloned();
        self.read(request).await
    }

    /// Returns the first route that names a model which accepts images.
    ///
    /// Whether that route works at the moment does not matter here: a turn without images needs the answer
    /// also after a reading failed.
    pub async fn eye(&self) -> Result<(Route, ModelSpec), VisionError> {
        let order = self.core.order(None).await;
        let mut first = None;
        for candidate in order.candidates() {
            match self.core.model(&candidate.route).await {
                Ok(model) => return Ok((candidate.route.clone(), model)),
                Err(error) => {
                    first.get_or_insert(error);
                }
            }
        }
        let mut detected = Order::default();
        if self.core.detects() {
            self.core.catalogue.settle().await;
            self.core.detect(&mut detected);
        }
        for candidate in detected.candidates() {
            if let Ok(model) = self.core.model(&candidate.route).await {
                return Ok((candidate.route.clone(), model));
            }
        }
        Err(first.unwrap_or(VisionError::NoRoute))
    }

    /// Returns the routes in the order they would be asked, as far as they are known without waiting long.
    pub async fn candidates(&self) -> Vec<Candidate> {
        self.core.order(None).await.candidates().to_vec()
    }

    /// Shows the model of `route` a grid now, whatever it proved before, and returns the tokens of that.
    pub async fn probe(&self, route: &Route) -> Result<ReadUsage, Box<ReadFailure>> {
        let model = self.core.model(route).await?;
        let provider = self.core.provider(route)?;
        let probing = self.core.prover.probe(provider, route, &model).await;
        let usage = ReadUsage {
            probe: probing.book().unwrap_or_default(),
            ..ReadUsage::default()
        };
        match &probing.outcome {
            Ok(()) => Ok(usage),
            Err(error) => Err(Box::new(ReadFailure {
                usage,
                ..ReadFailure::new(error.clone())
            })),
        }
    }

    /// Returns a stored record that answers `request`, of whichever route; no model is called.
    pub async fn stored(&self, request: &ReadRequest) -> Option<(Route, Arc<EvidenceRecord>)> {
        Operation::look_up(&self.core, request).await
    }

    /// Tells whether the model of `route` sees: it has proved it, or proves it now, or nobody asks for a proof.
    ///
    /// A model that fails the probe does not see; a probe that could not be made is the error. The tokens are
    /// those of a probe that was made now.
    pub async fn sees(
        &self,
        route: &Route,
        model: &ModelSpec,
    ) -> (Result<bool, VisionError>, ReadUsage) {
        if !self.core.config.settings().active_probe {
            return (Ok(true), ReadUsage::default());
        }
        let provider = match self.core.provider(route) {
            Ok(provider) => provider,
            Err(error) => return (Err(error), ReadUsage::default()),
        };
        let Some(probing) = self.core.prover.prove(provider, route, model).await else {
            return (Ok(true), ReadUsage::default());
        };
        let usage = ReadUsage {
            probe: probing.book().unwrap_or_default(),
            ..ReadUsage::default()
        };
        let sees = match &probing.outcome {
            Ok(()) => Ok(true),
            Err(VisionError::Probe {
                reason: ProbeError::Wrong { .. },
                ..
            }) => Ok(false),
            Err(error) => Err(error.clone()),
        };
        (sees, usage)
    }

    /// Returns the model that gives final answers over `route`, as it is declared or listed.
    ///
    /// A model that cannot be found is taken for one of text, about which nothing else is known: its provider knows
    /// better, and an answer must not depend on a list. Only `patient` callers wait for a list that is not there.
    /// Errors: `VISION_ROUTE_ERROR` where the provider does not exist.
    pub async fn final_model(
        &self,
        route: &Route,
        patient: bool,
    ) -> Result<ModelSpec, VisionError> {
        self.core.provider(route)?;
        let catalogue = &self.core.catalogue;
        let found = if patient {
            catalogue.any_model(route).await.ok()
        } else {
            catalogue.fetch_missing(route.provider());
            catalogue.peek_any(route).and_then(Result::ok)
        };
        Ok(found.unwrap_or_else(|| ModelSpec::new(route.model(), [Modality::Text])))
    }

    /// Returns the provider of a route.
    pub fn provider(&self, route: &Route) -> Result<&Arc<dyn ModelProvider>, VisionError> {
        self.core.provider(route)
    }

    /// Tells whether `route` looks on this machine.
    pub fn is_local(&self, route: &Route) -> bool {
        let provider = self.core.provider(route);
        provider.is_ok_and(|provider| provider.is_local())
    }

    /// Returns how many images are read at once.
    pub fn concurrency(&self) -> usize {
        self.core.config.settings().vision_concurrency
    }

    /// Tells whether `route` is one of this reader's providers.
    pub fn is_own(&self, route: &Route) -> bool {
        self.core.provider(route).is_ok()
    }

    /// Returns what the providers list.
    pub fn catalogue(&self) -> &Catalogue {
        &self.core.catalogue
    }

    /// Returns the routes that failed lately.
    pub fn health(&self) -> Vec<RouteHealth> {
        self.core.health.routes()
    }
}

impl FlightKey {
    fn of(request: &ReadRequest) -> Self {
        Self {
            image: request.image.identity.sha256,
            kind: request.ask.kind().name(),
            words: request.ask.words().map(Arc::from),
            region: request
                .ask
                .region()
                .map(|region| <[f64; 4]>::from(region).map(f64::to_bits)),
            preferred: request.preferred.clone(),
        }
    }
}

impl Landed {
    /// Gives a caller its share: the evidence to everybody, the tokens to the first.
    fn share(&self, joined: bool) -> Result<Reading, Box<ReadFailure>> {
        let ended = &self.ended;
        let usage = if self.booked.swap(true, Ordering::Relaxed) {
            ReadUsage::default()
        } else {
            ended.usage
        };
        match &ended.result {
            Ok((route, record)) => Ok(Reading {
                record: Arc::clone(record),
                route: route.clone(),
                attempts: ended.attempts.clone(),
                usage,
                joined,
                warnings: ended.warnings.clone(),
            }),
            Err(error) => Err(Box::new(ReadFailure {
                error: error.clone(),
                attempts: ended.attempts.clone(),
                usage,
                warnings: ended.warnings.clone(),
            })),
        }
    }
}
