use super::ctc::Alphabet;

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
