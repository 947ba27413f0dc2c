//! From what a driver saw to what a caller is told.

use std::collections::{BTreeMap, BTreeSet};

use super::{ElementState, PageState, RefBook};
use crate::{
    action::Ref,
    driver::{Fingerprint, Node, NodeKey, NodeTarget, Snapshot},
    limits::{
        MAX_DIAGNOSTIC_CHARS, MAX_DIAGNOSTICS, MAX_DIALOG_CHARS, MAX_DOWNLOADS, MAX_ELEMENTS,
        MAX_HREF_CHARS, MAX_NAME_CHARS, MAX_OPTION_CHARS, MAX_OPTIONS, MAX_TABS, MAX_TEXT_CHARS,
        MAX_TITLE_CHARS, MAX_URL_CHARS, MAX_VALUE_CHARS,
    },
    secret::KnownSecrets,
};

/// A look at a page: what a caller is told, and which elements its refs stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What a caller is told.
    pub page: PageState,
    /// The elements of the refs, as the driver named and described them.
    pub nodes: BTreeMap<Ref, NodeTarget>,
}

/// Turns a snapshot into a state: bounded again, whatever the driver did, and without known secrets.
pub fn observe(
    snapshot: Snapshot,
    refs: &mut RefBook,
    secrets: &KnownSecrets,
    scoped: bool,
) -> Seen {
    let Snapshot { page, .. } = &snapshot;
    let text = |text: &str, max: usize| bounded(&secrets.clean(text), max);
    let present: BTreeSet<NodeKey> = snapshot.elements.iter().map(|n| n.key).collect();
    refs.forget_all_but(&present);
    let mut nodes = BTreeMap::new();
    let mut elements = Vec::with_capacity(snapshot.elements.len());
    for node in snapshot.elements.iter().take(MAX_ELEMENTS) {
        let reference = refs.name(node.key);
        elements.push(element(reference, node, secrets));
        nodes.insert(reference, target(node));
    }
    let mut state = PageState {
        url: text(&page.url, MAX_URL_CHARS),
        title: text(&page.title, MAX_TITLE_CHARS),
        tab: page.tab,
        document: page.document,
        viewport: page.viewport,
        scroll: page.scroll,
        loaded: page.loaded,
        scoped,
        elements,
        element_total: snapshot.element_total,
        in_viewport_total: snapshot.in_viewport_total,
        text: lines(&snapshot.text, secrets),
        text_total: snapshot.text_total,
        pictorial: snapshot.pictorial.clamp(0.0, 1.0),
        tabs: snapshot.tabs,
        dialog: snapshot.dialog,
        chooser: snapshot.chooser,
        downloads: snapshot.downloads,
        diagnostics: snapshot.diagnostics,
        unknown: snapshot.unknown,
    };
    surroundings(&mut state, secrets);
    Seen { page: state, nodes }
}

/// Returns what an action on an element names.
pub(crate) fn target(node: &Node) -> NodeTarget {
    NodeTarget {
        key: node.key,
        fingerprint: node.fingerprint.clone(),
    }
}

fn lines(text: &[String], secrets: &KnownSecrets) -> Vec<String> {
    let mut left = MAX_TEXT_CHARS;
    let mut lines = Vec::new();
    for line in text {
        if left == 0 {
            break;
        }
        let line = bounded(&secrets.clean(line), left);
        left -= line.chars().count().min(left);
        lines.push(line);
    }
    lines
}

fn element(reference: Ref, node: &Node, secrets: &KnownSecrets) -> ElementState {
    let text = |text: &str, max: usize| bounded(&secrets.clean(text), max);
    let some = |text: &Option<String>, max: usize| {
        text.as_ref().map(|text| bounded(&secrets.clean(text), max))
    };
    let Fingerprint {
        tag,
        role,
        name,
        kind,
    } = &node.fingerprint;
    let secret = node.flags.secret;
    ElementState {
        reference,
        role: text(role, 40),
        name: text(name, MAX_NAME_CHARS),
        tag: text(tag, 40),
        kind: text(kind, 40),
        value: some(&node.value, MAX_VALUE_CHARS).filter(|_| !secret),
        value_chars: node.value_chars,
        flags: node.flags,
        bounds: node.bounds,
        in_viewport: node.in_viewport,
        covered_by: some(&node.covered_by, MAX_NAME_CHARS),
        href: some(&node.href, MAX_HREF_CHARS),
        options: node
            .options
            .iter()
            .take(MAX_OPTIONS)
            .map(|option| text(option, MAX_OPTION_CHARS))
            .collect(),
        frame: some(&node.frame, MAX_HREF_CHARS),
    }
}

/// Bounds and cleans everything around the page.
fn surroundings(state: &mut PageState, secrets: &KnownSecrets) {
    let fit = |text: &mut String, max: usize| *text = bounded(&secrets.clean(text), max);
    let skip = state.tabs.len().saturating_sub(MAX_TABS);
    // The page's own tab stays, and then the newest.
    let page = state.tab;
    let mut at = 0;
    state.tabs.retain(|tab| {
        at += 1;
        at > skip || tab.id == page
    });
    for tab in &mut state.tabs {
        fit(&mut tab.url, MAX_HREF_CHARS);
        fit(&mut tab.title, MAX_NAME_CHARS);
    }
    if let Some(dialog) = &mut state.dialog {
        fit(&mut dialog.message, MAX_DIALOG_CHARS);
        if let Some(default) = &mut dialog.default {
            fit(default, MAX_VALUE_CHARS);
        }
    }
    let skip = state.downloads.len().saturating_sub(MAX_DOWNLOADS);
    state.downloads.drain(..skip);
    for download in &mut state.downloads {
        fit(&mut download.name, MAX_NAME_CHARS);
        fit(&mut download.url, MAX_HREF_CHARS);
    }
    let said = &mut state.diagnostics;
    keep_last(&mut said.console);
    keep_last(&mut said.requests);
    for line in &mut said.console {
        fit(&mut line.text, MAX_DIAGNOSTIC_CHARS);
    }
    for failed in &mut said.requests {
        fit(&mut failed.url, MAX_DIAGNOSTIC_CHARS);
        fit(&mut failed.failure, MAX_NAME_CHARS);
        fit(&mut failed.method, 20);
    }
}

pub(crate) fn keep_last<T>(list: &mut Vec<T>) {
    let skip = list.len().saturating_sub(MAX_DIAGNOSTICS);
    list.drain(..skip);
}

/// Cuts a text to at most `max` characters, the last of them `…` where something was cut.
fn bounded(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((end, _)) => {
            let shorter = text[..end]
                .char_indices()
                .next_back()
                .map_or(0, |(at, _)| at);
            format!("{}…", &text[..shorter])
        }
    }
}
