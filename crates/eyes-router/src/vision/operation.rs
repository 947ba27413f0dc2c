//! One reading over its routes: ask, collect, understand, check, seal, store.

use std::{sync::Arc, time::Duration};

use eyes_evidence::{
    code::Coded,
    provenance::{EvidenceRecord, RecordZoom},
    store::{EvidenceStore, StoreError},
};
use tokio::{task::spawn_blocking, time::Instant};

use super::{
    draft::Draft,
    reader::Core,
    reading::{ReadRequest, ReadUsage, ReadWarning},
    record::{Manner, Subject},
    request::plan,
    trace::Trace,
    zoom::{Zoom, zoom},
};
use crate::{
    attempts::{AttemptPhase, AttemptStatus},
    call::{Budget, Line, Meter, exchange},
    config::ZoomMode,
    error::{BudgetLimit, RouteRefusal, VisionError},
    health::{Permit, Verdict},
    model::{ModelSpec, TokenUsage},
    route::{self, Attempt, Candidate, Failover, Fault, Next, Route},
};

/// What an operation came to.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) result: Result<(Route, Arc<EvidenceRecord>), VisionError>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) usage: ReadUsage,
    pub(super) warnings: Vec<ReadWarning>,
}

/// One operation in progress.
pub(super) struct Operation<'a> {
    pub(super) core: &'a Core,
    pub(super) request: &'a ReadRequest,
    budget: Budget,
    failover: Failover,
    // Whose stored record was looked for.
    looked_up: Vec<Route>,
    usage: ReadUsage,
    warnings: Vec<ReadWarning>,
}

type Found = (Route, Arc<EvidenceRecord>);

impl<'a> Operation<'a> {
    /// Reads one image; the time budget starts here.
    pub(super) async fn run(core: &'a Core, request: &'a ReadRequest) -> Ended {
        let budget = Budget::start(&core.config, Instant::now());
        let order = core.order(request.preferred.as_ref()).await;
        let mut operation = Self::new(core, request, budget, order.candidates());
        let mut result = match operation.stored_by_any(order.candidates()).await {
            Some(found) => Ok(found),
            None => operation.ask_routes().await,
        };
        let attempts = operation.failover.attempts().to_vec();
        if let Err(VisionError::Budget { attempts: told, .. }) = &mut result {
            told.clone_from(&attempts);
        }
        operation.warnings.extend(core.health.take_warnings());
        Ended {
            result,
            attempts,
            usage: operation.usage,
            warnings: operation.warnings,
        }
    }

    /// Looks for a stored record of any route, and asks none.
    pub(super) async fn look_up(core: &'a Core, request: &'a ReadRequest) -> Option<Found> {
        let budget = Budget::start(&core.config, Instant::now());
        let order = core.order(request.preferred.as_ref()).await;
        let mut operation = Self::new(core, request, budget, order.candidates());
        operation.stored_by_any(order.candidates()).await
    }

    fn new(
        core: &'a Core,
        request: &'a ReadRequest,
        budget: Budget,
        candidates: &[Candidate],
    ) -> Self {
        Self {
            core,
            request,
            budget,
            failover: Failover::new(candidates, core.config.failovers()),
            looked_up: Vec::new(),
            usage: ReadUsage::default(),
            warnings: Vec::new(),
        }
    }

    /// Looks for a stored record of any route before one is asked: what another route saw was paid for.
    async fn stored_by_any(&mut self, candidates: &[Candidate]) -> Option<Found> {
        self.core.store.as_ref()?;
        for candidate in candidates {
            let Some(model) = self.core.known_model(&candidate.route) else {
                continue;
            };
            let started = Instant::now();
            if let Some(record) = self.stored(&candidate.route, &model).await {
                let trace = self.trace(candidate);
                return Some(self.cached(&trace, record, started));
            }
        }
        None
    }

