//! Words of texts, names and queries.

/// Words that say nothing of what is looked for.
const STOP: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "for",
    "from", "give", "has", "have", "how", "i", "in", "into", "is", "it", "its", "let", "me", "my",
    "need", "of", "on", "or", "our", "out", "please", "so", "some", "that", "the", "their", "them",
    "there", "these", "this", "to", "up", "us", "use", "using", "want", "was", "we", "what",
    "when", "where", "which", "who", "will", "with", "you", "your",
];

/// Calls `f` with every word of a text, lower-case and stemmed; Chinese, Japanese and Korean come as pairs of
/// characters.
///
/// `readFile2` gives `read`, `file` and `2`; words that say nothing are left out.
pub(super) fn each(text: &str, f: &mut impl FnMut(&str)) {
    let mut word = String::new();
    let mut han: Vec<char> = Vec::new();
    let mut before = Kind::Other;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let kind = kind_of(character);
        let next = characters.peek().map_or(Kind::Other, |next| kind_of(*next));
        let begins = kind != before && !(before == Kind::Upper && kind == Kind::Lower)
            // In `HTTPServer` the last capital belongs to the word behind it.
            || (kind == Kind::Upper && before == Kind::Upper && next == Kind::Lower);
        if begins {
            flush(&mut word, f);
        }
        if kind == Kind::Han {
            han.push(character);
        } else {
            flush_han(&mut han, f);
        }
        if matches!(kind, Kind::Lower | Kind::Upper | Kind::Digit) {
            word.extend(character.to_lowercase());
        }
        before = kind;
    }
    flush(&mut word, f);
    flush_han(&mut han, f);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Han,
    Other,
}

fn kind_of(character: char) -> Kind {
    match character {
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        character if is_han(character) => Kind::Han,
        character if character.is_uppercase() => Kind::Upper,
        character if character.is_alphabetic() => Kind::Lower,
        _ => Kind::Other,
    }
}

/// Whether words are written without spaces in the script of a character.
pub(super) const fn is_han(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

fn flush(word: &mut String, f: &mut impl FnMut(&str)) {
    if !word.is_empty() && !STOP.contains(&word.as_str()) {
        f(stem(word));
    }
    word.clear();
}

fn flush_han(han: &mut Vec<char>, f: &mut impl FnMut(&str)) {
    let mut pair = String::new();
    match han.as_slice() {
        [] => return,
        [one] => {
            pair.push(*one);
            f(&pair);
        }
        several => {
            for two in several.windows(2) {
                pair.clear();
                pair.extend(two);
                f(&pair);
            }
        }
    }
    han.clear();
}

/// Cuts the endings of English that change the form of a word and not its meaning.
///
/// `create`, `creates`, `created`, `creating` and `creation` have one stem; it need not be a word.
pub(super) fn stem(word: &str) -> &str {
    if word.len() <= 3 || !word.is_ascii() {
        return word;
    }
    let singular = match word {
        word if word.ends_with("ies") && word.len() > 4 => &word[..word.len() - 2],
        word if word.ends_with("sses")
            || word.ends_with("xes")
            || word.ends_with("ches")
            || word.ends_with("shes") =>
        {
            &word[..word.len() - 2]
        }
        word if word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && !word.ends_with("is") =>
        {
            &word[..word.len() - 1]
        }
        word => word,
    };
    let cut = ["ing", "ed", "ion", "er", "or"]
        .into_iter()
        .filter(|ending| singular.ends_with(ending))
        .map(|ending| &singular[..singular.len() - ending.len()])
        .find(|rest| {
            rest.len() >= 4
                || (rest.len() == 3 && !singular.ends_with("er") && !singular.ends_with("or"))
        })
        .filter(|rest| rest.bytes().any(|byte| b"aeiouy".contains(&byte)))
        .unwrap_or(singular);
    let bytes = cut.as_bytes();
    let doubled = cut.len() < singular.len()
        && cut.len() > 3
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && !b"ls".contains(&bytes[bytes.len() - 1]);
    let cut = if doubled { &cut[..cut.len() - 1] } else { cut };
    match cut.as_bytes() {
        [.., b'e' | b'i' | b'y'] if cut.len() > 3 => &cut[..cut.len() - 1],
        _ => cut,
    }
}

/// Returns the pairs of neighbouring characters of a name, sorted.
pub(super) fn pairs(name: &str) -> Vec<(char, char)> {
    let characters: Vec<char> = name
        .chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let mut pairs: Vec<(char, char)> = characters.windows(2).map(|two| (two[0], two[1])).collect();
    pairs.sort_unstable();
    pairs
}

/// Returns how many pairs two names share, from 0 to 1 (Dice).
pub(super) fn likeness(a: &[(char, char)], b: &[(char, char)]) -> f64 {
    let (mut left, mut right, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(left), b.get(right)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                left += 1;
                right += 1;
            }
        }
    }
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    2.0 * f64::from(shared) / (a.len() + b.len()) as f64
}
