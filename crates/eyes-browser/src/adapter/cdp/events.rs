//! What the browser's events change in the [`World`].

use serde_json::{Value, json};

use super::{
    client::Event,
    world::{Chooser, DocumentState, Effects, FrameState, OpenDialog, TabState, World},
};
use crate::{
    driver::{ConsoleEntry, ConsoleLevel, Dialog, DialogKind, RequestFailure, TabId},
    limits::{
        MAX_DIAGNOSTIC_CHARS, MAX_DIALOG_CHARS, MAX_IN_FLIGHT, MAX_TITLE_CHARS, MAX_URL_CHARS,
    },
};

/// The name of the script's world beside the page.
pub(super) const SCRIPT_WORLD: &str = "eyes";

/// What has to be sent or started because of an event.
#[derive(Debug)]
pub(super) enum Reaction {
    /// A page of ours, or a frame in a process of its own, waits to be set up.
    SetUp { session: String, is_page: bool },
    /// A tab that a tab of ours opened in a browser that is not ours.
    Attach { target: String },
    /// A document is asked for.
    Judge { session: String, params: Value },
    /// A document came from an address that its name had led to.
    Arrived {
        tab: TabId,
        session: String,
        url: String,
        address: String,
    },
    /// Something about a download.
    Download { begins: bool, params: Value },
}

pub(super) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

pub(super) fn bounded(value: &Value, max: usize) -> String {
    value
        .as_str()
        .unwrap_or_default()
        .chars()
        .take(max)
        .collect()
}

impl World {
    /// Takes an event in.
    pub(super) fn take(&mut self, event: &Event) -> Option<Reaction> {
        let params = &event.params;
        let domain = event.method.split('.').next().unwrap_or_default();
        match domain {
            "Target" => return self.target_event(event),
            "Page" => self.page_event(event),
            "Runtime" => self.runtime_event(event),
            "Network" => return self.network_event(event),
            "Fetch" if event.method == "Fetch.requestPaused" => {
                return Some(Reaction::Judge {
                    session: event.session.clone()?,
                    params: params.clone(),
                });
            }
            "Browser" => {
                let begins = event.method == "Browser.downloadWillBegin";
                self.effects.settled.surroundings |= begins;
                return Some(Reaction::Download {
                    begins,
                    params: params.clone(),
                });
            }
            "Input" => self.effects.drag = Some(params["data"].clone()),
            "Inspector" if event.method == "Inspector.targetCrashed" => {
                if let Some((id, tab)) = self.tab_of_session(event.session.as_deref()) {
                    tab.crashed = true;
                    tab.dialog = None;
                    self.remove_documents(|document| document.tab == id);
                }
            }
            _ => {}
        }
        None
    }

    fn target_event(&mut self, event: &Event) -> Option<Reaction> {
        let params = &event.params;
        let info = &params["targetInfo"];
        let target = info["targetId"].as_str().unwrap_or_default();
        match event.method.as_str() {
            "Target.attachedToTarget" => {
                let session = text(params, "sessionId");
                let is_page = info["type"] == "page";
                let tab = if is_page {
                    let id = self.add_tab(target, info["openerId"].as_str());
                    let tab = self.tabs.get_mut(&id)?;
                    tab.session = Some(session.clone());
                    tab.url = bounded(&info["url"], MAX_URL_CHARS);
                    id
                } else {
                    self.tab_of_session(event.session.as_deref())?.0
                };
                self.sessions.insert(session.clone(), tab);
                return Some(Reaction::SetUp { session, is_page });
            }
            "Target.targetCreated" if !self.owns_browser && info["type"] == "page" => {
                self.tab_of_target(info["openerId"].as_str()?)?;
                return Some(Reaction::Attach {
                    target: target.to_owned(),
                });
            }
            "Target.targetInfoChanged" => {
                let id = self.tab_of_target(target)?;
                let tab = self.tabs.get_mut(&id)?;
                tab.url = bounded(&info["url"], MAX_URL_CHARS);
                tab.title = bounded(&info["title"], MAX_TITLE_CHARS);
            }
            "Target.targetDestroyed" => {
                let id = self.tab_of_target(params["targetId"].as_str()?)?;
                self.remove_tab(id);
            }
            "Target.detachedFromTarget" => {
                let session = text(params, "sessionId");
                let tab = self.sessions.remove(&session)?;
                self.remove_documents(|document| document.session == session);
                if self.tabs.get(&tab)?.session.as_deref() == Some(session.as_str()) {
                    self.remove_tab(tab);
                }
            }
            _ => {}
        }
        None
    }

