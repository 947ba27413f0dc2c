//! From the recogniser's time steps to text (connectionist temporal classification, greedy).

/// One recognised character.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engine) struct Glyph {
    /// The dictionary entry; usually one character.
    pub(in crate::engine) text: String,
    /// Its probability.
    pub(in crate::engine) probability: f32,
    /// The middle of its time steps, as a share of the input's width.
    pub(in crate::engine) middle: f32,
}

impl Glyph {
    /// Makes a space that nobody recognised, at the place of a cut.
    pub(in crate::engine) fn space(middle: f32) -> Self {
        Self {
            text: " ".to_owned(),
            probability: 1.0,
            middle,
        }
    }
}

/// The classes of a recogniser: 0 is no character, the last one is a space, the dictionary lies between.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Alphabet {
    entries: Vec<Box<str>>,
}

impl Alphabet {
    /// Reads a dictionary: one entry a line; entries may be spaces of other widths and are not trimmed.
    pub(in crate::engine) fn new(dictionary: &str) -> Self {
        let entries = dictionary.lines().map(Into::into).collect();
        Self { entries }
    }

    /// Returns how many classes the recogniser has to tell apart.
    pub(in crate::engine) fn classes(&self) -> usize {
        self.entries.len() + 2
    }

    fn entry(&self, class: usize) -> &str {
        class
            .checked_sub(1)
            .and_then(|index| self.entries.get(index))
            .map_or(" ", |entry| entry)
    }

    /// Decodes `steps` rows of class probabilities: the likeliest class of each step, repeats as one,
    /// steps without a character dropped.
    pub(in crate::engine) fn decode(&self, probabilities: &[f32], steps: usize) -> Vec<Glyph> {
        let mut glyphs = Vec::new();
        let mut open: Option<(usize, usize, f32)> = None;
        let likeliest = probabilities.chunks_exact(self.classes()).map(likeliest);
        // One step without a character closes the last glyph.
        for (step, (class, probability)) in likeliest.chain([(0, 1.0)]).enumerate() {
            match &mut open {
                Some((last, _, best)) if *last == class => *best = best.max(probability),
                _ => {
                    if let Some((class, first, probability)) = open.take() {
                        let middle = (first + step) as f32 / (2 * steps) as f32;
                        glyphs.push(Glyph {
                            text: self.entry(class).to_owned(),
                            probability,
                            middle,
                        });
                    }
                    open = (class != 0).then_some((class, step, probability));
                }
            }
        }
        glyphs
    }
}

/// Returns the class of the largest value, the first of equal ones, and that value.
fn likeliest(row: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::MIN);
    for (class, value) in row.iter().enumerate() {
        if *value > best.1 {
            best = (class, *value);
        }
    }
    best
}
