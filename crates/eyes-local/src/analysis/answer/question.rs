//! What a question asks for: fixed phrases of English and Chinese, nothing is inferred.

use super::super::ControlKind;
use crate::limits::MAX_QUESTION_CHARS;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// The colour of something.
    Colour,
    /// How many there are.
    Count,
    /// Whether something is checked, chosen or on.
    State,
    /// Where something is.
    Locate,
    /// Whether something is there.
    Presence,
    /// An error message or its code.
    Error,
    /// The title.
    Title,
    /// Width and height of the image.
    Size,
    /// The text.
    Read,
    /// The value beside a label.
    Value,
    /// Nothing that this reader answers.
    Other,
}

/// A kind of thing named in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    Control(ControlKind),
    /// Any control that is filled in.
    Input,
    Row,
    Column,
    Table,
    Line,
    Icon,
    Bar,
    Dialog,
    Panel,
    Background,
    Text,
    Colours,
    Image,
}

/// A question taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub intent: Intent,
    /// The kind of thing named, the most specific first.
    pub things: Vec<Thing>,
    /// What is left when the phrase is taken away, or what stands in quotes; may be empty.
    pub subject: String,
    /// The whole question in lower case.
    pub folded: String,
}

/// Phrases of each intent, the most telling first. An ASCII phrase is matched as whole words.
const INTENTS: &[(Intent, &[&str])] = &[
    (
        Intent::Size,
        &[
            "size of the image",
            "size of the picture",
            "size of the screenshot",
            "image size",
            "resolution",
            "dimensions",
            "image dimensions",
            "\u{5206}\u{8fa8}\u{7387}",
            "\u{56fe}\u{7247}\u{5c3a}\u{5bf8}",
            "\u{56fe}\u{7247}\u{5927}\u{5c0f}",
            "\u{56fe}\u{50cf}\u{5c3a}\u{5bf8}",
        ],
    ),
    (
        Intent::Colour,
        &[
            "what color",
            "what colour",
            "which color",
            "which colour",
            "color",
            "colour",
            "colors",
            "colours",
            "\u{4ec0}\u{4e48}\u{989c}\u{8272}",
            "\u{989c}\u{8272}",
        ],
    ),
    (
        Intent::Count,
        &[
            "how many",
            "number of",
            "count of",
            "count the",
            "count",
            "\u{591a}\u{5c11}\u{4e2a}",
            "\u{51e0}\u{4e2a}",
            "\u{591a}\u{5c11}\u{884c}",
            "\u{51e0}\u{884c}",
            "\u{591a}\u{5c11}\u{5217}",
            "\u{51e0}\u{5217}",
            "\u{6570}\u{91cf}",
            "\u{591a}\u{5c11}\u{9879}",
            "\u{51e0}\u{9879}",
            "\u{591a}\u{5c11}\u{6761}",
            "\u{51e0}\u{6761}",
            "\u{591a}\u{5c11}\u{5f20}",
            "\u{51e0}\u{5f20}",
        ],
    ),
    (
        Intent::Locate,
        &[
            "where is",
            "where are",
            "where's",
            "where",
            "locate",
            "location of",
            "position of",
            "coordinates of",
            "bounding box of",
            "find",
            "\u{5728}\u{54ea}\u{91cc}",
            "\u{5728}\u{54ea}\u{513f}",
            "\u{5728}\u{54ea}",
            "\u{54ea}\u{91cc}",
            "\u{4f4d}\u{7f6e}",
            "\u{627e}\u{5230}",
            "\u{5750}\u{6807}",
        ],
    ),
    (
        Intent::State,
        &[
            "checked",
            "unchecked",
            "ticked",
            "selected",
            "enabled",
            "disabled",
            "turned on",
            "turned off",
            "switched on",
            "switched off",
            "on or off",
            "toggled",
            "state of",
            "status of the toggle",
            "is on",
            "is off",
            "\u{9009}\u{4e2d}",
            "\u{52fe}\u{9009}",
            "\u{52fe}\u{4e0a}",
            "\u{5f00}\u{542f}",
            "\u{6253}\u{5f00}",
            "\u{5173}\u{95ed}",
            "\u{542f}\u{7528}",
            "\u{5f00}\u{7740}",
            "\u{5173}\u{7740}",
            "\u{5f00}\u{8fd8}\u{662f}\u{5173}",
        ],
    ),
    (
        Intent::Presence,
        &[
            "is there any",
            "is there an",
            "is there a",
            "is there",
            "are there any",
            "are there",
            "does it show",
            "does it contain",
            "does it have",
            "does it say",
            "does the image contain",
            "does the image show",
            "does the page show",
            "does the screen show",
            "does the dialog show",
            "contain",
            "contains",
            "can you see",
            "do you see",
            "\u{6709}\u{6ca1}\u{6709}",
            "\u{662f}\u{5426}\u{6709}",
            "\u{662f}\u{5426}\u{5b58}\u{5728}",
            "\u{662f}\u{5426}\u{5305}\u{542b}",
            "\u{662f}\u{5426}\u{663e}\u{793a}",
        ],
    ),
    (
        Intent::Error,
        &[
            "error code",
            "error message",
            "error text",
            "what error",
            "which error",
            "what went wrong",
            "the error",
            "error",
            "\u{9519}\u{8bef}\u{4ee3}\u{7801}",
            "\u{9519}\u{8bef}\u{7801}",
            "\u{9519}\u{8bef}\u{4fe1}\u{606f}",
            "\u{9519}\u{8bef}\u{6d88}\u{606f}",
            "\u{4ec0}\u{4e48}\u{9519}\u{8bef}",
            "\u{62a5}\u{9519}",
        ],
    ),
    (
        Intent::Read,
        &[
            "what does it say",
            "what does this say",
            "read the text",
            "read all text",
            "read out",
            "read",
            "transcribe",
            "ocr",
            "what text",
            "which text",
            "all text",
            "all the text",
            "what is written",
            "what's written",
            "written",
            "what does",
            "say",
            "says",
            "text in",
            "\u{5199}\u{4e86}\u{4ec0}\u{4e48}",
            "\u{5199}\u{7740}\u{4ec0}\u{4e48}",
            "\u{5199}\u{7684}\u{662f}\u{4ec0}\u{4e48}",
            "\u{4ec0}\u{4e48}\u{6587}\u{5b57}",
            "\u{54ea}\u{4e9b}\u{6587}\u{5b57}",
            "\u{8bfb}\u{51fa}",
            "\u{8bfb}\u{53d6}",
            "\u{8bc6}\u{522b}\u{6587}\u{5b57}",
            "\u{6587}\u{5b57}\u{5185}\u{5bb9}",
            "\u{663e}\u{793a}\u{4e86}\u{4ec0}\u{4e48}",
            "\u{8bf4}\u{4e86}\u{4ec0}\u{4e48}",
            "\u{6587}\u{5b57}\u{662f}\u{4ec0}\u{4e48}",
        ],
    ),
    (
        Intent::Title,
        &["title", "heading", "caption", "\u{6807}\u{9898}"],
    ),
    (
        Intent::Value,
        &[
            "what is the value of",
            "what's the value of",
            "value of",
            "what is the value for",
            "value for",
            "what value",
            "what is",
            "what's",
            "what are",
            "how much is",
            "how much",
            "set to",
            "which",
            "percentage of",
            "\u{7684}\u{503c}\u{662f}\u{591a}\u{5c11}",
            "\u{7684}\u{503c}\u{662f}\u{4ec0}\u{4e48}",
            "\u{662f}\u{591a}\u{5c11}",
            "\u{4e3a}\u{591a}\u{5c11}",
            "\u{7684}\u{503c}",
            "\u{662f}\u{4ec0}\u{4e48}",
            "\u{591a}\u{5c11}",
        ],
    ),
];

