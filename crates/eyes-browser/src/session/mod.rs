//! The session: one browser, one action at a time, each answered with a fresh state.

mod act;
mod check;
mod core;
mod effect;
mod result;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod wait;
mod write;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use eyes_evidence::{
    ports::{ArtifactStore, Clock, RandomSource},
    state::{RunId, StateId},
};
pub use result::{AssertionRecord, BatchStep, Effect, Failure, Outcome, StepResult};
use serde_json::Value;
pub use settings::SessionSettings;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use self::core::Core;
use crate::{
    action::{ActionName, ParseMode, Request, parse},
    error::BrowserError,
    ports::{BrowserDriver, RunLog, SecretSource, UploadRule},
    secret::Nothing,
};

/// What a session is made of.
#[derive(Debug, Clone)]
pub struct SessionParts {
    /// The identity of the run.
    pub run: RunId,
    /// Where browsers come from.
    pub driver: Arc<dyn BrowserDriver>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where the key of the run comes from.
    pub random: Arc<dyn RandomSource>,
    /// Where secrets come from.
    pub secrets: Arc<dyn SecretSource>,
    /// Which files may be uploaded.
    pub uploads: Arc<dyn UploadRule>,
    /// Where original pictures and PDFs are kept, private.
    pub artifacts: Option<Arc<dyn ArtifactStore>>,
    /// Where the run is written down.
    pub log: Option<Arc<dyn RunLog>>,
    /// How it looks and waits.
    pub settings: SessionSettings,
}

impl SessionParts {
    /// Makes the parts of a session without secrets, uploads, artifacts and log.
    pub fn new(
        run: RunId,
        driver: Arc<dyn BrowserDriver>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn RandomSource>,
    ) -> Self {
        Self {
            run,
            driver,
            clock,
            random,
            secrets: Arc::new(Nothing),
            uploads: Arc::new(Nothing),
            artifacts: None,
            log: None,
            settings: SessionSettings::default(),
        }
    }
}

/// One browser and the calls on it, one after the other.
///
/// The browser is opened by the first action that needs one, and again when it is gone; ids of states are stale
/// then. Calls wait for each other, and a call is checked against the state that is the newest when its turn comes:
/// of two calls on one state one runs. A call that is dropped or cancelled stops the action and not the browser.
#[derive(Debug)]
pub struct Session {
    core: Mutex<Core>,
}

impl Session {
    /// Begins a session; no browser is opened yet.
    pub fn new(parts: SessionParts) -> Self {
        Self {
            core: Mutex::new(Core::new(parts)),
        }
    }

    /// Does one call; every outcome, refusals and failures too, is a result.
    pub async fn run(&self, request: Request, cancel: &CancellationToken) -> StepResult {
        self.turn(request, Grounding::Given, cancel).await
    }

    /// Does one step of a script, grounded in the state that is the newest when its turn comes.
    ///
    /// For scripts that were written beforehand and run alone; a caller that decides by what it saw uses
    /// [`run`](Self::run).
    pub async fn run_newest(&self, request: Request, cancel: &CancellationToken) -> StepResult {
        self.turn(request, Grounding::Newest, cancel).await
    }

    /// Does one call whose arguments are JSON; arguments that are none are a refusal by their code.
    pub async fn run_json(&self, arguments: &Value, cancel: &CancellationToken) -> StepResult {
        match parse(arguments, ParseMode::Grounded) {
            Ok(request) => self.run(request, cancel).await,
            Err(error) => {
                let name = arguments.get("action").and_then(Value::as_str);
                let name = name.and_then(ActionName::find);
                let mut result = StepResult::bare(name, Effect::Refused, Some(Failure::of(&error)));
                result.current = self.newest().await;
                result
            }
        }
    }

    /// Returns the id of the state that the next action is grounded in; waits for the running call.
    pub async fn newest(&self) -> Option<StateId> {
        self.core.lock().await.current()
    }

    /// Ends the browser that the session started; later calls are `BROWSER_SESSION_CLOSED`.
    pub async fn close(&self) -> Result<(), BrowserError> {
        self.core.lock().await.close().await
    }

    async fn turn(
        &self,
        request: Request,
        grounding: Grounding,
        cancel: &CancellationToken,
    ) -> StepResult {
        let begun = AtomicBool::new(false);
        let call = request.clone();
        let step = async {
            let mut core = self.core.lock().await;
            begun.store(true, Ordering::Relaxed);
            core.step(call, grounding).await
        };
        // Dropping the step releases the lock and stops the command; the state it was on is spent.
        let done = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            result = Box::pin(step) => Some(result),
        };
        if let Some(result) = done {
            return result;
        }
        let mut result = StepResult::failed(request.action.name(), &BrowserError::Stopped);
        if !begun.load(Ordering::Relaxed) {
            result.effect = Effect::Refused;
        } else if let Ok(mut core) = self.core.try_lock() {
            // Where another call runs already, the caller that stopped this one does not wait for it.
            core.stopped(&request, &mut result);
        }
        result
    }
}

/// What an action is grounded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grounding {
    /// The state that the call names.
    Given,
    /// The newest.
    Newest,
}
