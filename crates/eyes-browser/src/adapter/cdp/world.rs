//! What is known of the browser without asking it: tabs, frames, documents, and what happened lately.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    driver::{ConsoleEntry, Diagnostics, Dialog, DocumentId, RequestFailure, Settled, TabId},
    limits::{MAX_DIAGNOSTICS, MAX_IN_FLIGHT},
};

/// Everything; changed by events alone, and by the driver's own switches.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) tabs: BTreeMap<TabId, TabState>,
    /// Which tab a session of the protocol belongs to.
    pub(super) sessions: BTreeMap<String, TabId>,
    pub(super) documents: BTreeMap<DocumentId, DocumentState>,
    /// The tab that commands go to.
    pub(super) page: Option<TabId>,
    last_tab: u32,
    last_document: u32,
    /// Whether every tab of the browser is ours.
    pub(super) owns_browser: bool,
    pub(super) effects: Effects,
}

/// What was seen since the last command began.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) settled: Settled,
    /// Requests that began since, and have not ended.
    pub(super) in_flight: BTreeSet<String>,
    pub(super) drag: Option<serde_json::Value>,
}

/// A document that the script is in.
#[derive(Debug, Clone)]
pub(super) struct DocumentState {
    pub(super) tab: TabId,
    pub(super) frame: String,
    pub(super) session: String,
    /// The context of the script, by the number that only this session knows it by.
    pub(super) context: i64,
    /// The same context by the name that is never used again.
    pub(super) unique: String,
}

#[derive(Debug, Default)]
pub(super) struct TabState {
    pub(super) target: String,
    pub(super) session: Option<String>,
    pub(super) url: String,
    pub(super) title: String,
    pub(super) opener: Option<TabId>,
    pub(super) main: String,
    pub(super) frames: BTreeMap<String, FrameState>,
    pub(super) dialog: Option<OpenDialog>,
    pub(super) chooser: Option<Chooser>,
    pub(super) diagnostics: Ring,
    /// Requests under way, with method and address.
    pub(super) requests: BTreeMap<String, (String, String)>,
    /// What the policy said about the last address that it forbade.
    pub(super) blocked: Option<String>,
    pub(super) crashed: bool,
}

#[derive(Debug, Clone)]
pub(super) struct OpenDialog {
    pub(super) session: String,
    pub(super) dialog: Dialog,
}

#[derive(Debug, Clone)]
pub(super) struct Chooser {
    pub(super) session: String,
    pub(super) element: i64,
    pub(super) multiple: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct FrameState {
    pub(super) parent: Option<String>,
    pub(super) url: String,
    pub(super) document: Option<DocumentId>,
    /// The element that it is in: the parent's document, and the number there.
    pub(super) owner: Option<(DocumentId, u32)>,
    /// Whether a navigation or its loading is under way.
    pub(super) loading: bool,
    /// Whether a document was asked for that has not come yet.
    pub(super) navigating: bool,
}

/// The newest of what console and network said.
#[derive(Debug, Default)]
pub(super) struct Ring {
    console_total: u32,
    console: VecDeque<ConsoleEntry>,
    failed_total: u32,
    failed: VecDeque<RequestFailure>,
    pub(super) request_total: u32,
}

impl Ring {
    pub(super) fn console(&mut self, entry: ConsoleEntry) {
        self.console_total = self.console_total.saturating_add(1);
        push(&mut self.console, entry);
    }

    pub(super) fn failed(&mut self, failure: RequestFailure) {
        self.failed_total = self.failed_total.saturating_add(1);
        push(&mut self.failed, failure);
    }

    /// Takes everything out: the next look begins anew.
    pub(super) fn take(&mut self) -> Diagnostics {
        let taken = std::mem::take(self);
        Diagnostics {
            console_total: taken.console_total,
            console: taken.console.into(),
            failed_total: taken.failed_total,
            requests: taken.failed.into(),
            request_total: taken.request_total,
        }
    }
}

fn push<T>(ring: &mut VecDeque<T>, item: T) {
    if ring.len() >= MAX_DIAGNOSTICS {
        ring.pop_front();
    }
    ring.push_back(item);
}

impl World {
    pub(super) fn new(owns_browser: bool) -> Self {
        Self {
            owns_browser,
            ..Self::default()
        }
    }

    /// Returns the tab that commands go to.
    pub(super) fn page(&self) -> Option<(TabId, &TabState)> {
        let id = self.page?;
        self.tabs.get(&id).map(|tab| (id, tab))
    }

    pub(super) fn page_mut(&mut self) -> Option<&mut TabState> {
        self.tabs.get_mut(&self.page?)
    }

    pub(super) fn tab_of_target(&self, target: &str) -> Option<TabId> {
        let mut tabs = self.tabs.iter();
        tabs.find(|(_, tab)| tab.target == target)
            .map(|(id, _)| *id)
    }