    fn page_event(&mut self, event: &Event) {
        let params = &event.params;
        let page = self.page;
        let session = event.session.clone().unwrap_or_default();
        let Some((id, tab)) = self.tab_of_session(event.session.as_deref()) else {
            return;
        };
        let frame_id = text(params, "frameId");
        let is_page = page == Some(id);
        let mut sign = false;
        match event.method.as_str() {
            "Page.frameAttached" => {
                let parent = params["parentFrameId"].as_str().map(str::to_owned);
                tab.frames.entry(frame_id).or_default().parent = parent;
            }
            "Page.frameNavigated" => {
                tab.navigated(&params["frame"]);
            }
            "Page.frameDetached" if params["reason"] != "swap" => self.remove_frame(id, &frame_id),
            "Page.frameStartedLoading" | "Page.frameStoppedLoading" => {
                let frame = tab.frames.entry(frame_id).or_default();
                frame.loading = event.method == "Page.frameStartedLoading";
                frame.navigating &= frame.loading;
            }
            "Page.frameRequestedNavigation" | "Page.frameStartedNavigating" => {
                let to_other_document = params["navigationType"] != "sameDocument"
                    && params["disposition"]
                        .as_str()
                        .is_none_or(|to| to == "currentTab");
                if to_other_document && let Some(frame) = tab.frames.get_mut(&frame_id) {
                    frame.navigating = true;
                }
            }
            "Page.navigatedWithinDocument" => {
                sign = is_page;
                if let Some(frame) = tab.frames.get_mut(&frame_id) {
                    frame.url = bounded(&params["url"], MAX_URL_CHARS);
                    frame.navigating = false;
                }
            }
            "Page.javascriptDialogOpening" => {
                tab.dialog = Some(OpenDialog {
                    session,
                    dialog: dialog(params),
                });
                self.effects.settled.surroundings = true;
            }
            "Page.javascriptDialogClosed" => tab.dialog = None,
            "Page.fileChooserOpened" => {
                tab.chooser = params["backendNodeId"].as_i64().map(|element| Chooser {
                    session,
                    element,
                    multiple: params["mode"] == "selectMultiple",
                });
                self.effects.settled.surroundings = true;
            }
            _ => {}
        }
        self.effects.settled.mutated |= sign;
    }

    fn runtime_event(&mut self, event: &Event) {
        let params = &event.params;
        let session = event.session.clone().unwrap_or_default();
        match event.method.as_str() {
            "Runtime.executionContextCreated" => {
                let context = &params["context"];
                let Some(tab) = self.sessions.get(&session).copied() else {
                    return;
                };
                if context["name"] != SCRIPT_WORLD {
                    return;
                }
                self.add_document(DocumentState {
                    tab,
                    frame: text(&context["auxData"], "frameId"),
                    session,
                    context: context["id"].as_i64().unwrap_or_default(),
                    unique: text(context, "uniqueId"),
                });
            }
            "Runtime.executionContextDestroyed" => {
                let gone = params["executionContextId"].as_i64();
                self.remove_documents(|document| {
                    document.session == session && Some(document.context) == gone
                });
            }
            "Runtime.executionContextsCleared" => {
                self.remove_documents(|document| document.session == session);
            }
            "Runtime.consoleAPICalled" => {
                let level = match params["type"].as_str() {
                    Some("warning") => ConsoleLevel::Warning,
                    Some("error" | "assert") => ConsoleLevel::Error,
                    _ => return,
                };
                let arguments = params["args"].as_array().map_or(&[][..], Vec::as_slice);
                let words: Vec<String> = arguments.iter().map(shown).collect();
                self.console(event, level, &words.join(" "));
            }
            "Runtime.exceptionThrown" => {
                let details = &params["exceptionDetails"];
                let text = details["exception"]["description"]
                    .as_str()
                    .or_else(|| details["text"].as_str())
                    .unwrap_or_default()
                    .to_owned();
                self.console(event, ConsoleLevel::Exception, &text);
            }
            _ => {}
        }
    }

    fn console(&mut self, event: &Event, level: ConsoleLevel, said: &str) {
        if let Some((_, tab)) = self.tab_of_session(event.session.as_deref()) {
            let text = said.chars().take(MAX_DIAGNOSTIC_CHARS).collect();
            tab.diagnostics.console(ConsoleEntry { level, text });
        }
    }

    fn network_event(&mut self, event: &Event) -> Option<Reaction> {
        let params = &event.params;
        let page = self.page;
        let session = event.session.clone()?;
        let (id, tab) = self.tab_of_session(event.session.as_deref())?;
        let request = text(params, "requestId");
        match event.method.as_str() {
            "Network.requestWillBeSent" => {
                let is_sent = tab.asks(&request, params);
                if is_sent && page == Some(id) {
                    self.effects.asked(request, params);
                }
            }
            "Network.responseReceived" => {
                let response = &params["response"];
                let status = response["status"].as_i64().unwrap_or_default();
                if status >= 400 {
                    tab.fail(&request, &status.to_string());
                }
                if response["mimeType"] == "text/event-stream" {
                    self.effects.in_flight.remove(&request);
                }
                if params["type"] == "Document"
                    && let Some(address) = response["remoteIPAddress"].as_str()
                {
                    return Some(Reaction::Arrived {
                        tab: id,
                        session,
                        url: text(response, "url"),
                        address: address.to_owned(),
                    });
                }
            }
            "Network.loadingFinished" => {
                tab.requests.remove(&request);
                self.effects.in_flight.remove(&request);
            }
            "Network.loadingFailed" => {
                if params["canceled"] != true {
                    let failure = bounded(&params["errorText"], MAX_DIAGNOSTIC_CHARS);
                    tab.fail(&request, &failure);
                }
                tab.requests.remove(&request);
                self.effects.in_flight.remove(&request);
            }
            _ => {}
        }
        None
    }
}

