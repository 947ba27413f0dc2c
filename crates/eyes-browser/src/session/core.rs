//! The state of a session, and one step of it.

use std::time::Duration;

use eyes_evidence::state::StateId;
use tokio::time::{Instant, timeout_at};

use super::{
    Effect, Failure, Grounding, Outcome, SessionParts, StepResult,
    effect::{self, Acted},
    write::Aim,
};
use crate::{
    action::{Action, Look, Request, TabAction},
    driver::{
        Bounds, Capture, CaptureRequest, Diagnostics, DriverError, DriverErrorKind, Scope, Snapshot,
    },
    error::BrowserError,
    limits::{MAX_ACTION_TIMEOUT, SNAPSHOT_TIMEOUT},
    machine::{Machine, Refusal},
    picture::{self, Delivery, Shot},
    ports::PageDriver,
    report::Recorder,
    secret::{KnownSecrets, RunKey},
    state::{BrowserState, Seen, StateChange, keep_last},
};

/// Everything that a session holds, under its lock.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) parts: SessionParts,
    pub(super) page: Option<Box<dyn PageDriver>>,
    pub(super) machine: Machine,
    pub(super) secrets: KnownSecrets,
    pub(super) key: RunKey,
    pub(super) recorder: Recorder,
    /// The last whole state that was told: what changes are compared with.
    told: Option<BrowserState>,
    /// What console and network said in looks that were not told.
    said: Diagnostics,
    opened: bool,
    closed: bool,
}

/// What the first half of a step came to; the second looks at the page.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) error: Option<BrowserError>,
    pub(super) outcome: Outcome,
    pub(super) acted: Option<Acted>,
    /// Whether it is not what was asked for although nothing failed: an assertion that does not hold.
    pub(super) unmet: bool,
    /// Whether the page is looked at afterwards.
    pub(super) look: Option<Look>,
    pub(super) shot: Option<Shot>,
}

impl Done {
    pub(super) fn looked() -> Self {
        Self {
            look: Some(Look::default()),
            ..Self::default()
        }
    }
}

impl From<BrowserError> for Done {
    fn from(error: BrowserError) -> Self {
        Self {
            error: Some(error),
            ..Self::looked()
        }
    }
}

impl Core {
    pub(super) fn new(parts: SessionParts) -> Self {
        let key = RunKey::draw(&*parts.random);
        let settings = parts.settings.clone().within_limits();
        let recorder = Recorder::new(&parts.run, &*parts.clock);
        Self {
            machine: Machine::new(parts.run.clone()),
            page: None,
            secrets: KnownSecrets::default(),
            key,
            recorder,
            told: None,
            said: Diagnostics::default(),
            opened: false,
            closed: false,
            parts: SessionParts { settings, ..parts },
        }
    }

    /// Returns the id of the newest state that was not acted on.
    pub(super) fn current(&self) -> Option<StateId> {
        let id = self.machine.newest()?.state_id;
        self.machine.check(&id).is_ok().then_some(id)
    }

    pub(super) async fn close(&mut self) -> Result<(), BrowserError> {
        self.closed = true;
        self.machine.spend();
        match self.page.take() {
            Some(page) => page.close().await.map_err(BrowserError::from),
            None => Ok(()),
        }
    }

    /// Does one call.
    pub(super) async fn step(&mut self, mut request: Request, grounding: Grounding) -> StepResult {
        let name = request.action.name();
        if self.closed {
            return StepResult::failed(name, &BrowserError::Closed);
        }
        let limit = request.timeout.unwrap_or(self.parts.settings.timeout);
        let deadline = Instant::now() + limit.min(MAX_ACTION_TIMEOUT);
        let mut event = self.recorder.begin(&*self.parts.clock);
        if let Action::Close = request.action {
            let closed = self.close().await;
            return match closed {
                Ok(()) => {
                    let mut result = StepResult::bare(Some(name), Effect::Confirmed, None);
                    result.outcome = Outcome::Closed;
                    result
                }
                Err(error) => StepResult::failed(name, &error),
            };
        }
        let reopened = self.ensure_open(&request.action, deadline).await;
        if grounding == Grounding::Newest && request.action.needs_state() {
            request.state = self.current().or(request.state);
        }
        event.ground(request.state);
        let aim = self.aimed(&request.action).await;
        let done = match reopened {
            Ok(()) => self.dispatch(&request, deadline).await,
            Err(error) => error.into(),
        };
        let mut result = self.finish(&request, done, true).await;
        self.write_down(event, &aim, &request, &mut result);
        result
    }

    /// Notes a call that its caller stopped.
    pub(super) fn stopped(&mut self, request: &Request, result: &mut StepResult) {
        let mut event = self.recorder.begin(&*self.parts.clock);
        event.ground(request.state);
        self.write_down(event, &Aim::default(), request, result);
    }