    /// Adds a tab, or returns the one that this target is.
    pub(super) fn add_tab(&mut self, target: &str, opener: Option<&str>) -> TabId {
        if let Some(known) = self.tab_of_target(target) {
            return known;
        }
        self.last_tab += 1;
        let id = TabId(self.last_tab);
        let opener = opener.and_then(|opener| self.tab_of_target(opener));
        let tab = TabState {
            target: target.to_owned(),
            main: target.to_owned(),
            opener,
            ..TabState::default()
        };
        self.tabs.insert(id, tab);
        if self.page.is_none() {
            self.page = Some(id);
        } else {
            self.effects.settled.surroundings = true;
        }
        id
    }

    /// Removes a tab; where it was the page, the one that opened it becomes the page, or the newest one.
    pub(super) fn remove_tab(&mut self, id: TabId) {
        let Some(gone) = self.tabs.remove(&id) else {
            return;
        };
        self.sessions.retain(|_, tab| *tab != id);
        self.documents.retain(|_, document| document.tab != id);
        self.effects.settled.surroundings = true;
        if self.page == Some(id) {
            self.effects.in_flight.clear();
            self.page = gone
                .opener
                .filter(|opener| self.tabs.contains_key(opener))
                .or_else(|| self.tabs.keys().next_back().copied());
        }
    }

    pub(super) fn tab_of_session(
        &mut self,
        session: Option<&str>,
    ) -> Option<(TabId, &mut TabState)> {
        let id = *self.sessions.get(session?)?;
        self.tabs.get_mut(&id).map(|tab| (id, tab))
    }

    /// Notes that the script is in a new document of a frame.
    pub(super) fn add_document(&mut self, document: DocumentState) {
        self.last_document += 1;
        let id = DocumentId(self.last_document);
        let Some(tab) = self.tabs.get_mut(&document.tab) else {
            return;
        };
        let frame = tab.frames.entry(document.frame.clone()).or_default();
        let before = frame.document.replace(id);
        let is_main = tab.main == document.frame;
        if let Some(before) = before {
            self.documents.remove(&before);
        }
        if is_main && self.page == Some(document.tab) {
            self.effects.settled.navigated = true;
        }
        self.documents.insert(id, document);
    }

    /// Forgets documents whose contexts are gone.
    pub(super) fn remove_documents(&mut self, gone: impl Fn(&DocumentState) -> bool) {
        let removed: Vec<DocumentId> = self
            .documents
            .iter()
            .filter(|(_, document)| gone(document))
            .map(|(id, _)| *id)
            .collect();
        for id in removed {
            let Some(document) = self.documents.remove(&id) else {
                continue;
            };
            if let Some(tab) = self.tabs.get_mut(&document.tab)
                && let Some(frame) = tab.frames.get_mut(&document.frame)
                && frame.document == Some(id)
            {
                frame.document = None;
            }
        }
    }

    /// Removes a frame and what is in it.
    pub(super) fn remove_frame(&mut self, tab: TabId, frame: &str) {
        let Some(state) = self.tabs.get_mut(&tab) else {
            return;
        };
        let mut gone = vec![frame.to_owned()];
        let mut at = 0;
        while let Some(parent) = gone.get(at).cloned() {
            let children = state
                .frames
                .iter()
                .filter(|(_, child)| child.parent.as_deref() == Some(parent.as_str()));
            gone.extend(
                children
                    .map(|(id, _)| id.clone())
                    .filter(|id| !gone.contains(id))
                    .collect::<Vec<_>>(),
            );
            at += 1;
        }
        for id in &gone {
            state.frames.remove(id);
        }
        self.remove_documents(|document| document.tab == tab && gone.contains(&document.frame));
    }

    /// Forgets documents that were asked for and never began to load: addresses of mail, or of programs.
    pub(super) fn give_up_navigations(&mut self) {
        let frames = self
            .page_mut()
            .into_iter()
            .flat_map(|tab| tab.frames.values_mut());
        for frame in frames.filter(|frame| !frame.loading) {
            frame.navigating = false;
        }
    }

    /// Returns the document that the page shows.
    pub(super) fn main_document(&self) -> Option<(DocumentId, &DocumentState)> {
        let (_, tab) = self.page()?;
        let id = tab.frames.get(&tab.main)?.document?;
        self.documents.get(&id).map(|document| (id, document))
    }

    /// Begins to watch for what a command causes.
    pub(super) fn begin(&mut self) {
        self.effects = Effects::default();
        self.give_up_navigations();
    }
}

impl TabState {
    /// Notes that a request is under way; of too many the oldest is forgotten.
    pub(super) fn add_request(&mut self, id: &str, method: &str, url: &str) {
        if self.requests.len() >= MAX_IN_FLIGHT {
            self.requests.pop_first();
        }
        self.requests
            .insert(id.to_owned(), (method.to_owned(), url.to_owned()));
        self.diagnostics.request_total = self.diagnostics.request_total.saturating_add(1);
    }

    /// Whether its main frame loads a document.
    pub(super) fn is_loading(&self) -> bool {
        self.frames
            .get(&self.main)
            .is_some_and(|frame| frame.loading)
    }

    /// Whether its main frame asks for a document that has not begun.
    pub(super) fn is_navigating(&self) -> bool {
        self.frames
            .get(&self.main)
            .is_some_and(|frame| frame.navigating)
    }
}
