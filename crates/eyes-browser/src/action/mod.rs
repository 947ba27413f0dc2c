//! Actions: the closed set of what a caller can ask for, and reading it from JSON.

mod error;
mod fields;
pub mod keys;
mod name;
mod parse;
mod target;
#[cfg(test)]
mod tests;
mod write;

use std::{path::PathBuf, time::Duration};

pub use error::ActionError;
use eyes_evidence::state::StateId;
pub use name::ActionName;
pub use parse::{ParseMode, parse};
pub use target::{Ref, RefError, Target};
pub use write::{InputWriter, to_json};
pub(crate) use write::{target_json, target_of};

use crate::{
    assertion::Expectation,
    driver::{Bounds, Button, History, Key, KeyChord, Modifiers, TabId, TypeMode, TypedText},
};

/// A call: an action and what it is grounded in.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What to do.
    pub action: Action,
    /// The state that the caller looked at.
    pub state: Option<StateId>,
    /// Whether a picture is wanted; the policy decides where absent.
    pub image: Option<bool>,
    /// How long it may take; the settings decide where absent.
    pub timeout: Option<Duration>,
}

impl From<Action> for Request {
    fn from(action: Action) -> Self {
        Self {
            action,
            state: None,
            image: None,
            timeout: None,
        }
    }
}

/// A text to type, or where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The text itself; `Debug` shows its length.
    Literal(TypedText),
    /// The value of an environment variable that the settings allow; always secret.
    Env(String),
}

impl Input {
    /// Returns whether it must not appear anywhere.
    pub const fn is_secret(&self) -> bool {
        match self {
            Self::Literal(text) => text.is_secret(),
            Self::Env(_) => true,
        }
    }
}

/// What to look at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Look {
    /// Only what this element holds.
    pub within: Option<Ref>,
    /// Only what touches this part of the picture, or of the viewport where no picture was delivered.
    pub region: Option<Bounds>,
    /// Only elements and lines that contain this.
    pub find: Option<String>,
    /// The text of the whole document.
    pub whole_text: bool,
}

impl Look {
    /// Returns whether it is about the page as a whole.
    pub const fn is_whole(&self) -> bool {
        self.within.is_none() && self.region.is_none() && self.find.is_none()
    }
}

/// Where to scroll.
#[derive(Debug, Clone, PartialEq)]
pub enum Scrolling {
    /// With the wheel, over a target or the middle of the viewport.
    By {
        /// Where the pointer is.
        over: Option<Target>,
        /// To the right, in CSS pixels.
        dx: f64,
        /// Down, in CSS pixels.
        dy: f64,
    },
    /// Until the target is in view.
    To(Target),
}

/// What to wait for.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Text that is shown.
    Text(String),
    /// An address that contains this.
    Url(String),
    /// Something that is visible.
    Visible(Target),
    /// Something that is not visible, or not there.
    Hidden(Target),
    /// No change and no request for a moment.
    Idle,
    /// A download that is complete.
    Download,
    /// A time.
    Time(Duration),
}

/// What to do with tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TabAction {
    /// Names them all.
    List,
    /// Makes one the page.
    Switch(TabId),
    /// Closes one.
    Close(TabId),
}

/// What to take a picture of.
#[derive(Debug, Clone, PartialEq)]
pub enum ZoomArea {
    /// A part of the newest delivered picture, or of the viewport where none was.
    Region(Bounds),
    /// An element.
    Element(Ref),
}

