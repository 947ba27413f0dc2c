//! Texts made comparable, and how far two may lie apart.

use unicode_normalization::UnicodeNormalization;

use super::Slips;
use crate::limits::{EXACT_TEXT_CHARS, MAX_TEXT_EDITS, TEXT_CHARS_PER_EDIT};

/// A text without what readers of print cannot agree on: widths (NFKC), white space, shapes of quotes and dashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Folded {
    pub(super) chars: Vec<char>,
    /// Whether white space stands before the character of the same place.
    spaced: Vec<bool>,
}

/// Work that may still be done, in cells of edit tables and characters.
#[derive(Debug)]
pub(super) struct Budget(pub(super) usize);

impl Budget {
    /// Takes `work` from what is left; tells whether there was enough.
    pub(super) const fn spend(&mut self, work: usize) -> bool {
        let enough = work <= self.0;
        self.0 = self.0.saturating_sub(work);
        enough
    }
}

impl Folded {
    pub(super) fn of(text: &str) -> Self {
        let mut folded = Self::default();
        folded.push(text);
        folded
    }

    /// Appends a text after white space.
    pub(super) fn push(&mut self, text: &str) {
        let mut spaced = true;
        for c in text.nfkc() {
            if c.is_whitespace() || c.is_control() {
                spaced = true;
                continue;
            }
            self.chars.push(look_alike(c));
            self.spaced.push(std::mem::take(&mut spaced));
        }
    }

    /// Appends another folded text after white space.
    pub(super) fn extend(&mut self, other: &Self) {
        self.chars.extend_from_slice(&other.chars);
        self.spaced.extend_from_slice(&other.spaced);
    }

    pub(super) const fn len(&self) -> usize {
        self.chars.len()
    }

    /// Tells whether a word may begin at `at`.
    fn is_boundary(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let Some(&after) = self.chars.get(at) else {
            return true;
        };
        self.spaced[at] || !(self.is_in_number(at) || is_word(self.chars[before]) && is_word(after))
    }

    /// Tells whether a number goes on at `at`: a part of one is another number.
    fn is_in_number(&self, at: usize) -> bool {
        let digit = |at: Option<usize>| {
            at.and_then(|at| self.chars.get(at))
                .is_some_and(|c| c.is_numeric())
        };
        let mark = |c: char| matches!(c, '.' | ',');
        let (before, after) = (digit(at.checked_sub(1)), digit(Some(at)));
        before && after
            || before && mark(self.chars[at]) && digit(Some(at + 1))
            || after && mark(self.chars[at - 1]) && digit(at.checked_sub(2))
    }

    /// Returns the characters of a stretch.
    fn part(&self, start: usize, end: usize) -> Self {
        Self {
            chars: self.chars[start..end].to_vec(),
            spaced: self.spaced[start..end].to_vec(),
        }
    }

    /// Tells whether both say the same, but for `slips` of recognition where they are allowed.
    pub(super) fn is_like(&self, other: &Self, slips: Slips, budget: &mut Budget) -> bool {
        let edits = slips.tolerance(self.len().min(other.len()));
        self.len().abs_diff(other.len()) <= edits
            && weighty(&self.chars).eq(weighty(&other.chars))
            && within(&self.chars, &other.chars, edits, budget)
            && (self.chars == other.chars || self.has_words_like(other, slips, budget))
    }

    /// Tells whether both have as many words and each is alike: `on` for `off` is no slip.
    fn has_words_like(&self, other: &Self, slips: Slips, budget: &mut Budget) -> bool {
        let (mine, theirs) = (self.words(), other.words());
        mine.len() == theirs.len()
            && mine.iter().zip(&theirs).all(|(a, b)| {
                let edits = slips.tolerance(a.len().min(b.len())).max(1);
                a.len().abs_diff(b.len()) <= edits && within(a, b, edits, budget)
            })
    }

    fn words(&self) -> Vec<&[char]> {
        let starts = (0..self.len()).filter(|&at| at == 0 || self.spaced[at]);
        let ends = (1..=self.len()).filter(|&at| at == self.len() || self.spaced[at]);
        starts
            .zip(ends)
            .map(|(start, end)| &self.chars[start..end])
            .collect()
    }

