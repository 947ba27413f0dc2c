//! The connection with what is known of the browser: asking documents, and waiting for what events tell.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::{sync::watch, time::Instant};

use super::{
    client::{CdpError, Client, Reply},
    download::Downloads,
    world::{DocumentState, World},
};
use crate::{
    adapter::{
        launch::LaunchConfig,
        script::{self, Answer, Refusal},
    },
    driver::{DialogKind, DocumentId, DriverError, DriverErrorKind, Key, NodeKey},
    limits::CALL_TIMEOUT,
};

/// The browser as all parts of the driver share it.
#[derive(Debug)]
pub(super) struct Browser {
    pub(super) client: Client,
    pub(super) world: Arc<Mutex<World>>,
    /// Moves whenever the world changed.
    pub(super) changes: watch::Receiver<u64>,
    pub(super) config: LaunchConfig,
    pub(super) downloads: Arc<Downloads>,
    /// Keys that are held.
    pub(super) held: Mutex<Vec<Key>>,
}

/// A document did not answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// It is no longer shown.
    Gone,
    /// A dialog holds it up.
    Dialog,
    /// Anything else.
    Failed(DriverErrorKind),
}

impl From<CdpError> for DriverErrorKind {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::Closed => Self::Gone("its connection is closed".to_owned()),
            CdpError::Timeout(method) => Self::Timeout(method),
            CdpError::Refused { code: -32001, .. } => Self::Gone("its tab is closed".to_owned()),
            error @ CdpError::Refused { .. } => Self::Protocol(error.to_string()),
        }
    }
}

impl From<CdpError> for DriverError {
    fn from(error: CdpError) -> Self {
        Self::before(error.into())
    }
}

impl From<Unanswered> for DriverErrorKind {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Gone => Self::NodeGone,
            Unanswered::Dialog => Self::DialogOpen(String::new()),
            Unanswered::Failed(kind) => kind,
        }
    }
}

impl From<Unanswered> for DriverError {
    fn from(unanswered: Unanswered) -> Self {
        Self::before(unanswered.into())
    }
}

impl From<Refusal> for DriverErrorKind {
    fn from(refusal: Refusal) -> Self {
        let say = || refusal.say.clone().unwrap_or_default();
        match refusal.no.as_str() {
            "gone" => Self::NodeGone,
            "changed" => Self::NodeChanged {
                now: refusal.now.unwrap_or_default(),
            },
            "hidden" => Self::NotVisible,
            "disabled" => Self::Disabled,
            "covered" => Self::Covered {
                by: refusal.by.unwrap_or_default(),
            },
            "option" => Self::OptionMissing(say()),
            "wrong" => Self::WrongElement(say()),
            other => Self::Protocol(format!("the script refused with {other:?}")),
        }
    }
}

impl Browser {
    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_alive(&self) -> bool {
        !self.client.closed().is_cancelled() && !self.world().tabs.is_empty()
    }

    /// Waits until `look` finds something in the world; nothing after `time`, or when the browser is gone.
    pub(super) async fn until<T>(
        &self,
        time: Duration,
        mut look: impl FnMut(&mut World) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + time;
        let mut changes = self.changes.clone();
        loop {
            changes.mark_unchanged();
            if let Some(found) = look(&mut self.world()) {
                return Some(found);
            }
            tokio::select! {
                changed = changes.changed() => changed.ok()?,
                () = self.client.closed().cancelled() => return None,
                () = tokio::time::sleep_until(deadline) => return None,
            }
        }
    }

    /// Returns the session of the page's tab.
    pub(super) fn page_session(&self) -> Result<String, DriverErrorKind> {
        let world = self.world();
        let gone = |why: &str| DriverErrorKind::Gone(why.to_owned());
        if self.client.closed().is_cancelled() {
            return Err(gone("its connection is closed"));
        }
        let (_, tab) = world.page().ok_or_else(|| gone("every tab is closed"))?;
        if tab.crashed {
            return Err(gone(
                "the tab has crashed; close it, or open an address anew",
            ));
        }
        tab.session
            .clone()
            .ok_or_else(|| gone("the tab is not ready"))
    }

    /// Refuses while a dialog is open.
    pub(super) fn no_dialog(&self) -> Result<(), DriverErrorKind> {
        match self.world().page().and_then(|(_, tab)| tab.dialog.as_ref()) {
            Some(open) => {
                let kind = match open.dialog.kind {
                    DialogKind::Alert => "alert",
                    DialogKind::Confirm => "confirm",
                    DialogKind::Prompt => "prompt",
                    DialogKind::Beforeunload => "beforeunload",
                };
                Err(DriverErrorKind::DialogOpen(format!(
                    "{kind} {:?}",
                    open.dialog.message
                )))
            }
            None => Ok(()),
        }
    }

    pub(super) fn document(&self, id: DocumentId) -> Option<DocumentState> {
        self.world().documents.get(&id).cloned()
    }

