//! Sessions over a scripted browser.

mod acting;
mod looking;
mod order;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::{
    state::RunId,
    store::{StoreBounds, artifact::MemoryArtifacts},
    testing::{CountingRandom, FixedClock},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    action::{Request, parse},
    secret::Secret,
    testing::{Change, ElementScript, PageScript, ScriptedBrowser},
};

pub(super) const HOME: &str = "https://a.test/";
pub(super) const NEXT: &str = "https://a.test/next";

/// The one variable that these tests know.
#[derive(Debug)]
struct OneSecret;

impl SecretSource for OneSecret {
    fn secret(&self, name: &str) -> Option<Secret> {
        (name == "PASSWORD").then(|| Secret::new("correct horse battery"))
    }
}

/// Everything below one folder.
#[derive(Debug)]
struct OneFolder;

impl UploadRule for OneFolder {
    fn admit(&self, path: &Path) -> Result<PathBuf, String> {
        path.starts_with("/up")
            .then(|| path.to_owned())
            .ok_or_else(|| "it is outside of /up".to_owned())
    }
}

pub(super) struct Bench {
    pub(super) browser: ScriptedBrowser,
    pub(super) session: Arc<Session>,
}

/// The page that most tests open.
pub(super) fn home() -> PageScript {
    let say = |text: &str| vec![Change::Text(vec![text.to_owned()])];
    PageScript {
        title: "Home".to_owned(),
        elements: vec![
            ElementScript::button("save", "Save draft", say("saved")),
            ElementScript::button("delete", "Delete account", say("deleted")),
            ElementScript::field("name", "Name"),
            ElementScript::password("pass", "Password"),
            ElementScript::checkbox("terms", "Terms"),
            ElementScript::select("plan", "Plan", &["Basic", "Pro"]),
            ElementScript::button("go", "Go on", vec![Change::Goto(NEXT.to_owned())]),
            ElementScript::button("dead", "Nothing", Vec::new()),
        ],
        text: vec!["idle".to_owned()],
        pictorial: 0.0,
    }
}

impl Bench {
    pub(super) fn with(change: impl FnOnce(&mut SessionParts)) -> Self {
        let next = PageScript {
            title: "Next".to_owned(),
            elements: vec![ElementScript::button("back", "Go back", Vec::new())],
            text: vec!["You have arrived at the second page of this site".to_owned()],
            pictorial: 0.0,
        };
        let browser = ScriptedBrowser::new([(HOME, home()), (NEXT, next)]);
        let mut parts = SessionParts::new(
            RunId::new("run-1").unwrap(),
            Arc::new(browser.clone()),
            Arc::new(FixedClock),
            Arc::new(CountingRandom::default()),
        );
        parts.secrets = Arc::new(OneSecret);
        parts.uploads = Arc::new(OneFolder);
        parts.artifacts = Some(Arc::new(MemoryArtifacts::new(StoreBounds::default())));
        change(&mut parts);
        Self {
            browser,
            session: Arc::new(Session::new(parts)),
        }
    }

    pub(super) async fn opened() -> Self {
        let bench = Self::with(|_| {});
        let result = bench.call(json!({"action": "open", "url": HOME})).await;
        assert!(result.ok, "{}", result.text());
        bench
    }

    /// Does one call as a model does: with the id of the newest state, unless the call names one.
    pub(super) async fn call(&self, mut call: Value) -> StepResult {
        if call.get("stateId").is_none()
            && let Some(id) = self.session.newest().await
        {
            call["stateId"] = json!(id);
        }
        self.raw(&call).await
    }

    pub(super) async fn raw(&self, call: &Value) -> StepResult {
        let cancel = CancellationToken::new();
        let result = self.session.run_json(call, &cancel).await;
        // Every result can be written in both forms.
        assert!(result.text().starts_with(crate::state::MARKER));
        assert!(serde_json::to_value(&result).unwrap().is_object());
        result
    }

    /// Looks, and returns the ref of the element with this name.
    pub(super) async fn reference(&self, name: &str) -> String {
        let result = self.raw(&json!({"action": "observe"})).await;
        let state = result.state.expect("a look has a state");
        let mut elements = state.page.elements.iter();
        let found = elements.find(|e| e.name == name).expect("it is there");
        found.reference.to_string()
    }
}

pub(super) fn code(result: &StepResult) -> &'static str {
    result
        .code()
        .map_or("", eyes_evidence::code::ErrorCode::as_str)
}

pub(super) fn request(call: &Value) -> Request {
    parse(call, ParseMode::Script).unwrap()
}
