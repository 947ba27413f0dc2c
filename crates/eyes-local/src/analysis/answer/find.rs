//! Finding what a question names.

use eyes_evidence::geometry::PixelRect;

use super::{
    super::{Control, Layout, rect::holds_centre},
    question::fold,
};
use crate::text::TextLine;

/// The part of the picture that is asked about.
pub(super) struct Scope<'a> {
    pub layout: &'a Layout,
    pub lines: &'a [TextLine],
    /// The lines in the part, in reading order.
    pub order: Vec<usize>,
    /// The part; the whole picture where none is given.
    pub area: PixelRect,
    /// Whether a part was given.
    pub partial: bool,
}

/// How well a text fits what is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// All words of the name stand in the text.
    Words,
    /// The name stands in the text.
    Part,
    /// The text is the name, save for punctuation, spaces and case.
    Whole,
}

/// Letters and digits only, in lower case.
pub(super) fn bare(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Compares a text with a name; nothing when the name is not in the text.
pub(super) fn fit(text: &str, name: &str) -> Option<Fit> {
    let (text_bare, name_bare) = (bare(text), bare(name));
    if name_bare.is_empty() {
        // A name of signs only, such as `+`, is compared as it is.
        return (!name.trim().is_empty() && fold(text).contains(name.trim())).then_some(Fit::Part);
    }
    if text_bare == name_bare {
        return Some(Fit::Whole);
    }
    let folded = fold(text);
    if contains_words(&folded, name.trim())
        || (!name.is_ascii() && text_bare.contains(&name_bare))
        || (name.trim().contains(' ') && text_bare.contains(&name_bare))
    {
        return Some(Fit::Part);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let all = words.len() > 1 && words.iter().all(|w| contains_words(&folded, w));
    all.then_some(Fit::Words)
}

/// Whether `phrase` stands in `text` and no letter or digit continues it.
fn contains_words(text: &str, phrase: &str) -> bool {
    let ascii_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    !phrase.is_empty()
        && text.match_indices(phrase).any(|(at, found)| {
            let before = ascii_word(text[..at].chars().next_back());
            let after = ascii_word(text[at + found.len()..].chars().next());
            let starts = ascii_word(found.chars().next());
            let ends = ascii_word(found.chars().next_back());
            !(before && starts || after && ends)
        })
}

impl<'a> Scope<'a> {
    pub(super) fn new(layout: &'a Layout, lines: &'a [TextLine], part: Option<PixelRect>) -> Self {
        let whole = PixelRect {
            x: 0,
            y: 0,
            width: layout.size.width,
            height: layout.size.height,
        };
        let area = part.unwrap_or(whole);
        let order = layout
            .order
            .iter()
            .copied()
            .filter(|&l| part.is_none() || touches(area, lines[l].rect))
            .collect();
        Self {
            layout,
            lines,
            order,
            area,
            partial: part.is_some(),
        }
    }

    /// Returns the lines that fit `name` best, in reading order.
    pub(super) fn lines_named(&self, name: &str) -> Vec<usize> {
        best(
            self.order
                .iter()
                .map(|&l| (l, fit(&self.lines[l].text, name))),
        )
    }

    /// Returns the controls in the part.
    pub(super) fn controls(&self) -> impl Iterator<Item = &'a Control> + '_ {
        self.layout
            .controls
            .iter()
            .filter(|c| touches(self.area, c.rect))
    }

    /// Returns the controls whose label fits `name` best among those that `wanted` accepts; all of them
    /// when no name is given.
    pub(super) fn controls_named(
        &self,
        name: &str,
        wanted: impl Fn(&Control) -> bool,
    ) -> Vec<&'a Control> {
        let those = self.controls().filter(|c| wanted(c));
        if name.is_empty() {
            return those.collect();
        }
        best(those.map(|c| (c, c.label.as_deref().and_then(|label| fit(label, name)))))
    }
}

/// Whether half of a thing, or its centre, lies in an area.
pub(super) fn touches(area: PixelRect, r: PixelRect) -> bool {
    holds_centre(area, r) || super::super::rect::share_inside(r, area) >= 0.5
}

/// Keeps what fits best.
pub(super) fn best<T>(candidates: impl Iterator<Item = (T, Option<Fit>)>) -> Vec<T> {
    let fitting: Vec<(T, Fit)> = candidates.filter_map(|(t, f)| Some((t, f?))).collect();
    let Some(top) = fitting.iter().map(|(_, f)| *f).max() else {
        return Vec::new();
    };
    fitting
        .into_iter()
        .filter(|(_, f)| *f == top)
        .map(|(t, _)| t)
        .collect()
}
