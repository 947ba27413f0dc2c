//! Actions that change something: plan, look up, commit, perform, settle.

use std::time::Duration;

use eyes_evidence::{digest::Sha256Digest, state::StateId};
use tokio::time::{Instant, timeout_at};

use super::{
    AssertionRecord, BatchStep, Effect, Outcome,
    core::{Core, Done},
    effect::Acted,
};
use crate::{
    action::{Action, Input, Request, Step, ZoomArea},
    driver::{
        Bounds, CaptureRequest, Command, Node, Performed, Query, ScrollSpec, Settle, Settled, Spot,
        TypedText,
    },
    error::BrowserError,
    limits::SHORT_SIGN,
    machine::{Aim, Refusal, Resolved},
};

impl Core {
    /// Does one action that changes something.
    pub(super) async fn act(
        &mut self,
        action: &Action,
        state: Option<&StateId>,
        deadline: Instant,
    ) -> Result<Done, BrowserError> {
        let draft = self.machine.plan(action, state)?;
        let resolved = self
            .resolve(draft.aims().to_vec(), action, deadline)
            .await?;
        let command = self.machine.commit(&draft, action, resolved)?;
        let performed = self.perform(&command, deadline).await?;
        let settled = self.settle(&command, &performed, deadline).await?;
        let mut done = Done::looked();
        done.outcome = self.outcome(&performed)?;
        done.acted = Some(Acted { performed, settled });
        Ok(done)
    }

    fn outcome(&self, performed: &Performed) -> Result<Outcome, BrowserError> {
        if let Some(file) = &performed.bytes {
            if let Some(artifacts) = &self.parts.artifacts {
                artifacts
                    .put(file)
                    .map_err(|error| BrowserError::Persist(error.to_string()))?;
            }
            return Ok(Outcome::Pdf {
                sha256: Sha256Digest::of(file),
                bytes: file.len() as u64,
                file: file.clone(),
            });
        }
        if performed.selected.is_empty() {
            return Ok(Outcome::None);
        }
        let options = performed.selected.iter();
        let options = options.map(|text| self.secrets.clean(text).into_owned());
        Ok(Outcome::Selected {
            options: options.collect(),
        })
    }

    /// Looks up targets, secrets and files.
    async fn resolve(
        &mut self,
        aims: Vec<Aim>,
        action: &Action,
        deadline: Instant,
    ) -> Result<Resolved, BrowserError> {
        let mut spots = Vec::with_capacity(aims.len());
        for aim in aims {
            spots.push(match aim {
                Aim::Known(spot) => spot,
                Aim::Search { query, nth } => {
                    let found = self.find(&query, deadline).await?;
                    Spot::Node(self.machine.choose(&query, nth, &found)?)
                }
            });
        }
        let text = match action {
            Action::Type { value, .. } => Some(self.input(value)?),
            Action::Dialog { text, .. } => {
                text.as_ref().map(|text| self.input(text)).transpose()?
            }
            _ => None,
        };
        let mut files = Vec::new();
        if let Action::Upload { files: asked, .. } = action {
            for file in asked {
                let admitted = self.parts.uploads.admit(file);
                files.push(
                    admitted.map_err(|why| Refusal::File(format!("{}: {why}", file.display())))?,
                );
            }
        }
        Ok(Resolved { spots, text, files })
    }

    /// Returns the text to type; a secret one is known from now on, so that it is taken out of every text.
    fn input(&mut self, input: &Input) -> Result<TypedText, Refusal> {
        let text = match input {
            Input::Literal(text) => text.clone(),
            Input::Env(name) => {
                let secret = self.parts.secrets.secret(name);
                let secret = secret.ok_or_else(|| Refusal::NoSecret(name.clone()))?;
                TypedText::new(secret.expose(), true)
            }
        };
        if text.is_secret() && !self.secrets.learn(text.expose()) {
            return Err(Refusal::SecretLimit);
        }
        Ok(text)
    }

    pub(super) async fn find(
        &self,
        query: &Query,
        deadline: Instant,
    ) -> Result<Vec<Node>, BrowserError> {
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let found = timeout_at(deadline, page.find(query)).await;
        Ok(found.map_err(|_| late("finding the target", false))??)
    }

    async fn perform(
        &self,
        command: &Command,
        deadline: Instant,
    ) -> Result<Performed, BrowserError> {
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let performed = timeout_at(deadline, page.perform(command)).await;
        Ok(performed.map_err(|_| late("the action", true))??)
    }

    async fn settle(
        &self,
        command: &Command,
        performed: &Performed,
        deadline: Instant,
    ) -> Result<Settled, BrowserError> {
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let settings = &self.parts.settings;
        let left = deadline.saturating_duration_since(Instant::now());
        let settle = Settle {
            quiet: settings.quiet,
            first_sign: first_sign(command, performed, settings.first_sign),
            cap: settings.settle_cap.min(left),
        };
        if matches!(command, Command::Pdf) {
            return Ok(Settled::default());
        }
        // A driver keeps to the cap itself; this is for one that hangs.
        let limit = settle.cap + Duration::from_secs(1);
        match tokio::time::timeout(limit, page.settle(&settle)).await {
            Ok(settled) => settled.map_err(|mut error| {
                error.began = true;
                error.into()
            }),
            Err(_) => Err(late("settling", true)),
        }
    }