/// Words that name a kind of thing.
const THINGS: &[(Thing, &[&str])] = &[
    (
        Thing::Control(ControlKind::Checkbox),
        &[
            "checkbox",
            "checkboxes",
            "check box",
            "check boxes",
            "tick box",
            "\u{590d}\u{9009}\u{6846}",
            "\u{52fe}\u{9009}\u{6846}",
            "\u{591a}\u{9009}\u{6846}",
        ],
    ),
    (
        Thing::Control(ControlKind::Radio),
        &[
            "radio button",
            "radio buttons",
            "radio",
            "\u{5355}\u{9009}\u{6309}\u{94ae}",
            "\u{5355}\u{9009}\u{6846}",
        ],
    ),
    (
        Thing::Control(ControlKind::Toggle),
        &[
            "toggle",
            "toggles",
            "switch",
            "switches",
            "\u{5f00}\u{5173}",
        ],
    ),
    (
        Thing::Control(ControlKind::Dropdown),
        &[
            "dropdown",
            "dropdowns",
            "select box",
            "\u{4e0b}\u{62c9}\u{6846}",
            "\u{4e0b}\u{62c9}\u{83dc}\u{5355}",
        ],
    ),
    (
        Thing::Input,
        &[
            "text field",
            "text fields",
            "text box",
            "text boxes",
            "input field",
            "input fields",
            "field",
            "fields",
            "input",
            "inputs",
            "textbox",
            "\u{8f93}\u{5165}\u{6846}",
            "\u{6587}\u{672c}\u{6846}",
            "\u{5b57}\u{6bb5}",
        ],
    ),
    (
        Thing::Control(ControlKind::Progress),
        &[
            "progress bar",
            "progress bars",
            "progress",
            "\u{8fdb}\u{5ea6}\u{6761}",
            "\u{8fdb}\u{5ea6}",
        ],
    ),
    (
        Thing::Control(ControlKind::Scrollbar),
        &["scrollbar", "scroll bar", "\u{6eda}\u{52a8}\u{6761}"],
    ),
    (
        Thing::Control(ControlKind::Button),
        &["button", "buttons", "\u{6309}\u{94ae}"],
    ),
    (
        Thing::Control(ControlKind::Badge),
        &["badge", "badges", "tag", "tags"],
    ),
    (
        Thing::Row,
        &[
            "rows",
            "row",
            "\u{591a}\u{5c11}\u{884c}",
            "\u{51e0}\u{884c}",
        ],
    ),
    (
        Thing::Column,
        &[
            "columns",
            "column",
            "\u{591a}\u{5c11}\u{5217}",
            "\u{51e0}\u{5217}",
        ],
    ),
    (Thing::Table, &["tables", "table", "\u{8868}\u{683c}"]),
    (Thing::Line, &["lines", "line", "lines of text"]),
    (Thing::Icon, &["icons", "icon", "\u{56fe}\u{6807}"]),
    (
        Thing::Bar,
        &["bars", "bar", "\u{67f1}\u{5b50}", "\u{67f1}\u{72b6}"],
    ),
    (
        Thing::Dialog,
        &[
            "dialog",
            "dialogue",
            "dialog box",
            "popup",
            "modal",
            "message box",
            "\u{5bf9}\u{8bdd}\u{6846}",
            "\u{5f39}\u{7a97}",
        ],
    ),
    (
        Thing::Panel,
        &[
            "panel",
            "panels",
            "card",
            "cards",
            "sidebar",
            "header",
            "footer",
            "\u{9762}\u{677f}",
            "\u{5361}\u{7247}",
        ],
    ),
    (
        Thing::Background,
        &["background", "page background", "\u{80cc}\u{666f}"],
    ),
    (
        Thing::Text,
        &[
            "text",
            "font",
            "letters",
            "label",
            "\u{6587}\u{5b57}",
            "\u{5b57}\u{4f53}",
            "\u{6587}\u{672c}",
        ],
    ),
    (
        Thing::Colours,
        &[
            "dominant",
            "main colors",
            "main colours",
            "palette",
            "used",
            "\u{4e3b}\u{8981}\u{989c}\u{8272}",
            "\u{4e3b}\u{8272}",
        ],
    ),
    (
        Thing::Image,
        &[
            "image",
            "picture",
            "screenshot",
            "screen",
            "page",
            "window",
            "\u{56fe}\u{7247}",
            "\u{622a}\u{56fe}",
            "\u{754c}\u{9762}",
            "\u{9875}\u{9762}",
            "\u{5c4f}\u{5e55}",
        ],
    ),
];

