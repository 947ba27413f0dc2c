//! Names of actions.

use serde::Serialize;

macro_rules! names {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $mutates:literal;)+) => {
        /// The name of an action, as a caller writes it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ActionName {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl ActionName {
            /// Every name, in the order of the schema.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the name as it is written.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// Returns whether it may change the page or the browser, whatever its arguments.
            pub const fn mutates(self) -> bool {
                match self { $(Self::$variant => $mutates,)+ }
            }
        }
    };
}

names! {
    /// Opens an address.
    Open = "open", true;
    /// Looks at the page.
    Observe = "observe", false;
    /// Presses a button of the pointer.
    Click = "click", true;
    /// Moves the pointer over something.
    Hover = "hover", true;
    /// Drags something.
    Drag = "drag", true;
    /// Types text.
    Type = "type", true;
    /// Presses a key.
    Press = "press", true;
    /// Holds a key.
    KeyDown = "key_down", true;
    /// Releases a key.
    KeyUp = "key_up", true;
    /// Chooses options.
    Select = "select", true;
    /// Checks a box.
    Check = "check", true;
    /// Unchecks a box.
    Uncheck = "uncheck", true;
    /// Hands over files.
    Upload = "upload", true;
    /// Scrolls.
    Scroll = "scroll", true;
    /// Waits for a condition.
    Wait = "wait", false;
    /// Answers a dialog.
    Dialog = "dialog", true;
    /// Lists, switches or closes tabs.
    Tabs = "tabs", true;
    /// Goes back.
    Back = "back", true;
    /// Goes forward.
    Forward = "forward", true;
    /// Loads again.
    Reload = "reload", true;
    /// Takes a picture of a part.
    Zoom = "zoom", false;
    /// Prints to PDF.
    Pdf = "pdf", false;
    /// Checks an expectation.
    Assert = "assert", false;
    /// Writes the report.
    Report = "report", false;
    /// Ends the session.
    Close = "close", true;
    /// Does several things in order.
    Batch = "batch", true;
}

impl ActionName {
    /// Finds a name, whatever the case.
    pub fn find(text: &str) -> Option<Self> {
        let same = |name: &&Self| name.as_str().eq_ignore_ascii_case(text.trim());
        Self::ALL.iter().find(same).copied()
    }
}
