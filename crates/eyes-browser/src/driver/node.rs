//! Elements as a driver names and describes them.

use serde::{Deserialize, Serialize};

/// A document in a frame: counted from 1 within a session, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u32);

/// An element: its document, and its number in it, which no other element of that document ever gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey {
    /// The document.
    pub document: DocumentId,
    /// The number within the document.
    pub node: u32,
}

/// What an element was when it was looked at; an action on one that is something else now is refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The local name of the element, such as `input`.
    pub tag: String,
    /// The WAI-ARIA role.
    pub role: String,
    /// The accessible name, at most [`MAX_NAME_CHARS`](crate::limits::MAX_NAME_CHARS) characters.
    pub name: String,
    /// The type of an input; empty for all others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
}

/// A point in the viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// From the left edge.
    pub x: f64,
    /// From the upper edge.
    pub y: f64,
}

/// A box in the viewport, in CSS pixels; outside of the viewport where the page is scrolled away.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// Something that may be on, off or in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tristate {
    /// On.
    True,
    /// Off.
    False,
    /// Neither.
    Mixed,
}

/// The states of an element that there are; absent where the element has no such state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Flags {
    /// Whether it is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Tristate>,
    /// Whether it is pressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Tristate>,
    /// Whether it is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    /// Whether it is expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Whether it takes no input: `disabled`, `aria-disabled`, or inert.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
    /// Whether its value can be read only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub readonly: bool,
    /// Whether it must be filled in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether it has the focus.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub focused: bool,
    /// Whether what it holds is invalid.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub invalid: bool,
    /// Whether text can be typed into it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub editable: bool,
    /// Whether what it holds is secret: a password field, or one that a secret was typed into.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

/// One element of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Which element.
    pub key: NodeKey,
    /// What it is.
    pub fingerprint: Fingerprint,
    /// What it holds, at most [`MAX_VALUE_CHARS`](crate::limits::MAX_VALUE_CHARS) characters; absent for elements
    /// without a value and where it is secret.
    pub value: Option<String>,
    /// Characters of the whole value, where it was cut or is secret.
    pub value_chars: Option<u32>,
    /// Its states.
    pub flags: Flags,
    /// Where it is.
    pub bounds: Bounds,
    /// Whether any of it is within the viewport and not clipped away.
    pub in_viewport: bool,
    /// What covers its middle, such as `div "Cookies"`; absent where nothing does, or where it is outside of the
    /// viewport.
    pub covered_by: Option<String>,
    /// Where a link leads, absolute and bounded.
    pub href: Option<String>,
    /// The labels of a select's options, bounded.
    pub options: Vec<String>,
    /// The frame it is in, such as `https://other.example`; absent in the main frame.
    pub frame: Option<String>,
    /// The text it shows, bounded; only where [`find`](crate::ports::PageDriver::find) returned it.
    pub text: Option<String>,
    /// Whether it is rendered and has an area.
    pub visible: bool,
}
