//! Lists with a bound, and lists of distinct texts.

use std::{collections::BTreeSet, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, de};

use super::scalar::NonEmptyText;
use crate::limits::MAX_ATTRIBUTES;

/// A list holds more entries than its bound, or an entry twice where entries are distinct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TooMany {
    /// More entries than the bound.
    #[error("at most {0} entries are allowed")]
    Entries(usize),
    /// The same entry twice.
    #[error("entries are distinct")]
    Duplicate,
}

/// A list of at most `MAX` entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Bounded<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Bounded<T, MAX> {
    /// Checks the length.
    pub fn new(entries: Vec<T>) -> Result<Self, TooMany> {
        if entries.len() > MAX {
            Err(TooMany::Entries(MAX))
        } else {
            Ok(Self(entries))
        }
    }

    /// Takes the first `MAX` entries and returns how many were left out.
    pub fn truncated(mut entries: Vec<T>) -> (Self, usize) {
        let excess = entries.len().saturating_sub(MAX);
        entries.truncate(MAX);
        (Self(entries), excess)
    }

    /// Appends an entry; hands it back where the list is full.
    pub fn push(&mut self, entry: T) -> Result<(), T> {
        if self.0.len() >= MAX {
            return Err(entry);
        }
        self.0.push(entry);
        Ok(())
    }

    /// Returns the entries.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MAX: usize> Default for Bounded<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> Deref for Bounded<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T, const MAX: usize> IntoIterator for &'a Bounded<T, MAX> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Bounded<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// At most [`MAX_ATTRIBUTES`] texts, each at most once, in the order given.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct UniqueTexts(Vec<NonEmptyText>);

impl UniqueTexts {
    /// Checks length and distinctness.
    pub fn new(texts: Vec<NonEmptyText>) -> Result<Self, TooMany> {
        if texts.len() > MAX_ATTRIBUTES {
            return Err(TooMany::Entries(MAX_ATTRIBUTES));
        }
        if Self::distinct(&texts) {
            Ok(Self(texts))
        } else {
            Err(TooMany::Duplicate)
        }
    }

    /// Keeps each text once, up to the bound, and returns how many were left out.
    pub fn deduplicated(texts: Vec<NonEmptyText>) -> (Self, usize) {
        let before = texts.len();
        let mut kept = texts;
        if !Self::distinct(&kept) {
            let mut seen = BTreeSet::new();
            let first: Vec<bool> = kept.iter().map(|text| seen.insert(text)).collect();
            let mut first = first.into_iter();
            kept.retain(|_| first.next().unwrap_or(false));
        }
        kept.truncate(MAX_ATTRIBUTES);
        let left_out = before - kept.len();
        (Self(kept), left_out)
    }

    fn distinct(texts: &[NonEmptyText]) -> bool {
        // A handful is the rule: comparing pairs beats building a set.
        if texts.len() <= 8 {
            texts
                .iter()
                .enumerate()
                .all(|(at, text)| !texts[..at].contains(text))
        } else {
            texts.iter().collect::<BTreeSet<_>>().len() == texts.len()
        }
    }
}

impl Deref for UniqueTexts {
    type Target = [NonEmptyText];

    fn deref(&self) -> &[NonEmptyText] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for UniqueTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
