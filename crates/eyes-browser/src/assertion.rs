//! Assertions on a page: what can be expected, and the verdict on what was found.

use std::borrow::Cow;

use serde::Serialize;

use crate::{
    action::Target,
    driver::{Node, Tristate},
};

/// What an assertion compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it, and the schema lists them")]
pub enum AssertionKind {
    Visible,
    Hidden,
    Enabled,
    Disabled,
    Checked,
    Unchecked,
    TextContains,
    TextEquals,
    ValueEquals,
    UrlContains,
    UrlEquals,
    TitleContains,
    TitleEquals,
    CountEquals,
}

/// What a kind of assertion needs as `expected`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Nothing,
    /// A text.
    Text,
    /// A number of elements.
    Count,
}

impl AssertionKind {
    /// Every kind, in the order of the schema.
    pub const ALL: &[Self] = &[
        Self::Visible,
        Self::Hidden,
        Self::Enabled,
        Self::Disabled,
        Self::Checked,
        Self::Unchecked,
        Self::TextContains,
        Self::TextEquals,
        Self::ValueEquals,
        Self::UrlContains,
        Self::UrlEquals,
        Self::TitleContains,
        Self::TitleEquals,
        Self::CountEquals,
    ];

    /// Returns the kind as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Visible => "visible",
            Self::Hidden => "hidden",
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Checked => "checked",
            Self::Unchecked => "unchecked",
            Self::TextContains => "text_contains",
            Self::TextEquals => "text_equals",
            Self::ValueEquals => "value_equals",
            Self::UrlContains => "url_contains",
            Self::UrlEquals => "url_equals",
            Self::TitleContains => "title_contains",
            Self::TitleEquals => "title_equals",
            Self::CountEquals => "count_equals",
        }
    }

    /// Finds a kind, whatever the case.
    pub fn find(text: &str) -> Option<Self> {
        let same = |kind: &&Self| kind.as_str().eq_ignore_ascii_case(text);
        Self::ALL.iter().find(same).copied()
    }

    /// Returns whether it is about the page and takes no target.
    pub const fn about_page(self) -> bool {
        matches!(
            self,
            Self::UrlContains | Self::UrlEquals | Self::TitleContains | Self::TitleEquals
        )
    }

    /// Returns what it needs to compare with.
    pub const fn takes(self) -> Expected {
        match self {
            Self::Visible
            | Self::Hidden
            | Self::Enabled
            | Self::Disabled
            | Self::Checked
            | Self::Unchecked => Expected::Nothing,
            Self::CountEquals => Expected::Count,
            _ => Expected::Text,
        }
    }
}

/// An expectation of a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// What is compared.
    pub kind: AssertionKind,
    /// Of what; nothing for the page itself.
    pub target: Option<Target>,
    /// With what.
    pub expected: Option<String>,
}

/// What was found when an expectation was looked at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The address.
    pub url: &'a str,
    /// The title.
    pub title: &'a str,
    /// What the target found, in document order.
    pub nodes: &'a [Node],
}

/// What one look at an expectation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it holds.
    pub passed: bool,
    /// What was there; absent where nothing was.
    pub actual: Option<String>,
    /// What a reader has to know about the verdict.
    pub note: Option<&'static str>,
}

/// What `hidden` says when nothing was found at all.
pub const NOTE_NO_MATCH: &str = "nothing matches the target, so it may be misspelt";
/// What a comparison of an element says when there is none.
const NOTE_MISSING: &str = "nothing matches the target";
/// What a comparison says when several match.
const NOTE_MANY: &str = "several elements match; the first was compared";
/// What a comparison of a secret value says.
const NOTE_SECRET: &str = "the value is secret and is not compared";

/// Judges an expectation; a missing element fails it, and never is an error.
///
/// Texts are compared after white space is collapsed, code point by code point. `hidden` holds where nothing
/// matches, with a note that says so.
pub fn judge(expectation: &Expectation, subject: Subject<'_>) -> Verdict {
    let expected = expectation.expected.as_deref().unwrap_or("");
    let kind = expectation.kind;
    match kind {
        AssertionKind::UrlContains | AssertionKind::UrlEquals => page(kind, subject.url, expected),
        AssertionKind::TitleContains | AssertionKind::TitleEquals => {
            page(kind, subject.title, expected)
        }
        AssertionKind::CountEquals => {
            let count = subject.nodes.len().to_string();
            Verdict {
                passed: count == expected.trim(),
                actual: Some(count),
                note: None,
            }
        }
        AssertionKind::Hidden => hidden(subject.nodes),
        _ => element(kind, subject.nodes, expected),
    }
}

fn page(kind: AssertionKind, actual: &str, expected: &str) -> Verdict {
    let equals = matches!(kind, AssertionKind::UrlEquals | AssertionKind::TitleEquals);
    Verdict {
        passed: if equals {
            actual == expected
        } else {
            actual.contains(expected)
        },
        actual: Some(actual.to_owned()),
        note: None,
    }
}

fn hidden(nodes: &[Node]) -> Verdict {
    let visible = nodes.iter().any(|node| node.visible);
    Verdict {
        passed: !visible,
        actual: (!nodes.is_empty()).then(|| if visible { "visible" } else { "hidden" }.to_owned()),
        note: nodes.is_empty().then_some(NOTE_NO_MATCH),
    }
}

fn element(kind: AssertionKind, nodes: &[Node], expected: &str) -> Verdict {
    // Of several, the first that is shown speaks for all.
    let Some(node) = nodes.iter().find(|n| n.visible).or_else(|| nodes.first()) else {
        return Verdict {
            passed: false,
            actual: None,
            note: Some(NOTE_MISSING),
        };
    };
    let is = |state: bool, yes: &str, no: &str| Some(if state { yes } else { no }.to_owned());
    let mut note = (nodes.len() > 1).then_some(NOTE_MANY);
    let (passed, actual) = match kind {
        AssertionKind::Enabled | AssertionKind::Disabled => {
            let disabled = node.flags.disabled;
            (
                disabled == (kind == AssertionKind::Disabled),
                is(disabled, "disabled", "enabled"),
            )
        }
        AssertionKind::Checked | AssertionKind::Unchecked => checked(kind, node),
        AssertionKind::TextContains | AssertionKind::TextEquals => {
            let text = collapsed(node.text.as_deref().unwrap_or(&node.fingerprint.name));
            let wanted = collapsed(expected);
            let passed = match kind {
                AssertionKind::TextEquals => text == wanted,
                _ => text.contains(wanted.as_ref()),
            };
            (passed, Some(text.into_owned()))
        }
        AssertionKind::ValueEquals if node.flags.secret => {
            note = Some(NOTE_SECRET);
            (false, None)
        }
        AssertionKind::ValueEquals => {
            let value = node.value.clone();
            (value.as_deref() == Some(expected), value)
        }
        _ => (node.visible, is(node.visible, "visible", "hidden")),
    };
    Verdict {
        passed,
        actual,
        note,
    }
}

fn checked(kind: AssertionKind, node: &Node) -> (bool, Option<String>) {
    let state = node.flags.checked.or(node.flags.pressed);
    let wanted = if kind == AssertionKind::Checked {
        Tristate::True
    } else {
        Tristate::False
    };
    let word = state.map(|state| match state {
        Tristate::True => "checked",
        Tristate::False => "unchecked",
        Tristate::Mixed => "mixed",
    });
    (state == Some(wanted), word.map(str::to_owned))
}

fn collapsed(text: &str) -> Cow<'_, str> {
    let words: Vec<_> = text.split_whitespace().collect();
    Cow::Owned(words.join(" "))
}
