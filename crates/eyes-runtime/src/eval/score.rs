//! Comparing a reading with one line of the truth; pure.

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    record::Evidence,
};
use unicode_normalization::UnicodeNormalization as _;

use super::suite::TruthLine;
use crate::limits::MAX_COMPARED_CHARS;

/// Text with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub rect: PixelRect,
}

/// What a reader found in one picture, ready to be compared.
#[derive(Debug, Clone)]
pub struct Readout {
    size: PixelSize,
    /// Texts in normal form.
    entries: Vec<Found>,
    words: Vec<Found>,
}

/// What became of one expected line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineScore {
    /// The expected text in normal form.
    pub text: String,
    /// Whether it was found exactly.
    pub found: bool,
    /// What stands in its place.
    pub read: String,
    /// Its characters without white space.
    pub characters: usize,
    /// How many edits turn the best matching part of what was read into it.
    pub errors: usize,
    /// The box that the reader gives for the line, where it was found.
    pub rect: Option<PixelRect>,
    /// Intersection over union of that box with the line box.
    pub iou: Option<f64>,
}

impl LineScore {
    /// Returns the score of a line of a picture that was not read.
    pub fn missed(truth: &TruthLine) -> Self {
        let text = normalize(&truth.text);
        let characters = bare(&text).len();
        Self {
            text,
            found: false,
            read: String::new(),
            characters,
            errors: characters,
            rect: None,
            iou: None,
        }
    }
}

impl Readout {
    /// Takes lines as the reader reports them, and words for boxes of text that is part of a longer line.
    pub fn new(size: PixelSize, entries: Vec<Found>, words: Vec<Found>) -> Self {
        let normal = |entry: Found| Found {
            text: normalize(&entry.text),
            ..entry
        };
        Self {
            size,
            entries: entries.into_iter().map(normal).collect(),
            words,
        }
    }

    /// Takes the recognised text of a document, which has no words apart.
    pub fn of_evidence(size: PixelSize, evidence: &Evidence) -> Self {
        let ocr = match evidence {
            Evidence::Base(base) => &base.ocr,
            Evidence::Target(target) => &target.ocr,
        };
        let entries: Vec<Found> = ocr
            .iter()
            .map(|entry| Found {
                text: entry.text.as_str().to_owned(),
                rect: entry.bbox.to_pixels(size),
            })
            .collect();
        Self::new(size, entries.clone(), entries)
    }

    /// Compares with one line.
    pub fn score(&self, truth: &TruthLine) -> LineScore {
        let place = truth.bbox.to_pixels(self.size);
        let expected = normalize(&truth.text);
        let mut near: Vec<&Found> = self
            .entries
            .iter()
            .filter(|entry| on_line(entry.rect, place))
            .collect();
        near.sort_by_key(|entry| entry.rect.x);
        let texts: Vec<&str> = near.iter().map(|entry| entry.text.as_str()).collect();
        let joined = normalize(&texts.join(" "));
        let found = texts.iter().any(|text| text.contains(&expected)) || joined.contains(&expected);
        let (want, mut have) = (bare(&expected), bare(&joined));
        // Limit: the comparison takes time with the product of both lengths.
        have.truncate(MAX_COMPARED_CHARS);
        let errors = if found {
            0
        } else {
            substring_distance(&want, &have)
        };
        let rect = if found {
            self.located(&near, &expected, place)
        } else {
            None
        };
        LineScore {
            text: expected,
            found,
            read: joined,
            characters: want.len(),
            errors,
            rect,
            iou: rect.map(|rect| iou(rect, place)),
        }
    }

    /// The box that the reader gives for the string: its entry, or its words where it is part of one.
    fn located(&self, near: &[&Found], expected: &str, place: PixelRect) -> Option<PixelRect> {
        if let Some(entry) = near.iter().find(|entry| entry.text == expected) {
            return Some(entry.rect);
        }
        let inside = |word: &&Found| {
            let x = word.rect.x + word.rect.width / 2;
            on_line(word.rect, place) && (place.x..place.right()).contains(&x)
        };
        let words = self.words.iter().filter(inside);
        words.map(|word| word.rect).reduce(union)
    }
}

/// Returns NFKC with white space collapsed, and none beside a Chinese character: readers differ there by habit.
pub(super) fn normalize(text: &str) -> String {
    let chars: Vec<char> = text
        .nfkc()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect();
    let chinese =
        |c: char| matches!(u32::from(c), 0x3000..=0x303F | 0x3400..=0x9FFF | 0xF900..=0xFAFF);
    let mut out = String::new();
    let mut last = None;
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if c != ' ' {
            out.push(c);
            last = Some(c);
            at += 1;
            continue;
        }
        let run = chars[at..].iter().take_while(|c| **c == ' ').count();
        at += run;
        let next = chars.get(at).copied();
        if let (Some(last), Some(next)) = (last, next)
            && !chinese(last)
            && !chinese(next)
        {
            out.push(' ');
        }
    }
    out
}

fn bare(text: &str) -> Vec<char> {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether an entry stands on the line: half of the lower one's height shared, and some width.
fn on_line(entry: PixelRect, line: PixelRect) -> bool {
    let shared = |start: u32, end: u32| end.saturating_sub(start);
    let down = shared(entry.y.max(line.y), entry.bottom().min(line.bottom()));
    let across = shared(entry.x.max(line.x), entry.right().min(line.right()));
    across > 0 && u64::from(down) * 2 >= u64::from(entry.height.min(line.height))
}

/// Returns the smallest rectangle around both.
pub fn union(a: PixelRect, b: PixelRect) -> PixelRect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    PixelRect {
        x,
        y,
        width: a.right().max(b.right()) - x,
        height: a.bottom().max(b.bottom()) - y,
    }
}

/// Intersection over union.
pub(super) fn iou(a: PixelRect, b: PixelRect) -> f64 {
    let across = a.right().min(b.right()).saturating_sub(a.x.max(b.x));
    let down = a.bottom().min(b.bottom()).saturating_sub(a.y.max(b.y));
    let area = |w: u32, h: u32| f64::from(w) * f64::from(h);
    let shared = area(across, down);
    shared / (area(a.width, a.height) + area(b.width, b.height) - shared)
}

/// Edits that turn the best matching part of `have` into `want`.
pub(super) fn substring_distance(want: &[char], have: &[char]) -> usize {
    // The part may begin and end anywhere in `have`: the first row is free, the best end is taken.
    let mut row = vec![0; have.len() + 1];
    for (i, w) in want.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, h) in have.iter().enumerate() {
            let substituted = diagonal + usize::from(w != h);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row.into_iter().min().unwrap_or(want.len())
}