    /// Returns the document of an element that commands may go to: one of the page's tab.
    pub(super) fn document_of(&self, key: NodeKey) -> Result<DocumentState, DriverErrorKind> {
        let world = self.world();
        world
            .documents
            .get(&key.document)
            .filter(|document| world.page == Some(document.tab))
            .cloned()
            .ok_or(DriverErrorKind::NodeGone)
    }

    /// Sends a script call to a document, to be waited for later.
    pub(super) fn ask(&self, document: &DocumentState, expression: &str) -> Reply {
        let params = json!({
            "expression": expression, "uniqueContextId": document.unique,
            "returnByValue": true, "awaitPromise": true,
        });
        self.client
            .start(Some(&document.session), "Runtime.evaluate", &params)
    }

    /// Calls one of the script's functions in a document and reads its answer.
    pub(super) async fn eval<T: DeserializeOwned>(
        &self,
        document: &DocumentState,
        expression: &str,
        time: Duration,
    ) -> Result<T, Unanswered> {
        let text = self.eval_text(document, expression, time).await?;
        serde_json::from_str(&text).map_err(|error| {
            Unanswered::Failed(DriverErrorKind::Protocol(format!(
                "the script's answer is none: {error}"
            )))
        })
    }

    async fn eval_text(
        &self,
        document: &DocumentState,
        expression: &str,
        time: Duration,
    ) -> Result<String, Unanswered> {
        let mut value = self.answer(document, expression, time).await?;
        let missing = value["exceptionDetails"]["exception"]["description"]
            .as_str()
            .is_some_and(|text| text.contains("__eyes is not defined"));
        if missing {
            self.answer(document, script::source(), time).await?;
            value = self.answer(document, expression, time).await?;
        }
        if let Value::String(text) = value["result"]["value"].take() {
            return Ok(text);
        }
        let details = &value["exceptionDetails"];
        let why = details["exception"]["description"]
            .as_str()
            .or_else(|| details["text"].as_str());
        let why: String = why.unwrap_or("no text").chars().take(300).collect();
        Err(Unanswered::Failed(DriverErrorKind::Protocol(format!(
            "the script failed: {why}"
        ))))
    }

    async fn answer(
        &self,
        document: &DocumentState,
        expression: &str,
        time: Duration,
    ) -> Result<Value, Unanswered> {
        let reply = self.ask(document, expression);
        let tab = document.tab;
        let dialog = self.until(time, |world| {
            world
                .tabs
                .get(&tab)
                .is_none_or(|tab| tab.dialog.is_some())
                .then_some(())
        });
        let answer = tokio::select! {
            biased;
            answer = reply.within(time) => answer,
            Some(()) = dialog => return Err(Unanswered::Dialog),
        };
        answer.map_err(|error| match error {
            CdpError::Refused { .. } => Unanswered::Gone,
            error => Unanswered::Failed(error.into()),
        })
    }

    /// Calls a function that may refuse.
    pub(super) async fn try_call<T: DeserializeOwned>(
        &self,
        document: &DocumentState,
        expression: &str,
    ) -> Result<T, DriverErrorKind> {
        let answer = self.eval(document, expression, CALL_TIMEOUT).await;
        match answer? {
            Answer::Yes(yes) => Ok(yes),
            Answer::No(no) => Err(no.into()),
        }
    }

    /// Returns an element as an object of the protocol.
    pub(super) async fn object(
        &self,
        document: &DocumentState,
        node: u32,
    ) -> Result<String, DriverErrorKind> {
        let params = json!({
            "expression": script::call("node", &[node]), "uniqueContextId": document.unique,
        });
        let answer = self
            .client
            .call(Some(&document.session), "Runtime.evaluate", &params)
            .await;
        let value = answer.map_err(|error| match error {
            CdpError::Refused { .. } => DriverErrorKind::NodeGone,
            error => error.into(),
        })?;
        value["result"]["objectId"]
            .as_str()
            .map(str::to_owned)
            .ok_or(DriverErrorKind::NodeGone)
    }

    /// Returns the documents of the page's tab, the main one first.
    pub(super) fn page_documents(&self) -> Vec<(DocumentId, DocumentState)> {
        let world = self.world();
        let Some((id, _)) = world.page() else {
            return Vec::new();
        };
        let main = world.main_document().map(|(id, _)| id);
        let mut seen = BTreeSet::new();
        main.into_iter()
            .chain(
                world
                    .documents
                    .iter()
                    .filter(|(_, d)| d.tab == id)
                    .map(|(id, _)| *id),
            )
            .filter(|id| seen.insert(*id))
            .filter_map(|id| {
                world
                    .documents
                    .get(&id)
                    .map(|document| (id, document.clone()))
            })
            .take(crate::limits::MAX_FRAMES)
            .collect()
    }
}