/// Words without a meaning of their own here.
const FILLERS: &[&str] = &[
    "the",
    "a",
    "an",
    "is",
    "are",
    "of",
    "in",
    "on",
    "at",
    "to",
    "for",
    "this",
    "that",
    "it",
    "its",
    "there",
    "here",
    "please",
    "can",
    "could",
    "you",
    "me",
    "tell",
    "show",
    "give",
    "shown",
    "displayed",
    "does",
    "do",
    "did",
    "has",
    "have",
    "with",
    "what",
    "which",
    "currently",
    "current",
    "exactly",
    "named",
    "called",
    "labelled",
    "labeled",
    "or",
    "off",
    "not",
    "and",
    "be",
    "was",
    "were",
    "value",
    "i",
    "\u{8bf7}\u{95ee}",
    "\u{8bf7}",
    "\u{56fe}\u{4e2d}",
    "\u{91cc}\u{9762}",
    "\u{4e2d}\u{7684}",
    "\u{4e0a}\u{7684}",
    "\u{91cc}\u{7684}",
    "\u{4e2d}",
    "\u{4e0a}",
    "\u{91cc}",
    "\u{662f}\u{5426}",
    "\u{5417}",
    "\u{5462}",
    "\u{8fd9}\u{4e2a}",
    "\u{90a3}\u{4e2a}",
    "\u{6709}",
    "\u{662f}",
    "\u{7684}",
    "\u{88ab}",
    "\u{4e86}",
    "\u{4ec0}\u{4e48}",
    "\u{8868}",
    "\u{4e2a}",
];