    /// Takes a picture of a part; the state stays the newest.
    pub(super) async fn zoom(
        &mut self,
        area: &ZoomArea,
        deadline: Instant,
    ) -> Result<Done, BrowserError> {
        let region = match area {
            ZoomArea::Region(region) => self.machine.region(*region)?,
            ZoomArea::Element(reference) => {
                let key = self.machine.node(*reference)?.key;
                let found = self.find(&Query::Key(key), deadline).await?;
                let node = found.first().ok_or(Refusal::RefNotFound(*reference))?;
                node.bounds
            }
        };
        let request = CaptureRequest {
            region: Some(region),
        };
        let capture = self.capture(request).await?;
        let (origin, scale) = (capture.origin, capture.scale);
        let masks: Vec<Bounds> = self.machine.newest().map_or_else(Vec::new, |state| {
            let secret = state.page.elements.iter().filter(|e| e.flags.secret);
            secret.map(|element| element.bounds).collect()
        });
        let shot = self.prepared(capture, masks, true).await?;
        Ok(Done {
            outcome: Outcome::Zoom { origin, scale },
            shot: Some(shot),
            ..Done::default()
        })
    }
}

/// A deadline that passed.
pub(super) const fn late(what: &'static str, began: bool) -> BrowserError {
    BrowserError::Driver(crate::driver::DriverError {
        kind: crate::driver::DriverErrorKind::Timeout(what),
        began,
    })
}

/// How long to wait for a first sign: shortly where the driver saw the effect itself.
fn first_sign(command: &Command, performed: &Performed, usual: Duration) -> Duration {
    let brief = match command {
        Command::Hover(_)
        | Command::KeyDown(_)
        | Command::KeyUp(_)
        | Command::Scroll(ScrollSpec::By { .. } | ScrollSpec::To(_))
        | Command::SwitchTab(_)
        | Command::CloseTab(_)
        | Command::Navigate { .. } => true,
        Command::Type { submit, .. } => !submit && performed.verified == Some(true),
        Command::Check { .. } | Command::Select { .. } | Command::Upload { .. } => {
            performed.verified == Some(true)
        }
        _ => false,
    };
    if brief { usual.min(SHORT_SIGN) } else { usual }
}

/// Why a batch does not go on.
fn surprise(step: &Step, before: &Watch, after: &Watch, last: &BatchStep) -> Option<&'static str> {
    if last.failure.is_some() {
        return Some(if last.effect == Effect::Refused {
            "a step was refused"
        } else {
            "a step failed"
        });
    }
    if !last.ok {
        return Some("an assertion does not hold");
    }
    if after.dialog {
        return Some("a dialog opened");
    }
    if after.tabs > before.tabs {
        return Some("a tab opened");
    }
    let announced = step.navigates || step.action.navigates();
    if after.document != before.document && !announced {
        return Some("the page changed to another document");
    }
    None
}

/// What a batch watches between its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Watch {
    document: Option<crate::driver::DocumentId>,
    dialog: bool,
    tabs: usize,
}

impl Core {
    fn watch(&self) -> Watch {
        let page = self.machine.newest().map(|state| &state.page);
        Watch {
            document: page.map(|page| page.document),
            dialog: page.is_some_and(|page| page.dialog.is_some()),
            tabs: page.map_or(0, |page| page.tabs.len()),
        }
    }

    /// Does steps one after the other, looks after each, and stops at the first surprise.
    pub(super) async fn batch(
        &mut self,
        request: &Request,
        steps: &[Step],
    ) -> Result<Done, BrowserError> {
        match &request.state {
            Some(state) => self.machine.check(state)?,
            None if self.machine.newest().is_some() => return Err(Refusal::Ungrounded.into()),
            None => {}
        }
        let mut ran: Vec<BatchStep> = Vec::new();
        let mut stopped = None;
        let mut acted = None;
        for (at, step) in steps.iter().enumerate() {
            let before = self.watch();
            let (record, done) = self.batch_step(step).await;
            acted = acted.or(done);
            let why = surprise(step, &before, &self.watch(), &record);
            ran.push(record);
            // After the last step there is nothing to stop.
            let failed = ran.last().is_some_and(|step| !step.ok);
            if why.is_some() && (failed || at + 1 < steps.len()) {
                stopped = why;
                break;
            }
        }
        let mut done = Done::looked();
        done.unmet = ran.iter().any(|step| !step.ok) || stopped.is_some();
        done.acted = acted;
        done.outcome = Outcome::Batch {
            steps: ran,
            total: steps.len(),
            stopped,
        };
        Ok(done)
    }

    /// Does one step as a call of its own on the newest state, without a picture.
    async fn batch_step(&mut self, step: &Step) -> (BatchStep, Option<Acted>) {
        let request = Request {
            action: step.action.clone(),
            state: if step.action.needs_state() {
                self.current()
            } else {
                None
            },
            image: Some(false),
            timeout: step.timeout,
        };
        let limit = step.timeout.unwrap_or(self.parts.settings.timeout);
        let (result, acted) = Box::pin(self.inner_step(&request, Instant::now() + limit)).await;
        let assertion: Option<AssertionRecord> = match result.outcome {
            Outcome::Assertion(record) => Some(record),
            _ => None,
        };
        let record = BatchStep {
            action: step.action.name(),
            ok: result.ok,
            effect: result.effect,
            failure: result.failure,
            assertion,
        };
        (record, acted)
    }
}