    /// Opens the browser where an action may, and again where it is gone; states from before are stale then.
    async fn ensure_open(
        &mut self,
        action: &Action,
        deadline: Instant,
    ) -> Result<(), BrowserError> {
        if self.page.as_ref().is_some_and(|page| !page.is_alive()) {
            self.page = None;
        }
        if self.page.is_some() || matches!(action, Action::Report { .. }) {
            return Ok(());
        }
        let opens = matches!(
            action,
            Action::Open { .. } | Action::Observe(_) | Action::Batch(_)
        );
        if !self.opened && !opens {
            return Err(Refusal::NotOpen.into());
        }
        self.machine.spend();
        self.told = None;
        let opened = timeout_at(
            deadline.max(Instant::now() + crate::limits::LAUNCH_TIMEOUT),
            self.parts.driver.open(),
        );
        let page = opened.await.map_err(|_| BrowserError::Timeout {
            what: "starting the browser",
            ms: crate::limits::LAUNCH_TIMEOUT.as_millis() as u64,
            began: false,
        })??;
        if let (Some(header), Some(log)) = (
            self.recorder.launched(&page.capabilities()),
            &self.parts.log,
        ) {
            log.begin(&header).map_err(BrowserError::Persist)?;
        }
        self.page = Some(page);
        self.opened = true;
        Ok(())
    }

    /// Does one step of a batch, and looks.
    pub(super) async fn inner_step(
        &mut self,
        request: &Request,
        deadline: Instant,
    ) -> (StepResult, Option<Acted>) {
        let done = self.dispatch(request, deadline).await;
        let acted = done.acted.clone();
        (self.finish(request, done, false).await, acted)
    }

    async fn dispatch(&mut self, request: &Request, deadline: Instant) -> Done {
        // Looking is never refused for the state that it comes with.
        let looks = matches!(
            request.action,
            Action::Observe(_)
                | Action::Wait(_)
                | Action::Report { .. }
                | Action::Tabs(TabAction::List)
        );
        if let Some(state) = request.state.as_ref().filter(|_| !looks)
            && let Err(refusal) = self.machine.check(state)
        {
            return BrowserError::from(refusal).into();
        }
        let done = match &request.action {
            Action::Observe(look) => Ok(Done {
                look: Some(look.clone()),
                ..Done::default()
            }),
            Action::Tabs(TabAction::List) => Ok(Done::looked()),
            Action::Wait(condition) => self.wait(condition, deadline).await,
            Action::Assert(expectation) => self.assert(expectation, deadline).await,
            Action::Zoom(area) => self.zoom(area, deadline).await,
            Action::Report { name } => self.report(name.as_deref()),
            Action::Batch(steps) => self.batch(request, steps).await,
            action => self.act(action, request.state.as_ref(), deadline).await,
        };
        done.unwrap_or_else(Done::from)
    }

    /// Looks at the page, and makes the result.
    ///
    /// Where nobody is told of it, as within a batch, what was told before stays what changes are compared with.
    async fn finish(&mut self, request: &Request, done: Done, tell: bool) -> StepResult {
        let name = request.action.name();
        let mut result = StepResult::bare(Some(name), Effect::Confirmed, None);
        result.max_bytes = self.parts.settings.max_bytes;
        let stale =
            matches!(&done.error, Some(BrowserError::Refused(refusal)) if refusal.is_stale());
        if matches!(&done.error, Some(BrowserError::Driver(error))
            if matches!(error.kind, DriverErrorKind::Gone(_)))
        {
            self.page = None;
            self.machine.spend();
        }
        let mut error = done.error;
        if let (Some(look), true) = (&done.look, self.page.is_some()) {
            match self.look(look, request, request.image).await {
                Ok((state, delivery, shot)) => {
                    result.delivery = Some(delivery);
                    result.pictures = shot.map(|shot| shot.parts).unwrap_or_default();
                    let whole = stale || matches!(request.action, Action::Observe(_));
                    result.change = self
                        .told
                        .as_ref()
                        .filter(|_| !whole)
                        .and_then(|told| StateChange::between(told, &state));
                    result.rich = !look.is_whole();
                    if !tell {
                        self.keep(state.page.diagnostics.clone());
                    } else if !state.page.scoped {
                        self.told = Some(state.clone());
                    }
                    result.state = Some(state);
                }
                // What was done stays done: the first error is the one to tell.
                Err(looking) => error = error.or(Some(looking)),
            }
        } else {
            result.current = self.current();
        }
        if let Some(shot) = done.shot {
            result.pictures = shot.parts;
        }
        result.outcome = done.outcome;
        result.effect = effect::of(
            &request.action,
            error.as_ref(),
            done.acted.as_ref(),
            &result,
        );
        result.failure = error.as_ref().map(|error| self.failure(error));
        result.ok = result.failure.is_none() && !done.unmet;
        result
    }

    /// Describes an error without secrets.
    pub(super) fn failure(&self, error: &BrowserError) -> Failure {
        let mut failure = Failure::of(error);
        self.secrets.scrub(&mut failure.message);
        failure
    }

