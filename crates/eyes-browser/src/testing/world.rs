//! What a scripted browser is made of.

use std::{collections::BTreeMap, path::PathBuf};

use eyes_evidence::digest::Sha256Digest;

use super::script::{Change, ElementScript, PageScript};
use crate::driver::{
    Bounds, Command, ConsoleEntry, Diagnostics, Dialog, DocumentId, Download, DownloadState,
    DriverError, DriverErrorKind, FileChooser, Fingerprint, Node, NodeKey, NodeTarget, Settled,
    Tab, TabId, Viewport,
};

/// The viewport of every scripted page.
pub const VIEWPORT: Viewport = Viewport {
    width: 400,
    height: 300,
    scale: 1.0,
};
/// The height of a line of a scripted page.
const LINE: f64 = 20.0;

#[derive(Debug, Clone)]
pub(super) struct Live {
    pub(super) key: NodeKey,
    pub(super) script: ElementScript,
}

#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) id: DocumentId,
    pub(super) url: String,
    pub(super) page: PageScript,
    pub(super) live: Vec<Live>,
    pub(super) scroll: f64,
    numbered: u32,
}

#[derive(Debug, Clone)]
pub(super) struct TabWorld {
    pub(super) id: TabId,
    pub(super) opener: Option<TabId>,
    history: Vec<String>,
    at: usize,
    pub(super) document: Document,
}

/// Everything that a scripted browser holds.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) site: BTreeMap<String, PageScript>,
    pub(super) tabs: Vec<TabWorld>,
    pub(super) current: Option<TabId>,
    pub(super) dialog: Option<(Dialog, Vec<Change>)>,
    pub(super) chooser: Option<FileChooser>,
    pub(super) downloads: Vec<Download>,
    pub(super) said: Diagnostics,
    pub(super) signs: Settled,
    pub(super) commands: Vec<Command>,
    pub(super) hits: Vec<String>,
    pub(super) faults: Vec<DriverError>,
    pub(super) hang: bool,
    pub(super) alive: bool,
    pub(super) opened: u32,
    /// Changes that happen one at each settling.
    pub(super) later: Vec<Change>,
    documents: u32,
    tab_ids: u32,
}

pub(super) type Did<T> = Result<T, DriverError>;

pub(super) fn refuse<T>(kind: DriverErrorKind) -> Did<T> {
    Err(DriverError::before(kind))
}

impl World {
    pub(super) fn start(&mut self) {
        self.alive = true;
        self.opened += 1;
        self.tabs.clear();
        self.dialog = None;
        self.chooser = None;
        self.open_tab("about:blank", None);
        self.current = self.tabs.first().map(|tab| tab.id);
        self.signs = Settled::default();
    }

    fn load(&mut self, url: &str) -> Document {
        self.documents += 1;
        let page = self.site.get(url).cloned().unwrap_or_default();
        let mut document = Document {
            id: DocumentId(self.documents),
            url: url.to_owned(),
            live: Vec::new(),
            scroll: 0.0,
            numbered: 0,
            page,
        };
        for script in document.page.elements.clone() {
            let at = document.live.len();
            document.insert(at, script);
        }
        document
    }

    fn open_tab(&mut self, url: &str, opener: Option<TabId>) {
        self.tab_ids += 1;
        let document = self.load(url);
        self.tabs.push(TabWorld {
            id: TabId(self.tab_ids),
            opener,
            history: vec![url.to_owned()],
            at: 0,
            document,
        });
    }

    pub(super) fn tab(&mut self) -> Did<&mut TabWorld> {
        let current = self.current;
        let tab = self.tabs.iter_mut().find(|tab| Some(tab.id) == current);
        tab.ok_or_else(|| DriverErrorKind::Gone("no tab".to_owned()).into())
    }

    pub(super) fn document(&mut self) -> Did<&mut Document> {
        Ok(&mut self.tab()?.document)
    }

    pub(super) fn goto(&mut self, url: &str, keep: bool) -> Did<()> {
        let document = self.load(url);
        let tab = self.tab()?;
        if !keep {
            tab.history.truncate(tab.at + 1);
            tab.history.push(url.to_owned());
            tab.at += 1;
        }
        tab.document = document;
        self.signs.navigated = true;
        Ok(())
    }

    /// Moves in the history by -1, 0 or 1.
    pub(super) fn travel(&mut self, by: isize) -> Did<()> {
        let tab = self.tab()?;
        let at = tab.at.checked_add_signed(by);
        let url = at.and_then(|at| tab.history.get(at)).cloned();
        let (Some(at), Some(url)) = (at, url) else {
            return refuse(DriverErrorKind::Missing("no such history entry".to_owned()));
        };
        tab.at = at;
        self.goto(&url, true)
    }

    pub(super) fn tab_list(&self) -> Vec<Tab> {
        let tab = |tab: &TabWorld| Tab {
            id: tab.id,
            url: tab.document.url.clone(),
            title: tab.document.page.title.clone(),
            opener: tab.opener,
        };
        self.tabs.iter().map(tab).collect()
    }

    pub(super) fn close_tab(&mut self, id: TabId) -> Did<()> {
        if self.tabs.len() < 2 || !self.tabs.iter().any(|tab| tab.id == id) {
            return refuse(DriverErrorKind::Missing(format!("{id} cannot be closed")));
        }
        self.tabs.retain(|tab| tab.id != id);
        if self.current == Some(id) {
            self.current = self.tabs.last().map(|tab| tab.id);
            self.signs.navigated = true;
        }
        Ok(())
    }

