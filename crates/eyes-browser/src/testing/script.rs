//! Pages as a test describes them.

use crate::driver::{ConsoleLevel, DialogKind, Flags, Tristate};

/// One element of a scripted page.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementScript {
    /// What a test calls it; also what the selector `#id` finds.
    pub id: String,
    /// The local name.
    pub tag: String,
    /// The role.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// What it holds.
    pub value: Option<String>,
    /// Its states.
    pub flags: Flags,
    /// The labels of its options.
    pub options: Vec<String>,
    /// What covers it.
    pub covered_by: Option<String>,
    /// Whether it is rendered.
    pub visible: bool,
    /// What happens when it is clicked.
    pub on_click: Vec<Change>,
}

impl ElementScript {
    fn new(id: &str, tag: &str, role: &str, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            tag: tag.to_owned(),
            role: role.to_owned(),
            name: name.to_owned(),
            value: None,
            flags: Flags::default(),
            options: Vec::new(),
            covered_by: None,
            visible: true,
            on_click: Vec::new(),
        }
    }

    /// Makes a button.
    #[must_use]
    pub fn button(id: &str, name: &str, on_click: Vec<Change>) -> Self {
        Self {
            on_click,
            ..Self::new(id, "button", "button", name)
        }
    }

    /// Makes a text field.
    #[must_use]
    pub fn field(id: &str, name: &str) -> Self {
        let mut field = Self::new(id, "input", "textbox", name);
        field.value = Some(String::new());
        field.flags.editable = true;
        field
    }

    /// Makes a password field.
    #[must_use]
    pub fn password(id: &str, name: &str) -> Self {
        let mut field = Self::field(id, name);
        field.flags.secret = true;
        field
    }

    /// Makes a check box that is not checked.
    #[must_use]
    pub fn checkbox(id: &str, name: &str) -> Self {
        let mut field = Self::new(id, "input", "checkbox", name);
        field.flags.checked = Some(Tristate::False);
        field
    }

    /// Makes a select whose first option is chosen.
    #[must_use]
    pub fn select(id: &str, name: &str, options: &[&str]) -> Self {
        let mut field = Self::new(id, "select", "combobox", name);
        field.options = options.iter().map(|&option| option.to_owned()).collect();
        field.value = field.options.first().cloned();
        field
    }
}

/// A page under an address.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageScript {
    /// Its title.
    pub title: String,
    /// Its elements, top to bottom.
    pub elements: Vec<ElementScript>,
    /// Its lines of text.
    pub text: Vec<String>,
    /// The part of it that pictures cover.
    pub pictorial: f64,
}

/// Something that happens to a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The text is another.
    Text(Vec<String>),
    /// An element appears at a place among the others.
    Insert(usize, Box<ElementScript>),
    /// An element disappears.
    Remove(String),
    /// An element has another name.
    Rename(String, String),
    /// An element holds something else.
    Value(String, String),
    /// An element takes input, or none.
    Disable(String, bool),
    /// An element is rendered, or not.
    Show(String, bool),
    /// Something lies over an element, or nothing.
    Cover(String, Option<String>),
    /// The tab goes to another address.
    Goto(String),
    /// The same page is loaded again.
    Reload,
    /// A tab opens.
    OpenTab(String),
    /// A dialog opens; what happens when it is accepted follows.
    Dialog(DialogKind, String, Vec<Self>),
    /// A file chooser opens.
    Chooser,
    /// A download of so many bytes is complete.
    Download(String, u64),
    /// The console says something.
    Console(ConsoleLevel, String),
    /// A request begins.
    Request,
}
