use super::{
    confusion::settle,
    ctc::{Alphabet, Glyph},
};

/// One row of probabilities for each class of `classes`.
fn rows(alphabet: &Alphabet, classes: &[(usize, f32)]) -> Vec<f32> {
    let mut values = Vec::new();
    for (class, probability) in classes {
        let mut row = vec![0.0; alphabet.classes()];
        row[*class] = *probability;
        values.extend(row);
    }
    values
}

fn read(alphabet: &Alphabet, classes: &[(usize, f32)]) -> (String, Vec<f32>, Vec<f32>) {
    let glyphs = alphabet.decode(&rows(alphabet, classes), classes.len());
    (
        glyphs.iter().map(|glyph| glyph.text.as_str()).collect(),
        glyphs.iter().map(|glyph| glyph.probability).collect(),
        glyphs.iter().map(|glyph| glyph.middle).collect(),
    )
}

#[test]
fn repeats_are_one_and_blanks_part_them() {
    let alphabet = Alphabet::new("a\nb\n");
    let (text, probabilities, middles) = read(
        &alphabet,
        &[
            (0, 0.9),
            (1, 0.5),
            (1, 0.8),
            (0, 0.9),
            (1, 0.7),
            (2, 0.6),
            (3, 0.9),
            (2, 0.9),
        ],
    );
    assert_eq!(text, "aab b");
    assert_eq!(probabilities, [0.8, 0.7, 0.6, 0.9, 0.9]);
    assert_eq!(middles, [0.25, 0.5625, 0.6875, 0.8125, 0.9375]);
}

#[test]
fn nothing_is_read_from_blanks_or_from_no_steps() {
    let alphabet = Alphabet::new("a\nb\n");
    assert_eq!(read(&alphabet, &[(0, 0.9), (0, 0.9)]).0, "");
    assert_eq!(read(&alphabet, &[]).0, "");
}

#[test]
fn entries_of_the_dictionary_are_not_trimmed() {
    let alphabet = Alphabet::new("a\n\u{3000}\nb\n");
    assert_eq!(alphabet.classes(), 5);
    assert_eq!(
        read(&alphabet, &[(1, 0.9), (2, 0.9), (3, 0.9)]).0,
        "a\u{3000}b"
    );
}

/// Makes glyphs of a text; `other` names the runner-up of the character at one place.
fn glyphs(text: &str, other: Option<(usize, char, f32)>) -> Vec<Glyph> {
    let glyph = |(index, c): (usize, char)| Glyph {
        text: c.to_string(),
        probability: 0.9,
        runner_up: other
            .filter(|(at, ..)| *at == index)
            .map(|(_, c, p)| (c, p)),
        middle: 0.0,
    };
    text.chars().enumerate().map(glyph).collect()
}

#[test]
fn the_rest_of_a_word_decides_between_look_alikes() {
    let table = [
        // Undecided, and the rest of the word is of one kind.
        ("[INF0]", Some((4, 'O', 0.1)), "[INFO]"),
        ("EYEs", Some((3, 'S', 0.1)), "EYES"),
        ("1O24", Some((1, '0', 0.3)), "1024"),
        ("wi1l", Some((2, 'l', 0.3)), "will"),
        // Decided: nothing changes.
        ("INF0", Some((3, 'O', 0.01)), "INF0"),
        ("INF0", None, "INF0"),
        // Not alike, or of mixed kinds.
        ("INF0", Some((3, 'Q', 0.4)), "INF0"),
        ("A10", Some((2, 'O', 0.4)), "A10"),
        ("Option", Some((0, 'o', 0.4)), "Option"),
        ("iPhOne", Some((3, '0', 0.4)), "iPhOne"),
        // A hexadecimal number, whatever the recogniser thinks.
        ("Ox80070005:", None, "0x80070005:"),
        ("θxlf", None, "0x1f"),
        ("Oxford", None, "Oxford"),
        ("Oxe", None, "Oxe"),
        ("Oxide", None, "Oxide"),
        ("Oxbed", None, "Oxbed"),
    ];
    for (text, other, expected) in table {
        let mut word = glyphs(text, other);
        settle(&mut word);
        let settled: String = word.iter().map(|glyph| glyph.text.as_str()).collect();
        assert_eq!(settled, expected, "{text} {other:?}");
    }
}