    async fn ask_routes(&mut self) -> Result<Found, VisionError> {
        let mut detected = !self.core.detects();
        loop {
            while let Some(next) = self.failover.next_route() {
                if let Some(found) = self.ask(&next).await? {
                    return Ok(found);
                }
            }
            if std::mem::replace(&mut detected, true) {
                break;
            }
            self.detect().await?;
        }
        if let Some(next) = self.failover.last_resort()
            && let Some(found) = self.ask(&next).await?
        {
            return Ok(found);
        }
        Err(self.failover.error())
    }

    /// Waits for the lists that did not come in time, and adds what they offer.
    async fn detect(&mut self) -> Result<(), VisionError> {
        let core = self.core;
        let lists = async {
            core.catalogue.settle().await;
            Ok(())
        };
        self.budget.within(lists).await?;
        let mut order = core.order(self.request.preferred.as_ref()).await;
        core.detect(&mut order);
        self.failover.extend(order.candidates());
        Ok(())
    }

    /// Asks one route; nothing when it failed and another one may be asked.
    async fn ask(&mut self, next: &Next) -> Result<Option<Found>, VisionError> {
        let candidate = &next.candidate;
        let route = &candidate.route;
        let trace = self.trace(candidate);
        let started = Instant::now();
        let core = self.core;
        let model = match self.budget.within(core.model(route)).await {
            Ok(model) => model,
            Err(error) => {
                let code = Some(error.code());
                let took = started.elapsed();
                trace.event(AttemptPhase::Health, AttemptStatus::Failed, took, code);
                return self.failover.failed(route.clone(), error).map(|()| None);
            }
        };
        if let Some(record) = self.stored(route, &model).await {
            return Ok(Some(self.cached(&trace, record, started)));
        }
        let Some(permit) = self.permit(next, &trace).await? else {
            return Ok(None);
        };
        match self.ask_admitted(candidate, &model, &trace, permit).await {
            Ok(record) => Ok(Some((route.clone(), record))),
            Err(error) => self.failover.failed(route.clone(), error).map(|()| None),
        }
    }

    /// Asks the circuit; nothing when the route is passed over or blocked.
    async fn permit(
        &mut self,
        next: &Next,
        trace: &Trace<'_>,
    ) -> Result<Option<Permit>, VisionError> {
        let health = &self.core.health;
        let route = &next.candidate.route;
        if !next.last_resort {
            let permit = health.admit(route);
            if permit.is_none() {
                let status = AttemptStatus::SkippedOpenCircuit;
                trace.event(AttemptPhase::Circuit, status, Duration::ZERO, None);
                self.failover.passed_over(next.candidate.clone());
            }
            return Ok(permit);
        }
        let started = Instant::now();
        let wait = async { Ok(health.admit_last_resort(route).await) };
        if let Some(permit) = self.budget.within(wait).await? {
            return Ok(Some(permit));
        }
        let error = VisionError::refused(route, RouteRefusal::Blocked);
        let code = Some(error.code());
        trace.event(
            AttemptPhase::Circuit,
            AttemptStatus::Failed,
            started.elapsed(),
            code,
        );
        self.failover.failed(route.clone(), error)?;
        Ok(None)
    }

    /// Calls the model, books what that cost, and tells the route's health.
    async fn ask_admitted(
        &mut self,
        candidate: &Candidate,
        model: &ModelSpec,
        trace: &Trace<'_>,
        permit: Permit,
    ) -> Result<Arc<EvidenceRecord>, VisionError> {
        let understood = self.asked(candidate, model, trace, permit).await?;
        let record = self.sealed(understood).await?;
        self.failover
            .succeeded(candidate.route.clone(), route::Outcome::Answered);
        Ok(record)
    }