impl Effects {
    /// Counts a request; whether it is waited for depends on its kind.
    fn asked(&mut self, request: String, params: &Value) {
        self.settled.requests = self.settled.requests.saturating_add(1);
        // Streams and beacons do not end, and nothing follows from them.
        let kind = params["type"].as_str().unwrap_or_default();
        let ends = !matches!(
            kind,
            "EventSource" | "WebSocket" | "Ping" | "Media" | "Preflight"
        );
        if ends && self.in_flight.len() < MAX_IN_FLIGHT {
            self.in_flight.insert(request);
        }
    }
}

impl TabState {
    /// Notes a request; says whether it goes to the network.
    fn asks(&mut self, id: &str, params: &Value) -> bool {
        let request = &params["request"];
        let url = bounded(&request["url"], MAX_URL_CHARS);
        if url.starts_with("data:") {
            return false;
        }
        self.add_request(id, request["method"].as_str().unwrap_or_default(), &url);
        true
    }

    /// Takes a frame of the protocol in: it shows another document now.
    pub(super) fn navigated(&mut self, frame: &Value) {
        let id = text(frame, "id");
        let parent = frame["parentId"].as_str().map(str::to_owned);
        let url = bounded(&frame["url"], MAX_URL_CHARS);
        let is_main = parent.is_none()
            && self
                .frames
                .get(&id)
                .is_none_or(|known| known.parent.is_none());
        if is_main {
            self.main.clone_from(&id);
            self.url.clone_from(&url);
            self.chooser = None;
        }
        let state = self.frames.entry(id).or_default();
        if parent.is_some() {
            state.parent = parent;
        }
        state.url = url;
        state.navigating = false;
    }

    /// Takes in the frames that were there before anybody listened.
    pub(super) fn graft(&mut self, tree: &Value) {
        let id = text(&tree["frame"], "id");
        let known = self.frames.get(&id).cloned().unwrap_or_default();
        self.navigated(&tree["frame"]);
        if let Some(state) = self.frames.get_mut(&id) {
            *state = FrameState {
                url: state.url.clone(),
                parent: state.parent.clone(),
                ..known
            };
        }
        for child in tree["childFrames"].as_array().into_iter().flatten() {
            self.graft(child);
        }
    }

    fn fail(&mut self, request: &str, failure: &str) {
        let Some((method, url)) = self.requests.get(request) else {
            return;
        };
        let failure = RequestFailure {
            method: method.clone(),
            url: url.chars().take(MAX_DIAGNOSTIC_CHARS).collect(),
            failure: failure.to_owned(),
        };
        self.diagnostics.failed(failure);
    }
}

fn dialog(params: &Value) -> Dialog {
    let kind = match params["type"].as_str() {
        Some("confirm") => DialogKind::Confirm,
        Some("prompt") => DialogKind::Prompt,
        Some("beforeunload") => DialogKind::Beforeunload,
        _ => DialogKind::Alert,
    };
    Dialog {
        kind,
        message: bounded(&params["message"], MAX_DIALOG_CHARS),
        default: (kind == DialogKind::Prompt)
            .then(|| bounded(&params["defaultPrompt"], MAX_DIALOG_CHARS)),
    }
}

/// What the console shows of a value.
fn shown(value: &Value) -> String {
    match &value["value"] {
        Value::String(text) => text.clone(),
        Value::Null => bounded(&value["description"], MAX_DIAGNOSTIC_CHARS),
        other => other.to_string(),
    }
}

/// The requests with which a page, or a frame in a process of its own, is set up.
pub(super) fn set_up(is_page: bool) -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("Page.enable", json!({})),
        (
            "Page.addScriptToEvaluateOnNewDocument",
            json!({"source": crate::adapter::script::source(), "worldName": SCRIPT_WORLD, "runImmediately": true}),
        ),
        ("Runtime.enable", json!({})),
        (
            "Network.enable",
            json!({"maxTotalBufferSize": 1 << 16, "maxResourceBufferSize": 1 << 16}),
        ),
        ("Target.setAutoAttach", auto_attach()),
        (
            "Page.setInterceptFileChooserDialog",
            json!({"enabled": true}),
        ),
        (
            "Fetch.enable",
            json!({"patterns": [{"urlPattern": "*", "resourceType": "Document"}]}),
        ),
    ];
    if is_page {
        all.push((
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        ));
    }
    all
}

/// Pages and frames of other origins come to us, and wait until they are set up.
pub(super) fn auto_attach() -> Value {
    json!({
        "autoAttach": true,
        "waitForDebuggerOnStart": true,
        "flatten": true,
        "filter": [{"type": "page", "exclude": false}, {"type": "iframe", "exclude": false}, {"exclude": true}],
    })
}
