//! The members of a JSON object, taken one by one; what is left over is refused by name.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::ActionError;
use crate::limits::MAX_QUERY_CHARS;

/// The arguments of one action while they are read.
pub(super) struct Fields<'a> {
    action: &'static str,
    map: &'a Map<String, Value>,
    taken: BTreeSet<&'static str>,
}

type Read<T> = Result<T, ActionError>;

impl<'a> Fields<'a> {
    pub(super) const fn new(action: &'static str, map: &'a Map<String, Value>) -> Self {
        Self {
            action,
            map,
            taken: BTreeSet::new(),
        }
    }

    pub(super) fn wrong(&self, what: impl Into<String>) -> ActionError {
        ActionError::Argument {
            action: self.action,
            what: what.into(),
        }
    }

    pub(super) fn missing(&self, name: &str) -> ActionError {
        self.wrong(format!("`{name}` is missing"))
    }

    pub(super) fn raw(&mut self, name: &'static str) -> Option<&'a Value> {
        self.taken.insert(name);
        self.map.get(name)
    }

    /// Reads a text that is trimmed and not blank.
    pub(super) fn text(&mut self, name: &'static str, max: usize) -> Read<Option<String>> {
        let Some(value) = self.raw(name) else {
            return Ok(None);
        };
        let Value::String(text) = value else {
            return Err(self.wrong(format!("`{name}` is not a text")));
        };
        self.checked(name, text.trim(), max).map(Some)
    }

    pub(super) fn checked(&self, name: &str, text: &str, max: usize) -> Read<String> {
        if text.is_empty() {
            return Err(self.wrong(format!("`{name}` is blank")));
        }
        if text.chars().nth(max).is_some() {
            return Err(self.wrong(format!("`{name}` has more than {max} characters")));
        }
        Ok(text.to_owned())
    }

    pub(super) fn query(&mut self, name: &'static str) -> Read<Option<String>> {
        self.text(name, MAX_QUERY_CHARS)
    }

    pub(super) fn need(&mut self, name: &'static str, max: usize) -> Read<String> {
        let text = self.text(name, max)?;
        text.ok_or_else(|| self.missing(name))
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Read<Option<bool>> {
        match self.raw(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.wrong(format!("`{name}` is neither true nor false"))),
        }
    }

    /// Reads a finite number whose magnitude is within a million.
    pub(super) fn number(&mut self, name: &'static str) -> Read<Option<f64>> {
        let Some(value) = self.raw(name) else {
            return Ok(None);
        };
        let number = value.as_f64().filter(|n| n.is_finite() && n.abs() <= 1e6);
        number
            .map(Some)
            .ok_or_else(|| self.wrong(format!("`{name}` is not a number up to 1000000")))
    }

    pub(super) fn whole(&mut self, name: &'static str, from: u64, to: u64) -> Read<Option<u64>> {
        let Some(value) = self.raw(name) else {
            return Ok(None);
        };
        let whole = value.as_u64().or_else(|| {
            let float = value.as_f64().filter(|f| f.fract() == 0.0 && *f >= 0.0)?;
            (float <= 1e15).then_some(float as u64)
        });
        whole
            .filter(|number| (from..=to).contains(number))
            .map(Some)
            .ok_or_else(|| self.wrong(format!("`{name}` is not a whole number of {from} to {to}")))
    }

    /// Reads one of several words, whatever the case.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Read<Option<T>> {
        let Some(text) = self.text(name, 40)? else {
            return Ok(None);
        };
        let found = words.iter().find(|(w, _)| w.eq_ignore_ascii_case(&text));
        found.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(format!("`{name}` is none of {}", known.join(", ")))
        })
    }

    /// Reads a list of texts, or one text as a list of one.
    pub(super) fn texts(
        &mut self,
        name: &'static str,
        count: usize,
        chars: usize,
    ) -> Read<Option<Vec<String>>> {
        let list = match self.raw(name) {
            None => return Ok(None),
            Some(one @ Value::String(_)) => std::slice::from_ref(one),
            Some(Value::Array(list)) => list.as_slice(),
            Some(_) => return Err(self.wrong(format!("`{name}` is neither a text nor a list"))),
        };
        if list.is_empty() || list.len() > count {
            return Err(self.wrong(format!("`{name}` has not 1 to {count} entries")));
        }
        let texts = list.iter().map(|value| match value {
            Value::String(text) => self.checked(name, text, chars),
            _ => Err(self.wrong(format!("`{name}` has an entry that is no text"))),
        });
        texts.collect::<Read<_>>().map(Some)
    }

    /// Refuses what nobody took.
    pub(super) fn finish(self) -> Read<()> {
        let left = self
            .map
            .keys()
            .find(|name| !self.taken.contains(name.as_str()));
        let Some(left) = left else { return Ok(()) };
        let known: Vec<_> = self.taken.iter().copied().collect();
        let shown: String = left.chars().take(40).collect();
        Err(self.wrong(format!(
            "{shown:?} is no argument of it; it takes {}",
            known.join(", ")
        )))
    }
}
