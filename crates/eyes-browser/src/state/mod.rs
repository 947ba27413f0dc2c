//! States: what a caller is told of a page.

mod build;
mod change;
mod escape;
mod refs;
mod render;
#[cfg(test)]
mod tests;

pub use build::{Seen, observe};
pub(crate) use build::{keep_last, target};
pub use change::{ElementChange, Facet, StateChange};
pub(crate) use escape::{plain, quoted};
use eyes_evidence::{digest::Sha256Digest, provenance::Timestamp, state::StateId};
pub use refs::RefBook;
pub(crate) use render::rounded;
pub use render::{Detail, render_change, render_full};
use serde::Serialize;

use crate::{
    action::Ref,
    driver::{
        Bounds, Diagnostics, Dialog, DocumentId, Download, FileChooser, Flags, Scroll, Tab, TabId,
        Unknown, Viewport,
    },
};

/// The first line of every result.
pub const MARKER: &str = "[DeepSeekEyes browser state]";

/// One element as a caller sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElementState {
    /// Its name in this session.
    #[serde(rename = "ref")]
    pub reference: Ref,
    /// The WAI-ARIA role.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// The local name of the element.
    pub tag: String,
    /// The type of an input.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// What it holds, cut; absent where it is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Characters of the whole value, where it was cut or is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_chars: Option<u32>,
    /// Its states.
    #[serde(flatten)]
    pub flags: Flags,
    /// Where it is in the viewport, in CSS pixels.
    #[serde(rename = "box")]
    pub bounds: Bounds,
    /// Whether any of it is within the viewport.
    pub in_viewport: bool,
    /// What covers its middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<String>,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The labels of a select's options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The frame it is in; absent in the main frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
}

/// The picture that coordinates refer to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PictureSpace {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Pixels of it for one CSS pixel.
    pub scale: f64,
}

/// Everything that a caller is told of a page, without secrets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrowserState {
    /// What an action on it names.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub state_id: StateId,
    /// Its number in the session, counted from 1.
    pub sequence: u64,
    /// When it was seen.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub observed_at: Timestamp,
    /// SHA-256 of the picture that was taken, or, without one, of this state written canonically without its ids.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub evidence_sha256: Sha256Digest,
    /// SHA-256 of the pixels, where a picture was taken.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_sha256: Option<Sha256Digest>,
    /// What was seen.
    #[serde(flatten)]
    pub page: PageState,
    /// The picture that was delivered with it; without one, coordinates are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureSpace>,
}

/// What was seen of a page and around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageState {
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// The tab.
    pub tab: TabId,
    /// The document; refs of another one are gone.
    #[serde(skip)]
    pub document: DocumentId,
    /// What is shown of it.
    pub viewport: Viewport,
    /// Where it is scrolled to.
    pub scroll: Scroll,
    /// Whether it has finished loading.
    pub loaded: bool,
    /// Whether only a part was looked at: an element, a region, or what contains a text.
    pub scoped: bool,
    /// Its elements, viewport first, then document order.
    pub elements: Vec<ElementState>,
    /// How many there are within the scope.
    pub element_total: u32,
    /// How many of them are within the viewport.
    pub in_viewport_total: u32,
    /// Lines of text outside of the elements.
    pub text: Vec<String>,
    /// Characters of all such text.
    pub text_total: u32,
    /// The part of the viewport that canvas, pictures and videos cover, 0 to 1.
    pub pictorial: f64,
    /// Every tab.
    pub tabs: Vec<Tab>,
    /// The dialog that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog: Option<Dialog>,
    /// The file chooser that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chooser: Option<FileChooser>,
    /// The downloads of the session, the newest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub downloads: Vec<Download>,
    /// What console and network said since the state before.
    pub diagnostics: Diagnostics,
    /// What could not be seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// How well the structure of a page stands for what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Elements and text say what there is.
    Rich,
    /// There are hardly any, or pictures cover most of it: a picture is needed.
    Sparse,
    /// Elements that are within the viewport were left out.
    Truncated,
}

impl PageState {
    /// Judges how well the structure stands for what is shown.
    pub fn quality(&self) -> Quality {
        let shown = self.elements.iter().filter(|e| e.in_viewport).count();
        if shown < self.in_viewport_total as usize {
            return Quality::Truncated;
        }
        let pictorial = self.pictorial >= 0.5;
        let bare = shown == 0 && self.text.iter().map(String::len).sum::<usize>() < 40;
        // A dialog hides the elements, and says itself what there is; an empty page has nothing to show.
        let blank = self.url == "about:blank" || self.dialog.is_some();
        if !blank && (pictorial || bare) {
            Quality::Sparse
        } else {
            Quality::Rich
        }
    }

    /// Finds an element by its ref.
    pub fn element(&self, reference: Ref) -> Option<&ElementState> {
        self.elements.iter().find(|e| e.reference == reference)
    }
}
