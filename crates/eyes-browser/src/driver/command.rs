//! What a driver is told to do.

use std::{fmt, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{Fingerprint, NodeKey, Point, TabId};

/// An element to act on, and what it was when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeTarget {
    /// Which element.
    pub key: NodeKey,
    /// What it has to be still.
    pub fingerprint: Fingerprint,
}

/// Where a pointer goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Spot {
    /// To an element: it is scrolled into view, and its middle, or the part of it that is not covered, is hit.
    Node(NodeTarget),
    /// To a point of the viewport, whatever is there.
    Point(Point),
}

/// A button of the pointer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Button {
    /// The main one.
    #[default]
    Left,
    /// The one for context menus.
    Right,
    /// The wheel.
    Middle,
}

/// Keys that are held while something else happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Modifiers {
    /// Alt, or Option.
    pub alt: bool,
    /// Control.
    pub control: bool,
    /// Meta: Command, or the Windows key.
    pub meta: bool,
    /// Shift.
    pub shift: bool,
}

/// One key by its value (UI Events, `KeyboardEvent` key values): a character, or a name such as `Enter`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character, as the layout makes it.
    Character(char),
    /// A key without a character; one of the names that [`action::keys`](crate::action::keys) knows.
    Named(&'static str),
}

// A pressed character may be part of a password.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(_) => f.write_str("Character(..)"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// A key with modifiers, such as `Control+a`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyChord {
    /// The key.
    pub key: Key,
    /// What is held meanwhile.
    pub modifiers: Modifiers,
}

/// Text to type; `Debug` shows its length only.
#[derive(Clone, PartialEq, Eq)]
pub struct TypedText {
    text: Box<str>,
    secret: bool,
}

impl TypedText {
    /// Takes a text; a secret one marks the field that it is typed into.
    pub fn new(text: impl Into<Box<str>>, secret: bool) -> Self {
        Self {
            text: text.into(),
            secret,
        }
    }

    /// Returns the text.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Returns whether it must not appear anywhere.
    pub const fn is_secret(&self) -> bool {
        self.secret
    }
}

impl fmt::Debug for TypedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypedText({} characters)", self.text.chars().count())
    }
}

/// How text comes into a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TypeMode {
    /// Replaces what is there, with the events of a real input.
    #[default]
    Fill,
    /// Replaces what is there key by key, each with its own events.
    Keys,
    /// Adds to the end of what is there, key by key.
    Append,
}

/// Where to scroll.
#[derive(Debug, Clone, PartialEq)]
pub enum ScrollSpec {
    /// By so many CSS pixels, with the wheel over a spot; the middle of the viewport where absent.
    By {
        /// Where the pointer is.
        over: Option<Spot>,
        /// To the right.
        dx: f64,
        /// Down.
        dy: f64,
    },
    /// Until an element is in view.
    To(NodeTarget),
}

/// How a dialog is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogAnswer {
    /// Whether it is accepted.
    pub accept: bool,
    /// What is entered into a prompt.
    pub text: Option<TypedText>,
}

/// A step in the history of the tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// To the entry before.
    Back,
    /// To the next entry.
    Forward,
    /// The same again.
    Reload,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Opens an address in the page's tab.
    Navigate {
        /// The address; the policy allowed it.
        url: String,
    },
    /// Moves in the history.
    History(History),
    /// Moves the pointer, and lets it rest.
    Hover(Spot),
    /// Presses and releases a button.
    Click {
        /// Where.
        at: Spot,
        /// Which button.
        button: Button,
        /// How often: 1 to 3.
        count: u8,
        /// What is held meanwhile.
        modifiers: Modifiers,
    },
    /// Presses on one spot, moves, and releases on another; with HTML drag and drop where the page uses it.
    Drag {
        /// From where.
        from: Spot,
        /// To where.
        to: Spot,
    },
    /// Types text.
    Type {
        /// Into which element; a point is clicked first, and nothing means what has the focus.
        into: Option<Spot>,
        /// The text.
        text: TypedText,
        /// How.
        mode: TypeMode,
        /// Whether Enter follows.
        submit: bool,
    },
    /// Presses a key and releases it.
    Press {
        /// On which element; what has the focus where absent.
        on: Option<NodeTarget>,
        /// The key.
        chord: KeyChord,
    },
    /// Presses a key and holds it; all held keys are released when the browser is closed or another tab is taken.
    KeyDown(Key),
    /// Releases a key.
    KeyUp(Key),
    /// Chooses options of a select, and no others, by value or label.
    Select {
        /// The select.
        target: NodeTarget,
        /// Values or labels.
        options: Vec<String>,
    },
    /// Makes a check box, switch or radio button checked or not.
    Check {
        /// The element.
        target: NodeTarget,
        /// Whether it shall be checked.
        checked: bool,
    },
    /// Puts files into a file input, or answers the open file chooser.
    Upload {
        /// The input; the open chooser where absent.
        target: Option<NodeTarget>,
        /// The files, absolute, which the policy allowed.
        files: Vec<PathBuf>,
    },
    /// Scrolls.
    Scroll(ScrollSpec),
    /// Answers the open dialog.
    Dialog(DialogAnswer),
    /// Makes another tab the page.
    SwitchTab(TabId),
    /// Closes a tab; the page's own only where another is left, which becomes the page.
    CloseTab(TabId),
    /// Prints the page as PDF.
    Pdf,
}

/// What came of a command, as far as the driver checked it itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Performed {
    /// Whether the driver saw that it took effect: the value is the text, the box is checked, the address is the one;
    /// absent where it cannot tell.
    pub verified: Option<bool>,
    /// Bytes that were asked for: a PDF.
    pub bytes: Option<Vec<u8>>,
    /// Which options are selected now.
    pub selected: Vec<String>,
}
