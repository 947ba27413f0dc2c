//! Characters that look alike: the neighbours decide what the shape leaves open.

use super::Glyph;

/// Probability of the runner-up from which two look-alikes count as undecided.
const UNDECIDED: f32 = 0.02;

/// Decides look-alikes by the word around them.
///
/// Two rules, both on runs of letters and digits: a hexadecimal number after `0x` holds no `O` and no `l`;
/// and where the recogniser itself was undecided between two look-alikes, the kind that the whole rest of
/// the word has (digits, capitals, small letters) wins.
pub(super) fn settle(glyphs: &mut [Glyph]) {
    let mut start = 0;
    while start < glyphs.len() {
        let length = glyphs[start..]
            .iter()
            .take_while(|glyph| word_character(glyph).is_some())
            .count();
        if length > 1 {
            settle_word(&mut glyphs[start..start + length]);
        }
        start += length.max(1);
    }
}

/// Returns the one letter or digit of a glyph; `θ` is what a zero with a dot or a slash is taken for.
fn word_character(glyph: &Glyph) -> Option<char> {
    let mut characters = glyph.text.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) if c.is_ascii_alphanumeric() || c == 'θ' => Some(c),
        _ => None,
    }
}

fn settle_word(word: &mut [Glyph]) {
    let characters: Vec<char> = word.iter().filter_map(word_character).collect();
    if let Some(number) = hexadecimal(&characters) {
        for (glyph, c) in word.iter_mut().zip(number) {
            glyph.text = c.to_string();
        }
        return;
    }
    for (index, glyph) in word.iter_mut().enumerate() {
        let others = || {
            let before = &characters[..index];
            let after = &characters[index + 1..];
            before.iter().chain(after).copied()
        };
        let Some(other) = glyph.runner_up.filter(|(_, p)| *p >= UNDECIDED) else {
            continue;
        };
        let fits = |c: char| {
            if c.is_ascii_digit() {
                others().all(|o| o.is_ascii_digit())
            } else if c.is_ascii_uppercase() {
                others().count() > 1 && others().all(|o| o.is_ascii_uppercase())
            } else {
                // A word may begin with a capital: its first letter is open.
                index > 0 && others().all(|o| o.is_ascii_lowercase())
            }
        };
        let given = characters[index];
        if alike(given, other.0) && !fits(given) && fits(other.0) {
            glyph.text = other.0.to_string();
        }
    }
}

/// Returns a word as a hexadecimal number where it is one but for look-alikes; at least two digits.
fn hexadecimal(word: &[char]) -> Option<Vec<char>> {
    let ['0' | 'O' | 'o' | 'θ', 'x', digits @ ..] = word else {
        return None;
    };
    let digit = |c: &char| match c {
        'O' | 'o' | 'θ' => Some('0'),
        'l' | 'I' => Some('1'),
        c if c.is_ascii_hexdigit() => Some(*c),
        _ => None,
    };
    let digits: Vec<char> = digits.iter().map(digit).collect::<Option<_>>()?;
    let plain = digits.iter().any(char::is_ascii_digit);
    (digits.len() >= 2 && plain).then(|| ['0', 'x'].into_iter().chain(digits).collect())
}

/// Returns whether two characters share a shape in common fonts.
fn alike(a: char, b: char) -> bool {
    const SHAPES: [&str; 4] = ["0Ooθ", "1lI", "5Ss", "2Zz"];
    SHAPES
        .iter()
        .any(|shape| shape.contains(a) && shape.contains(b))
        || ("cCkKpPsSuUvVwWxXzZ".contains(a) && a.eq_ignore_ascii_case(&b))
}
