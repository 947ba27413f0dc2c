//! What the script answers with.

use serde::Deserialize;

use crate::driver::{Bounds, DocumentId, Fingerprint, Flags, Node, NodeKey};

/// A box as `[x, y, width, height]`.
pub(crate) type Rect = [f64; 4];

/// Makes a box of its four numbers, moved by an offset.
pub(crate) fn bounds([x, y, width, height]: Rect, (dx, dy): (f64, f64)) -> Bounds {
    Bounds {
        x: x + dx,
        y: y + dy,
        width,
        height,
    }
}

/// An element.
#[derive(Debug, Deserialize)]
pub(crate) struct NodeRecord {
    n: u32,
    /// Its place in the document's order.
    #[serde(default)]
    pub(crate) k: u32,
    #[serde(flatten)]
    fingerprint: Fingerprint,
    b: Rect,
    #[serde(default)]
    f: Flags,
    v: Option<String>,
    vc: Option<u32>,
    h: Option<String>,
    #[serde(default)]
    o: Vec<String>,
    #[serde(default)]
    pub(crate) i: bool,
    c: Option<String>,
    s: Option<bool>,
    t: Option<String>,
}

/// Where the document of an element is.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) document: DocumentId,
    pub(crate) offset: (f64, f64),
    /// The frame's origin; nothing for the main frame.
    pub(crate) frame: Option<String>,
    /// What covers the frame.
    pub(crate) covered_by: Option<String>,
}

impl NodeRecord {
    /// Makes an element of the driver's.
    pub(crate) fn into_node(self, place: &Place) -> Node {
        Node {
            key: NodeKey {
                document: place.document,
                node: self.n,
            },
            fingerprint: self.fingerprint,
            value: self.v,
            value_chars: self.vc,
            flags: self.f,
            bounds: bounds(self.b, place.offset),
            in_viewport: self.i,
            covered_by: self
                .c
                .or_else(|| place.covered_by.clone().filter(|_| self.i)),
            href: self.h,
            options: self.o,
            frame: place.frame.clone(),
            text: self.t,
            visible: self.s.unwrap_or(true),
        }
    }
}

/// A frame in a document.
#[derive(Debug, Deserialize)]
pub(crate) struct FrameRecord {
    /// The number of its element.
    pub(crate) n: u32,
    /// Its place in the document's order.
    pub(crate) k: u32,
    /// Its content box.
    pub(crate) b: Rect,
    /// The part of it that is shown.
    pub(crate) p: Option<Rect>,
    /// What covers it.
    pub(crate) c: Option<String>,
}

/// What a document shows.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Collected {
    /// The element that it was to begin with is not there.
    pub(crate) gone: bool,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) loaded: bool,
    /// Width, height and device pixels for one CSS pixel.
    pub(crate) view: [f64; 3],
    /// From the left, from the top, width and height of the document.
    pub(crate) scroll: [i64; 4],
    pub(crate) elements: Vec<NodeRecord>,
    pub(crate) total: u32,
    pub(crate) in_view: u32,
    /// Lines with their places in the document's order.
    pub(crate) text: Vec<(String, u32)>,
    pub(crate) text_total: u32,
    /// CSS pixels squared.
    pub(crate) pictorial: f64,
    pub(crate) frames: Vec<FrameRecord>,
    /// Elements that may have a closed shadow root.
    pub(crate) hosts: Vec<u32>,
}

/// What was found.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    pub(crate) error: Option<String>,
    /// The address of the document.
    pub(crate) url: String,
    pub(crate) nodes: Vec<NodeRecord>,
}

/// Why something was not done.
#[derive(Debug, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) no: String,
    pub(crate) now: Option<String>,
    pub(crate) by: Option<String>,
    pub(crate) say: Option<String>,
}

/// Either what was asked for, or why not.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer<T> {
    No(Refusal),
    Yes(T),
}

/// A point to hit, in CSS pixels of the frame's viewport.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Aim {
    pub(crate) x: f64,
    pub(crate) y: f64,
    #[serde(default)]
    pub(crate) scrolled: bool,
}

/// A field that has the focus.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Prepared {
    pub(crate) n: u32,
    /// Its value can be set as a whole only.
    pub(crate) native: bool,
    /// The caret goes to its end only by the key.
    pub(crate) end: bool,
    pub(crate) empty: bool,
}

/// What is selected.
#[derive(Debug, Deserialize)]
pub(crate) struct Selected {
    pub(crate) selected: Vec<String>,
    pub(crate) verified: bool,
}

/// Whether it is checked.
#[derive(Debug, Deserialize)]
pub(crate) struct Checked {
    pub(crate) checked: String,
}

/// Whether anything was seen before calm.
#[derive(Debug, Deserialize)]
pub(crate) struct Settle {
    pub(crate) seen: bool,
}
