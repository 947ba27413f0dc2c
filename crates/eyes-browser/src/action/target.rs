//! What an action is about.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::driver::{Point, Query};

/// The name of an element in a session: prints as `e12`, counted from 1, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[serde(try_from = "String", into = "String")]
pub struct Ref(pub u32);

/// The text is no ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a ref is `e` and a number, such as e12")]
pub struct RefError;

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

impl FromStr for Ref {
    type Err = RefError;

    fn from_str(text: &str) -> Result<Self, RefError> {
        let digits = text.strip_prefix('e').ok_or(RefError)?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let number = digits.parse().ok().filter(|_| plain).ok_or(RefError)?;
        Ok(Self(number))
    }
}

impl TryFrom<String> for Ref {
    type Error = RefError;

    fn try_from(text: String) -> Result<Self, RefError> {
        text.parse()
    }
}

impl From<Ref> for String {
    fn from(reference: Ref) -> Self {
        reference.to_string()
    }
}

/// What an action is about: exactly one way to name it.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// An element of the newest state.
    Ref(Ref),
    /// What a query finds when the action begins; it has to be one element, or the `nth` of them.
    Search {
        /// What is looked for.
        query: Query,
        /// Which of several in document order, counted from 1.
        nth: Option<u32>,
    },
    /// A point of the newest delivered picture, in its pixels.
    Point(Point),
}

impl Target {
    /// Says what it is, for messages and records.
    pub fn describe(&self) -> String {
        match self {
            Self::Ref(reference) => reference.to_string(),
            Self::Point(point) => format!("({}, {})", point.x, point.y),
            Self::Search { query, .. } => match query {
                Query::Css(selector) => format!("selector {selector:?}"),
                Query::Role {
                    role, name: None, ..
                } => role.clone(),
                Query::Role {
                    role,
                    name: Some(name),
                    ..
                } => format!("{role} {name:?}"),
                Query::Text { text, .. } => format!("text {text:?}"),
                Query::Key(_) => "element".to_owned(),
            },
        }
    }
}
