//! The parts of a composition; what can be done without costs a warning.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::store::EvidenceStore;
use eyes_router::{
    attempts::AttemptLog,
    config::VisionConfig,
    ports::{AttemptSink, EvidenceCheck},
    vision::{GroundingCheck, ReadWarning, ReaderPorts, VisionReader},
};
use eyes_usage::ports::{NoUsageSink, UsageSink};

use super::{Surroundings, answer::Answers};
use crate::{
    attempts::attempts_log,
    clock::SystemClock,
    data::open_evidence,
    error::RuntimeError,
    gate::GatedStore,
    local::{self, LocalEyes},
    marker_key::marker_key,
    providers::{Providers, providers},
    random::SystemRandom,
    settings::{Settings, VisionSettings},
    usage::ledger,
};

/// Where route health outlives the process, below the directory for data.
pub(crate) const HEALTH_FILE: &str = "route-health.json";

/// A composition in progress.
pub(super) struct Composition<'a> {
    settings: &'a Settings,
    surroundings: Surroundings<'a>,
    pub(super) warnings: Vec<ReadWarning>,
}

impl<'a> Composition<'a> {
    pub(super) const fn new(settings: &'a Settings, surroundings: Surroundings<'a>) -> Self {
        Self {
            settings,
            surroundings,
            warnings: Vec::new(),
        }
    }

    pub(super) fn store(&mut self) -> Option<Arc<dyn EvidenceStore>> {
        let gate = self.surroundings.gate;
        match open_store(self.settings, self.surroundings.data_dir) {
            Ok(store) => store.map(|store| Arc::new(GatedStore::new(store, gate.clone())) as _),
            Err(error) => {
                self.warn(&error);
                None
            }
        }
    }

    pub(super) fn providers(&mut self) -> Result<Providers, RuntimeError> {
        let Surroundings {
            environment,
            finals,
            ..
        } = self.surroundings;
        let mut found = providers(self.settings, environment, finals)?;
        let left_out = found.left_out.drain(..).map(RuntimeError::from);
        self.warnings
            .extend(left_out.map(|error| ReadWarning::of(&error)));
        Ok(found)
    }

    /// Adds the local eyes where they are wanted: as a route, and as a check of what other models claim.
    pub(super) fn local_eyes(
        &mut self,
        vision: &mut VisionSettings,
        found: &mut Providers,
        store: Option<&Arc<dyn EvidenceStore>>,
    ) -> Result<Vec<Arc<dyn EvidenceCheck>>, RuntimeError> {
        let mut checks: Vec<Arc<dyn EvidenceCheck>> = Vec::new();
        let data_dir = self.surroundings.data_dir;
        let Some(local) = LocalEyes::open(&self.settings.local, data_dir)? else {
            return Ok(checks);
        };
        if vision.vision_grounding && (names_a_route(vision) || !found.all.is_empty()) {
            checks.push(grounding(&local, store.cloned()));
            // A check that cannot look leaves no trace in a record: said here.
            let missing = local::missing(&self.settings.local, data_dir);
            self.warnings
                .extend(missing.map(|error| ReadWarning::of(&error)));
        }
        if !names_a_route(vision) && found.all.is_empty() {
            vision.vision_route_priority = vec![local.route];
            vision.auto_detect_vision = false;
        }
        found.all.push(local.provider);
        Ok(checks)
    }

    pub(super) fn log(&mut self) -> Option<Arc<dyn AttemptSink>> {
        start_log(self.settings, self.surroundings.data_dir).unwrap_or_else(|error| {
            self.warn(&error);
            None
        })
    }

    pub(super) fn health_path(&self) -> Option<PathBuf> {
        let kept = self.settings.persistent_evidence;
        let directory = self.surroundings.data_dir.filter(|_| kept);
        directory.map(|directory| directory.join(HEALTH_FILE))
    }

    /// Opens the books, where there is anybody to pay.
    pub(super) fn usage(&mut self, is_free: bool) -> Arc<dyn UsageSink> {
        if is_free {
            return Arc::new(NoUsageSink);
        }
        ledger(self.settings, self.surroundings.data_dir).unwrap_or_else(|error| {
            self.warn(&error);
            Arc::new(NoUsageSink)
        })
    }

    /// Composes what lets final models answer, where one was named.
    pub(super) fn answers(
        &mut self,
        reader: &Arc<VisionReader>,
        usage: &Arc<dyn UsageSink>,
    ) -> Result<Option<Answers>, RuntimeError> {
        if self.surroundings.finals.is_empty() {
            return Ok(None);
        }
        let kept = self.surroundings.data_dir;
        let kept = kept.filter(|_| self.settings.persistent_evidence);
        let markers = marker_key(kept).or_else(|error| {
            self.warn(&error);
            marker_key(None)
        })?;
        Answers::new(self.settings, markers, reader, usage).map(Some)
    }

    /// Notes what is missing; one directory that cannot be used is one warning, though several things belong there.
    fn warn(&mut self, error: &RuntimeError) {
        let warning = ReadWarning::of(error);
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
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

pub(super) fn open_store(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<dyn EvidenceStore>>, RuntimeError> {
    let store = open_evidence(settings, data_dir)?;
    Ok(store.map(|store| Arc::new(store) as _))
}