    /// Takes one look, with a picture where the policy says so, and makes it the newest state.
    async fn look(
        &mut self,
        look: &Look,
        request: &Request,
        image: Option<bool>,
    ) -> Result<(BrowserState, Delivery, Option<Shot>), BrowserError> {
        let scope = self.scope(look)?;
        let snapshot = self.snapshot(&scope).await?;
        let seen = self.machine.see(snapshot, &self.secrets, !look.is_whole());
        let pictures = &self.parts.settings.pictures;
        let mut delivery = picture::decide(
            pictures.mode,
            image,
            request.action.name(),
            seen.page.quality(),
        );
        let mut shot = None;
        if (delivery.delivered || pictures.every_step) && seen.page.dialog.is_none() {
            match self
                .shoot(&seen, CaptureRequest::default(), delivery.delivered)
                .await
            {
                Ok(taken) => shot = Some(taken),
                // The structure stands without a picture; only a caller that asked for one is told of a failure.
                Err(error) if image == Some(true) => return Err(error),
                Err(_) => delivery.reason = "screenshot-unavailable",
            }
        } else if delivery.delivered {
            delivery.reason = "screenshot-unavailable";
        }
        delivery.delivered &= shot.as_ref().is_some_and(|shot| !shot.parts.is_empty());
        let proof = shot.as_ref().map(|shot| shot.proof);
        let state = self
            .machine
            .note(seen, proof, self.parts.clock.now())
            .clone();
        Ok((state, delivery, shot))
    }

    fn scope(&self, look: &Look) -> Result<Scope, BrowserError> {
        let settings = &self.parts.settings;
        let within = look.within.map(|reference| self.machine.node(reference));
        let region = look.region.map(|region| self.machine.region(region));
        Ok(Scope {
            max_elements: settings.max_elements,
            max_text_chars: settings.max_text_chars,
            within: within.transpose()?.map(|node| node.key),
            region: region.transpose()?,
            find: look.find.clone(),
            whole_text: look.whole_text,
        })
    }

    /// Collects the page, and adds what console and network said in looks that nobody was told of.
    pub(super) async fn snapshot(&mut self, scope: &Scope) -> Result<Snapshot, BrowserError> {
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let limit = SNAPSHOT_TIMEOUT + Duration::from_secs(1);
        let collected = tokio::time::timeout(limit, page.snapshot(scope)).await;
        let mut snapshot = collected.map_err(|_| BrowserError::Timeout {
            what: "looking at the page",
            ms: limit.as_millis() as u64,
            began: false,
        })??;
        let mut said = std::mem::take(&mut self.said);
        add(&mut said, &mut snapshot.diagnostics);
        self.recorder.heard(&snapshot.diagnostics);
        snapshot.diagnostics = said;
        Ok(snapshot)
    }

    /// Keeps what a look heard that nobody is told of.
    pub(super) fn keep(&mut self, mut heard: Diagnostics) {
        add(&mut self.said, &mut heard);
    }

    /// Takes a picture; fields that hold a secret are masked in what is delivered of it.
    pub(super) async fn shoot(
        &mut self,
        seen: &Seen,
        request: CaptureRequest,
        deliver: bool,
    ) -> Result<Shot, BrowserError> {
        let capture = self.capture(request).await?;
        let secret = seen.page.elements.iter().filter(|e| e.flags.secret);
        let masks: Vec<Bounds> = secret.map(|element| element.bounds).collect();
        self.prepared(capture, masks, deliver).await
    }

    pub(super) async fn capture(&self, request: CaptureRequest) -> Result<Capture, BrowserError> {
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let captured = tokio::time::timeout(SNAPSHOT_TIMEOUT, page.capture(&request)).await;
        Ok(
            captured
                .map_err(|_| DriverError::before(DriverErrorKind::Timeout("the picture")))??,
        )
    }

    pub(super) async fn prepared(
        &mut self,
        capture: Capture,
        masks: Vec<Bounds>,
        deliver: bool,
    ) -> Result<Shot, BrowserError> {
        let settings = self.parts.settings.pictures.clone();
        let deliver_parts = deliver || (settings.every_step && self.parts.log.is_some());
        // Decoding and encoding take milliseconds of computing: not on the thread that drives the browser.
        let prepare = move || picture::prepare(capture, &masks, &settings, deliver_parts);
        let mut shot = tokio::task::spawn_blocking(prepare)
            .await
            .map_err(|error| BrowserError::Picture(error.to_string()))??;
        self.keep_shot(&shot)?;
        if !deliver {
            shot.parts.clear();
            shot.proof.delivered = None;
        }
        Ok(shot)
    }
}

/// Adds `more` to what was said; the newest lines stay.
fn add(said: &mut Diagnostics, more: &mut Diagnostics) {
    said.console_total = said.console_total.saturating_add(more.console_total);
    said.failed_total = said.failed_total.saturating_add(more.failed_total);
    said.request_total = said.request_total.saturating_add(more.request_total);
    said.console.append(&mut more.console.clone());
    said.requests.append(&mut more.requests.clone());
    keep_last(&mut said.console);
    keep_last(&mut said.requests);
}
