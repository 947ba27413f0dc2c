//! From the recogniser's time steps to text (connectionist temporal classification, greedy).

/// One recognised character.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::engine) struct Glyph {
    /// The dictionary entry; usually one character.
    pub(in crate::engine) text: String,
    /// Its probability.
    pub(in crate::engine) probability: f32,
    /// The next likeliest character at its best time step, and its probability.
    pub(in crate::engine) runner_up: Option<(char, f32)>,
    /// The middle of its time steps, as a share of the input's width.
    pub(in crate::engine) middle: f32,
}

impl Glyph {
    /// Makes a space that nobody recognised, at the place of a cut.
    pub(in crate::engine) fn space(middle: f32) -> Self {
        Self {
            text: " ".to_owned(),
            probability: 1.0,
            runner_up: None,
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
        let mut open: Option<(Peak, usize)> = None;
        let peaks = probabilities.chunks_exact(self.classes()).map(Peak::of);
        // One step without a character closes the last glyph.
        for (step, peak) in peaks.chain([Peak::BLANK]).enumerate() {
            match &mut open {
                Some((best, _)) if best.class == peak.class => {
                    if peak.probability > best.probability {
                        *best = peak;
                    }
                }
                _ => {
                    if let Some((best, first)) = open.take() {
                        glyphs.push(self.glyph(best, (first + step) as f32 / (2 * steps) as f32));
                    }
                    open = (peak.class != 0).then_some((peak, step));
                }
            }
        }
        glyphs
    }

    fn glyph(&self, peak: Peak, middle: f32) -> Glyph {
        let second = self.entry(peak.second).chars().next();
        Glyph {
            text: self.entry(peak.class).to_owned(),
            probability: peak.probability,
            runner_up: second
                .filter(|_| peak.second != 0)
                .map(|c| (c, peak.second_probability)),
            middle,
        }
    }
}

/// The two likeliest classes of one time step.
#[derive(Debug, Clone, Copy)]
struct Peak {
    class: usize,
    probability: f32,
    second: usize,
    second_probability: f32,
}

impl Peak {
    /// A step without a character.
    const BLANK: Self = Self {
        class: 0,
        probability: 1.0,
        second: 0,
        second_probability: 0.0,
    };

    /// Finds the largest and second largest value, the first of equal ones.
    fn of(row: &[f32]) -> Self {
        let mut peak = Self {
            class: 0,
            probability: f32::MIN,
            second: 0,
            second_probability: f32::MIN,
        };
        for (class, value) in row.iter().enumerate() {
            if *value > peak.probability {
                (peak.second, peak.second_probability) = (peak.class, peak.probability);
                (peak.class, peak.probability) = (class, *value);
            } else if *value > peak.second_probability {
                (peak.second, peak.second_probability) = (class, *value);
            }
        }
        peak
    }
}
