//! What a question asks for: fixed phrases of English and Chinese, nothing is inferred.

use super::{
    super::ControlKind,
    phrases::{FILLERS, INTENTS, PARTICLES, THINGS},
};
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
    let subject = quoted.unwrap_or_else(|| {
        let words = rest
            .split_whitespace()
            .map(|w| without_particles(w, intent));
        words
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    });
    Question {
        intent,
        things,
        subject,
        folded,
    }
}

/// A particle ends a name (`X de`), and `you` begins one where presence is asked; inside names they stay.
fn without_particles(word: &str, intent: Intent) -> &str {
    if word.chars().all(|c| PARTICLES.contains(&c)) {
        return "";
    }
    let word = word.trim_end_matches(['\u{7684}', '\u{662f}', '\u{88ab}', '\u{4e86}']);
    if intent == Intent::Presence {
        word.trim_start_matches('\u{6709}')
    } else {
        word
    }
}

/// A question whose end tells what it asks: `is X on`, and in Chinese a closing particle.
fn refine(intent: Intent, outside: &str, rest: String) -> (Intent, String) {
    let whole = spaced(outside);
    let on_or_off = whole.ends_with(" on ") || whole.ends_with(" off ");
    if intent == Intent::Other && whole.starts_with(" is ") && on_or_off {
        return (Intent::State, rest);
    }
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