/// Takes a question apart.
pub(super) fn parse(question: &str) -> Question {
    let short: String = question.chars().take(MAX_QUESTION_CHARS).collect();
    let folded = fold(&short);
    let quoted = quoted(&folded);
    // What stands in quotes is a name, whatever words it has.
    let outside = match &quoted {
        Some(name) => folded.replace(&format!("\"{name}\""), " "),
        None => folded.clone(),
    };
    let mut rest = spaced(&outside);
    let mut intent = Intent::Other;
    for (candidate, phrases) in INTENTS {
        if let Some(phrase) = phrases.iter().find(|p| has_phrase(&rest, p)) {
            intent = *candidate;
            rest = without(&rest, phrase);
            break;
        }
    }
    let (intent, mut rest) = refine(intent, &outside, rest);
    let mut things = Vec::new();
    let spaced_outside = spaced(&outside);
    for (thing, words) in THINGS {
        for word in *words {
            if has_phrase(&spaced_outside, word) && !things.contains(thing) {
                things.push(*thing);
            }
            if has_phrase(&rest, word) {
                rest = without(&rest, word);
            }
        }
    }
    for filler in FILLERS {
        while has_phrase(&rest, filler) {
            rest = without(&rest, filler);
        }
    }
    let subject = quoted.unwrap_or_else(|| rest.split_whitespace().collect::<Vec<_>>().join(" "));
    Question {
        intent,
        things,
        subject,
        folded,
    }
}

/// A yes-or-no question in Chinese ends with a particle: `X ... ma`.
fn refine(intent: Intent, outside: &str, rest: String) -> (Intent, String) {
    let asks = outside
        .trim_end_matches(['?', ' ', '.'])
        .ends_with('\u{5417}');
    let weak = matches!(intent, Intent::Other | Intent::Value | Intent::Error);
    if asks && weak && outside.contains('\u{6709}') {
        return (Intent::Presence, rest);
    }
    (intent, rest)
}

/// Lower case, half-width forms, one kind of quote.
pub(super) fn fold(text: &str) -> String {
    let half = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '\u{201c}' | '\u{201d}' | '\u{300c}' | '\u{300d}' | '\u{300e}' | '\u{300f}' | '`' => '"',
        '\u{2018}' | '\u{2019}' => '\'',
        _ => c,
    };
    text.chars()
        .map(half)
        .flat_map(char::to_lowercase)
        .collect()
}

fn quoted(folded: &str) -> Option<String> {
    let inside = |mark: char| {
        let (_, after) = folded.split_once(mark)?;
        let (name, _) = after.split_once(mark)?;
        (!name.trim().is_empty()).then(|| name.to_owned())
    };
    inside('"').or_else(|| {
        // An apostrophe inside a word is not a quote.
        let (before, after) = folded.split_once(" '")?;
        let (name, _) = after.split_once('\'')?;
        (!before.is_empty() && !name.trim().is_empty()).then(|| name.to_owned())
    })
}

/// The words between single spaces, punctuation of sentences taken away, with a space at both ends.
fn spaced(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '?' | '!' | ',' | ';' | '"' | '\u{3002}' | '\u{3001}' => ' ',
            _ => c,
        })
        .collect();
    let words: Vec<&str> = plain
        .split_whitespace()
        .map(|w| w.trim_end_matches(['.', ':']))
        .collect();
    format!(" {} ", words.join(" "))
}

/// ASCII phrases are matched as whole words, others anywhere.
fn has_phrase(spaced: &str, phrase: &str) -> bool {
    if phrase.is_ascii() {
        spaced.contains(&format!(" {phrase} "))
    } else {
        spaced.contains(phrase)
    }
}

fn without(text: &str, phrase: &str) -> String {
    let cut = if phrase.is_ascii() {
        text.replacen(&format!(" {phrase} "), " ", 1)
    } else {
        text.replacen(phrase, " ", 1)
    };
    spaced(&cut)
}