/// One step of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What to do; never a batch, a report or the end.
    pub action: Action,
    /// Whether the caller expects another document afterwards.
    pub navigates: bool,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// One thing that a caller can ask for.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Opens an address in the page's tab.
    Open {
        /// The address, absolute.
        url: String,
    },
    /// Looks at the page.
    Observe(Look),
    /// Presses and releases a button of the pointer.
    Click {
        /// Where.
        at: Target,
        /// Which button.
        button: Button,
        /// How often, 1 to 3.
        count: u8,
        /// What is held.
        modifiers: Modifiers,
    },
    /// Moves the pointer.
    Hover {
        /// Where.
        at: Target,
    },
    /// Drags.
    Drag {
        /// From where.
        from: Target,
        /// To where.
        to: Target,
    },
    /// Types text.
    Type {
        /// Into what; what has the focus where absent.
        into: Option<Target>,
        /// What.
        value: Input,
        /// How.
        mode: TypeMode,
        /// Whether Enter follows.
        submit: bool,
    },
    /// Presses a key.
    Press {
        /// On what; what has the focus where absent.
        on: Option<Target>,
        /// The key.
        chord: KeyChord,
    },
    /// Holds a key.
    KeyDown(Key),
    /// Releases a key.
    KeyUp(Key),
    /// Chooses options and no others.
    Select {
        /// Of what.
        target: Target,
        /// Values or labels.
        options: Vec<String>,
    },
    /// Checks or unchecks.
    Check {
        /// What.
        target: Target,
        /// Whether it shall be checked.
        checked: bool,
    },
    /// Hands files to an input or to the open chooser.
    Upload {
        /// The input.
        target: Option<Target>,
        /// The files, absolute.
        files: Vec<PathBuf>,
    },
    /// Scrolls.
    Scroll(Scrolling),
    /// Waits.
    Wait(Condition),
    /// Answers the open dialog.
    Dialog {
        /// Whether it is accepted.
        accept: bool,
        /// What is entered into a prompt.
        text: Option<Input>,
    },
    /// Handles tabs.
    Tabs(TabAction),
    /// Moves in the history.
    History(History),
    /// Takes a picture of a part.
    Zoom(ZoomArea),
    /// Prints to PDF.
    Pdf,
    /// Checks an expectation.
    Assert(Expectation),
    /// Writes the report.
    Report {
        /// The name of its file.
        name: Option<String>,
    },
    /// Ends the session.
    Close,
    /// Does several things, and stops at the first surprise.
    Batch(Vec<Step>),
}

impl Action {
    /// Returns its name.
    pub const fn name(&self) -> ActionName {
        match self {
            Self::Open { .. } => ActionName::Open,
            Self::Observe(_) => ActionName::Observe,
            Self::Click { .. } => ActionName::Click,
            Self::Hover { .. } => ActionName::Hover,
            Self::Drag { .. } => ActionName::Drag,
            Self::Type { .. } => ActionName::Type,
            Self::Press { .. } => ActionName::Press,
            Self::KeyDown(_) => ActionName::KeyDown,
            Self::KeyUp(_) => ActionName::KeyUp,
            Self::Select { .. } => ActionName::Select,
            Self::Check { checked: true, .. } => ActionName::Check,
            Self::Check { checked: false, .. } => ActionName::Uncheck,
            Self::Upload { .. } => ActionName::Upload,
            Self::Scroll(_) => ActionName::Scroll,
            Self::Wait(_) => ActionName::Wait,
            Self::Dialog { .. } => ActionName::Dialog,
            Self::Tabs(_) => ActionName::Tabs,
            Self::History(History::Back) => ActionName::Back,
            Self::History(History::Forward) => ActionName::Forward,
            Self::History(History::Reload) => ActionName::Reload,
            Self::Zoom(_) => ActionName::Zoom,
            Self::Pdf => ActionName::Pdf,
            Self::Assert(_) => ActionName::Assert,
            Self::Report { .. } => ActionName::Report,
            Self::Close => ActionName::Close,
            Self::Batch(_) => ActionName::Batch,
        }
    }

    /// Returns whether a caller has to name the state that it looked at.
    pub const fn needs_state(&self) -> bool {
        match self {
            Self::Open { .. } | Self::Close | Self::Tabs(TabAction::List) => false,
            other => other.name().mutates(),
        }
    }

    /// Returns whether it changes nothing outside: for the kind of a call in a host.
    pub const fn only_reads(&self) -> bool {
        match self {
            Self::Tabs(TabAction::List) => true,
            other => !other.name().mutates(),
        }
    }

    /// Returns whether another document is what it is for.
    pub const fn navigates(&self) -> bool {
        matches!(
            self,
            Self::Open { .. }
                | Self::History(_)
                | Self::Tabs(TabAction::Switch(_) | TabAction::Close(_))
                | Self::Type { submit: true, .. }
        )
    }
}

fn names() -> String {
    let names: Vec<_> = ActionName::ALL.iter().map(|name| name.as_str()).collect();
    names.join(", ")
}