    /// Tells whether this text stands in `other` as whole words, but for `slips`.
    pub(super) fn is_part_of(&self, other: &Self, slips: Slips, budget: &mut Budget) -> bool {
        let edits = slips.tolerance(self.len());
        if self.len() == 0
            || self.len() > other.len() + edits
            || !budget.spend(self.len() * other.len())
        {
            return false;
        }
        ends_within(&self.chars, &other.chars, edits)
            .into_iter()
            .any(|(start, end)| {
                other.is_boundary(start)
                    && other.is_boundary(end)
                    && weighty(&self.chars).eq(weighty(&other.chars[start..end]))
                    && (self.chars == other.chars[start..end]
                        || self.has_words_like(&other.part(start, end), slips, budget))
            })
    }
}

/// Characters with one look and several codes that NFKC keeps apart.
const fn look_alike(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{3002}' => '.',
        '\u{b7}' | '\u{2022}' | '\u{2027}' | '\u{30fb}' => '\u{b7}',
        other => other,
    }
}

/// A letter of a script that writes words apart.
fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The characters of which each one counts: digits, and signs, marks and units that touch them.
fn weighty(chars: &[char]) -> impl Iterator<Item = char> {
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|c| c.is_numeric())
    };
    chars.iter().enumerate().filter_map(move |(at, &c)| {
        let before = is_digit(at.checked_sub(1));
        let after = is_digit(Some(at + 1));
        let counts = match c {
            _ if c.is_numeric() => true,
            '+' | '-' | '\u{b1}' | '<' | '>' | '=' | '$' | '\u{20ac}' | '\u{a3}' | '\u{a5}' => {
                before || after
            }
            '%' | '\u{2030}' | '\u{b0}' => before,
            '.' | ',' | ':' | '/' => before && after,
            _ => false,
        };
        counts.then_some(c)
    })
}

impl Slips {
    /// Returns how many slips a text of `chars` characters may have.
    fn tolerance(self, chars: usize) -> usize {
        match self {
            Self::OfRecognition if chars > EXACT_TEXT_CHARS => {
                (1 + chars / TEXT_CHARS_PER_EDIT).min(MAX_TEXT_EDITS)
            }
            _ => 0,
        }
    }
}

/// Tells whether at most `edits` insertions, deletions and replacements lead from one text to the other
/// (Ukkonen 1985: only a band of the table is filled).
fn within(a: &[char], b: &[char], edits: usize, budget: &mut Budget) -> bool {
    if a == b {
        return true;
    }
    if edits == 0 || !budget.spend(a.len() * (2 * edits + 1)) {
        return false;
    }
    let far = edits + 1;
    let mut row: Vec<usize> = (0..=b.len()).map(|at| at.min(far)).collect();
    for (at, x) in a.iter().enumerate() {
        let first = (at + 1).saturating_sub(edits).max(1);
        let last = (at + 1 + edits).min(b.len());
        let mut corner = row[first - 1];
        row[first - 1] = if first == 1 { (at + 1).min(far) } else { far };
        for to in first..=last {
            let above = if to == at + 1 + edits { far } else { row[to] };
            let replaced = corner + usize::from(*x != b[to - 1]);
            corner = row[to];
            row[to] = replaced.min(above + 1).min(row[to - 1] + 1).min(far);
        }
    }
    row[b.len()] <= edits
}

/// Finds where `needle` stands in `text` with at most `edits` slips: first and last-but-one place (Sellers 1980).
fn ends_within(needle: &[char], text: &[char], edits: usize) -> Vec<(usize, usize)> {
    // Of each prefix of the needle: slips, and where in the text it began.
    let mut column: Vec<(usize, usize)> = (0..=needle.len()).map(|slips| (slips, 0)).collect();
    let mut found = Vec::new();
    for (at, y) in text.iter().enumerate() {
        let mut corner = column[0];
        column[0] = (0, at + 1);
        for (row, x) in needle.iter().enumerate() {
            let replaced = (corner.0 + usize::from(x != y), corner.1);
            let skipped = (column[row + 1].0 + 1, column[row + 1].1);
            let missed = (column[row].0 + 1, column[row].1);
            corner = column[row + 1];
            column[row + 1] = replaced.min(skipped).min(missed);
        }
        let (slips, start) = column[needle.len()];
        if slips <= edits {
            found.push((start, at + 1));
        }
    }
    found
}
