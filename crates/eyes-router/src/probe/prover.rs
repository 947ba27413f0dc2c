//! Who has proved that it sees, and the proof itself when it is missing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use eyes_evidence::{canonical::Canonical, digest::Sha256Digest};
use tokio::time::Instant;

use super::PixelProbe;
use crate::{
    call::{Budget, Line, Meter, SingleFlight, exchange},
    error::{ProbeError, VisionError},
    health::HealthRegistry,
    limits::{MAX_PROBE_MODEL_TOKENS, MAX_PROBE_TOKENS, PROBE_TRIES},
    model::{FinishReason, Modality, ModelSpec, TokenUsage},
    ports::{ModelProvider, RandomSource},
    route::Route,
};

/// Lets models prove that they see, once each.
#[derive(Debug)]
pub(crate) struct Prover {
    flights: SingleFlight<(Route, Sha256Digest), Arc<Probing>>,
    health: Arc<HealthRegistry>,
    random: Arc<dyn RandomSource>,
    ttl_ms: u64,
}

/// A probe that was made.
#[derive(Debug)]
pub(crate) struct Probing {
    pub(crate) outcome: Result<(), VisionError>,
    pub(crate) took: Duration,
    usage: TokenUsage,
    booked: AtomicBool,
}

impl Probing {
    /// Returns its tokens to the first who asks, so that those who waited together book it once.
    pub(crate) fn book(&self) -> Option<TokenUsage> {
        (!self.booked.swap(true, Ordering::Relaxed)).then_some(self.usage)
    }
}

impl Prover {
    pub(crate) fn new(
        health: Arc<HealthRegistry>,
        random: Arc<dyn RandomSource>,
        ttl_ms: u64,
    ) -> Self {
        Self {
            flights: SingleFlight::new(),
            health,
            random,
            ttl_ms,
        }
    }

    /// Lets the model prove that it sees, unless it did so before: then nothing is returned.
    pub(crate) async fn prove(
        &self,
        provider: &Arc<dyn ModelProvider>,
        route: &Route,
        model: &ModelSpec,
    ) -> Option<Arc<Probing>> {
        let fingerprint = fingerprint(route, model);
        if self.health.is_proven(route, &fingerprint, self.ttl_ms) {
            return None;
        }
        Some(self.probe(provider, route, model).await)
    }

    /// Lets the model prove it now, whatever it proved before; whoever asks meanwhile shares the outcome.
    pub(crate) async fn probe(
        &self,
        provider: &Arc<dyn ModelProvider>,
        route: &Route,
        model: &ModelSpec,
    ) -> Arc<Probing> {
        let key = (route.clone(), fingerprint(route, model));
        let probe = Probe {
            provider: Arc::clone(provider),
            route: route.clone(),
            fingerprint: key.1,
            tokens: first_tokens(model),
            health: Arc::clone(&self.health),
            random: Arc::clone(&self.random),
        };
        self.flights.join(key, || Box::pin(probe.run())).await
    }
}

/// Identifies the model that a proof is about: another revision or other inputs prove anew.
fn fingerprint(route: &Route, model: &ModelSpec) -> Sha256Digest {
    let mut input = model.input.clone();
    input.sort_unstable();
    input.dedup();
    let names: Vec<&str> = input
        .iter()
        .map(|modality| match modality {
            Modality::Text => "text",
            Modality::Image => "image",
        })
        .collect();
    let subject = (
        "deepseekeyes.probe.v1",
        route.provider(),
        route.model(),
        &model.revision,
        names,
    );
    Canonical::of(&subject)
        .expect("texts have a canonical form")
        .digest()
}

/// A model that reasons before it answers needs more than the answer's fifty tokens.
fn first_tokens(model: &ModelSpec) -> u32 {
    model.default_max_output.map_or(MAX_PROBE_TOKENS, |tokens| {
        tokens.min(MAX_PROBE_MODEL_TOKENS)
    })
}

struct Probe {
    provider: Arc<dyn ModelProvider>,
    route: Route,
    fingerprint: Sha256Digest,
    tokens: u32,
    health: Arc<HealthRegistry>,
    random: Arc<dyn RandomSource>,
}

impl Probe {
    async fn run(self) -> Arc<Probing> {
        let started = Instant::now();
        let meter = Meter::default();
        let outcome = self.show_grids(&meter).await;
        if outcome.is_ok() {
            self.health.prove(&self.route, self.fingerprint).await;
        }
        Arc::new(Probing {
            outcome,
            took: started.elapsed(),
            usage: meter.total(),
            booked: AtomicBool::new(false),
        })
    }

    async fn show_grids(&self, meter: &Meter) -> Result<(), VisionError> {
        let failed = |reason| VisionError::Probe {
            route: self.route.clone(),
            reason,
        };
        let line = Line {
            provider: self.provider.as_ref(),
            route: &self.route,
            random: self.random.as_ref(),
            // Each of those who wait keeps its own time; the last one to give up ends the probe.
            budget: Budget::default(),
            used_before: 0,
        };
        let mut tokens = self.tokens;
        for _ in 0..PROBE_TRIES {
            let probe = PixelProbe::shuffled(self.random.next_u64());
            let mut request = probe
                .request(&self.route)
                .map_err(|error| failed(ProbeError::Picture(error)))?;
            request.max_output_tokens = Some(tokens);
            let answer = exchange(line, request, meter, &|_| {}).await?;
            if probe.is_answered_by(&answer.text) {
                return Ok(());
            }
            if answer.finish == FinishReason::MaxTokens {
                tokens = tokens.saturating_mul(2).min(MAX_PROBE_MODEL_TOKENS);
            }
        }
        Err(failed(ProbeError::Wrong { grids: PROBE_TRIES }))
    }
}