    /// Does the same, and leaves what was understood to the caller.
    pub(super) async fn asked<'r>(
        &mut self,
        candidate: &'r Candidate,
        model: &ModelSpec,
        trace: &Trace<'_>,
        permit: Permit,
    ) -> Result<Understood<'r>, VisionError>
    where
        'a: 'r,
    {
        let started = Instant::now();
        let spent = Spent::default();
        let asking = self.understood(&candidate.route, model, trace, &spent);
        let result = self.budget.within(asking).await;
        let took = started.elapsed();
        self.usage.probe += spent.probe.total();
        self.usage.model += spent.model.total();
        let (verdict, status, code) = match &result {
            Ok(_) => (Verdict::Works, AttemptStatus::Success, None),
            Err(error) => (
                self.verdict(error, took),
                AttemptStatus::Failed,
                Some(error.code()),
            ),
        };
        trace.event(AttemptPhase::Operation, status, took, code);
        permit.settle(verdict).await;
        result
    }

    fn verdict(&self, error: &VisionError, took: Duration) -> Verdict {
        let out_of_time = matches!(
            error,
            VisionError::Budget {
                limit: BudgetLimit::Time { .. },
                ..
            }
        );
        let failure = error.provider_failure();
        match Fault::of(error) {
            Fault::Route => Verdict::Fault {
                retry_after_ms: failure.and_then(|failure| failure.retry_after_ms),
            },
            // A route that used up the time of others is to blame for it.
            Fault::Stop if out_of_time && self.budget.is_most(took) => Verdict::Fault {
                retry_after_ms: None,
            },
            Fault::Stop | Fault::Request => Verdict::Nothing,
        }
    }

    /// Lets the model prove that it sees, asks it, and understands its answer.
    async fn understood<'r>(
        &self,
        route: &'r Route,
        model: &ModelSpec,
        trace: &Trace<'_>,
        spent: &Spent,
    ) -> Result<Understood<'r>, VisionError>
    where
        'a: 'r,
    {
        let core = self.core;
        let provider = core.provider(route)?;
        if core.config.settings().active_probe
            && let Some(probing) = core.prover.prove(provider, route, model).await
        {
            if let Some(usage) = probing.book() {
                spent.probe.add(usage);
                let (status, code) = match &probing.outcome {
                    Ok(()) => (AttemptStatus::Success, None),
                    Err(error) => (AttemptStatus::Failed, Some(error.code())),
                };
                trace.event(AttemptPhase::Probe, status, probing.took, code);
            }
            probing.outcome.clone()?;
        }
        let subject = self.subject(route, model)?;
        let zoom = self.zoom(route).await;
        let image = &self.request.image;
        let plan = plan(route, image, &self.request.ask, &core.config, zoom);
        let line = Line {
            provider: provider.as_ref(),
            route,
            random: core.random.as_ref(),
            budget: self.budget,
            used_before: self.usage.tokens().saturating_add(spent.probe_tokens()),
        };
        let started = Instant::now();
        let retried = |code| {
            let (phase, status) = (AttemptPhase::TransportRetry, AttemptStatus::Retry);
            trace.event(phase, status, started.elapsed(), Some(code));
        };
        let answer = exchange(line, plan.request, &spent.model, &retried).await?;
        let draft = subject.draft(&answer, plan.zoom.as_ref())?;
        Ok(Understood {
            subject,
            draft,
            zoom: plan.zoom.as_ref().map(Zoom::record),
        })
    }

    /// Checks, seals and stores what was understood and paid for: from here on time costs a check at most.
    async fn sealed(
        &mut self,
        understood: Understood<'_>,
    ) -> Result<Arc<EvidenceRecord>, VisionError> {
        let core = self.core;
        let mut draft = understood.draft;
        if self.manner(&draft.route).confirmed {
            self.second_opinion(&mut draft).await;
        }
        for check in &core.checks {
            let examined = async {
                check.examine(&self.request.image, &mut draft).await;
                Ok(())
            };
            if let Err(error) = self.budget.within(examined).await {
                self.warnings.push(ReadWarning::of(&error));
            }
        }
        let sealed = understood
            .subject
            .seal(draft, understood.zoom, core.clock.now())?;
        let record = Arc::new(sealed);
        self.keep(&record).await;
        Ok(record)
    }

    fn subject<'r>(&self, route: &'r Route, model: &ModelSpec) -> Result<Subject<'r>, VisionError>
    where
        'a: 'r,
    {
        let ReadRequest { image, ask, .. } = self.request;
        Subject::new(route, model, image, ask, self.manner(route))
    }

    fn manner(&self, route: &Route) -> Manner {
        let settings = self.core.config.settings();
        let cuts = self
            .core
            .provider(route)
            .is_ok_and(|provider| !provider.is_local());
        Manner {
            proven: settings.active_probe,
            zoomed: settings.vision_zoom == ZoomMode::Auto && cuts,
            confirmed: settings.vision_consensus && cuts,
        }
    }

    /// Cuts the region out, off the executor.
    async fn zoom(&self, route: &Route) -> Option<Zoom> {
        let region = self.request.ask.region()?;
        if !self.manner(route).zoomed {
            return None;
        }
        let image = self.request.image.clone();
        // A picture that cannot be cut is read as it is.
        spawn_blocking(move || zoom(&image, region)).await.ok()?
    }

    /// Looks into the store, once for each route; a record that is damaged there costs a warning and is read
    /// anew.
    async fn stored(&mut self, route: &Route, model: &ModelSpec) -> Option<Arc<EvidenceRecord>> {
        self.core.store.as_ref()?;
        if self.looked_up.contains(route) {
            return None;
        }
        self.looked_up.push(route.clone());
        let key = self.subject(route, model).ok()?.cache_key();
        let found = self.with_store(move |store| store.get(&key)).await?;
        found.unwrap_or_else(|error| {
            let warning = ReadWarning::of(&error);
            // A store that is out of order says so for every route.
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
            None
        })
    }

    /// Stores the record; evidence that was paid for is not lost when that fails.
    async fn keep(&mut self, record: &Arc<EvidenceRecord>) {
        let record = Arc::clone(record);
        let stored = self.with_store(move |store| store.put_if_absent(&record));
        if let Some(Err(error)) = stored.await {
            self.warnings.push(ReadWarning::of(&error));
        }
    }

    /// Works with the store off the executor: it reads, writes and synchronises files.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn EvidenceStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<Result<T, StoreError>> {
        let store = Arc::clone(self.core.store.as_ref()?);
        // A store that panics is a store that has nothing.
        spawn_blocking(move || work(store.as_ref())).await.ok()
    }

    fn cached(
        &mut self,
        trace: &Trace<'_>,
        record: Arc<EvidenceRecord>,
        started: Instant,
    ) -> Found {
        let took = started.elapsed();
        trace.event(AttemptPhase::Operation, AttemptStatus::CacheHit, took, None);
        let route = trace.route().clone();
        self.failover
            .succeeded(route.clone(), route::Outcome::Cached);
        (route, record)
    }

    pub(super) fn trace<'c>(&self, candidate: &'c Candidate) -> Trace<'c>
    where
        'a: 'c,
    {
        let core = self.core;
        Trace::new(
            core.attempts.as_deref(),
            (core.clock.as_ref(), core.random.as_ref()),
            self.request,
            candidate,
            self.failover.failures(),
        )
    }
}

/// An answer that was understood, and what its record needs beside it.
pub(super) struct Understood<'a> {
    subject: Subject<'a>,
    pub(super) draft: Draft,
    zoom: Option<RecordZoom>,
}

/// What the calls to one route cost, also when they are stopped.
#[derive(Debug, Default)]
struct Spent {
    probe: Meter,
    model: Meter,
}

impl Spent {
    fn probe_tokens(&self) -> u64 {
        let TokenUsage { input, output, .. } = self.probe.total();
        input.saturating_add(output)
    }
}