    /// Checks a target as every driver does, and returns what a test calls it.
    pub(super) fn check(&mut self, target: &NodeTarget) -> Did<String> {
        let document = self.document()?;
        let id = document.id;
        let Some(live) = document.live.iter().find(|live| live.key == target.key) else {
            return refuse(DriverErrorKind::NodeGone);
        };
        let node = document.node(live);
        let print = &node.fingerprint;
        if target.key.document != id {
            return refuse(DriverErrorKind::NodeGone);
        }
        if *print != target.fingerprint {
            let now = format!("{} {:?}", print.role, print.name);
            return refuse(DriverErrorKind::NodeChanged { now });
        }
        if !node.visible {
            return refuse(DriverErrorKind::NotVisible);
        }
        if node.flags.disabled {
            return refuse(DriverErrorKind::Disabled);
        }
        if let Some(by) = node.covered_by {
            return refuse(DriverErrorKind::Covered { by });
        }
        Ok(live.script.id.clone())
    }

    pub(super) fn script(&mut self, id: &str) -> Did<&mut ElementScript> {
        let live = self.document()?.live.iter_mut();
        let mut scripts = live.map(|live| &mut live.script);
        let found = scripts.find(|script| script.id == id);
        found.ok_or_else(|| DriverErrorKind::NodeGone.into())
    }

    /// Applies a change of the page.
    pub(super) fn apply(&mut self, change: Change) -> Did<()> {
        match change {
            Change::Text(text) => self.document()?.page.text = text,
            Change::Insert(at, script) => self.document()?.insert(at, *script),
            Change::Remove(id) => self.document()?.live.retain(|live| live.script.id != id),
            Change::Rename(id, name) => self.script(&id)?.name = name,
            Change::Value(id, value) => self.script(&id)?.value = Some(value),
            Change::Disable(id, disabled) => self.script(&id)?.flags.disabled = disabled,
            Change::Show(id, visible) => self.script(&id)?.visible = visible,
            Change::Cover(id, cover) => self.script(&id)?.covered_by = cover,
            Change::Goto(url) => return self.goto(&url, false),
            Change::Reload => return self.travel(0),
            other => {
                self.around(other);
                return Ok(());
            }
        }
        self.signs.mutated = true;
        Ok(())
    }

    fn around(&mut self, change: Change) {
        match change {
            Change::OpenTab(url) => {
                let opener = self.current;
                self.open_tab(&url, opener);
            }
            Change::Dialog(kind, message, accepted) => {
                let dialog = Dialog {
                    kind,
                    message,
                    default: None,
                };
                self.dialog = Some((dialog, accepted));
            }
            Change::Chooser => self.chooser = Some(FileChooser { multiple: true }),
            Change::Download(name, bytes) => {
                let id = self.downloads.len() as u32 + 1;
                self.downloads.push(Download {
                    id,
                    url: format!("https://files.test/{name}"),
                    state: DownloadState::Done {
                        path: PathBuf::from("/downloads").join(&name),
                        sha256: Sha256Digest::of(name.as_bytes()),
                    },
                    name,
                    bytes,
                });
            }
            Change::Console(level, text) => {
                self.said.console_total += 1;
                self.said.console.push(ConsoleEntry { level, text });
                return;
            }
            _ => {
                self.signs.requests += 1;
                self.said.request_total += 1;
                return;
            }
        }
        self.signs.surroundings = true;
    }
}

impl Document {
    fn insert(&mut self, at: usize, script: ElementScript) {
        self.numbered += 1;
        let key = NodeKey {
            document: self.id,
            node: self.numbered,
        };
        let at = at.min(self.live.len());
        self.live.insert(at, Live { key, script });
    }

    /// Describes an element as a driver does.
    pub(super) fn node(&self, live: &Live) -> Node {
        let place = self.live.iter().position(|other| other.key == live.key);
        let y = place.unwrap_or(0) as f64 * LINE - self.scroll;
        let script = &live.script;
        let secret = script.flags.secret;
        let chars = script
            .value
            .as_ref()
            .map(|value| value.chars().count() as u32);
        Node {
            key: live.key,
            fingerprint: Fingerprint {
                tag: script.tag.clone(),
                role: script.role.clone(),
                name: script.name.clone(),
                kind: String::new(),
            },
            value: script.value.clone().filter(|_| !secret),
            value_chars: chars.filter(|_| secret),
            flags: script.flags,
            bounds: Bounds {
                x: 8.0,
                y,
                width: 120.0,
                height: 18.0,
            },
            in_viewport: script.visible && y >= 0.0 && y < f64::from(VIEWPORT.height),
            covered_by: script.covered_by.clone(),
            href: None,
            options: script.options.clone(),
            frame: None,
            text: None,
            visible: script.visible,
        }
    }

    pub(super) const fn height(&self) -> u64 {
        self.live.len() as u64 * LINE as u64
    }
}

impl Document {
    /// Finds a line of text, as an element that is none of the page's interactive ones.
    pub(super) fn text_node(
        &self,
        text: &str,
        exact: bool,
        same: &dyn Fn(&str, &str, bool) -> bool,
    ) -> Option<Node> {
        let line = self.page.text.iter().find(|line| same(line, text, exact))?;
        let mut script = ElementScript::button("", "", Vec::new());
        "p".clone_into(&mut script.tag);
        "paragraph".clone_into(&mut script.role);
        let key = NodeKey {
            document: self.id,
            node: u32::MAX,
        };
        Some(Node {
            text: Some(line.clone()),
            ..self.node(&Live { key, script })
        })
    }
}
