//! The sum over a text that comes in pieces.

use std::io;

use super::table::{CLASS, CLASSES, DIGIT, HAN, LETTERS, LINE_FEED, ROOTS, UNITS, WIDTH, WORDS};

/// Spreads the characters of a word over 32 bits (golden ratio), and the bits of a word over its place.
const MIX: [u32; 2] = [0x9E37_79B1, 0x85EB_CA6B];

/// Sums the weights of a text; all state is one row of the table and what goes on over the end of a piece.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    units: u64,
    /// The class before.
    before: usize,
    /// Whether it is a letter of a word that a space began.
    is_spaced: bool,
    /// Digits since the last group of three.
    digits: usize,
    /// The Chinese word so far.
    word: Option<u32>,
}

impl Counter {
    pub(super) const fn new() -> Self {
        Self {
            units: 0,
            before: LINE_FEED,
            is_spaced: false,
            digits: 0,
            word: None,
        }
    }

    /// Goes on with more of the text.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        // A copy stays in registers.
        let mut sum = self.clone();
        while let [byte, rest @ ..] = bytes {
            if let Some((character, behind)) = han(bytes) {
                sum.han(character);
                bytes = behind;
            } else {
                sum.byte(*byte);
                bytes = rest;
            }
        }
        *self = sum;
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        let mut class = usize::from(CLASS[usize::from(byte)]);
        // Groups of three digits are tokens, counted from the first.
        self.digits = match (class == DIGIT, self.digits) {
            (false, _) => 0,
            (true, 3) => 1,
            (true, digits) => digits + 1,
        };
        class += self.digits.saturating_sub(1);
        let row = self.before + usize::from(self.is_spaced) * CLASSES;
        let root = u64::from(ROOTS[(row * WIDTH + class) & (WIDTH * WIDTH - 1)]);
        self.units += root * root;
        self.is_spaced = class < LETTERS && (self.is_spaced || self.before == SPACE);
        self.before = class;
        self.word = None;
    }

    /// Lengthens a word that the tokenizer knows, or begins the next token.
    #[inline]
    fn han(&mut self, character: u32) {
        let longer = self
            .word
            .map(|word| word.wrapping_mul(MIX[0]).wrapping_add(character));
        self.word = longer.filter(|&word| is_known(word));
        if self.word.is_none() {
            self.units += UNITS;
            self.word = Some(character);
        }
        self.before = HAN;
        self.is_spaced = false;
        self.digits = 0;
    }

    /// Returns the tokens so far, rounded up.
    pub(super) const fn tokens(&self) -> u64 {
        self.units.div_ceil(UNITS)
    }
}

/// The class of a space.
const SPACE: usize = LINE_FEED - 1;

/// Returns the Han character (U+4E00 to U+9FFF) at the beginning, and what follows it.
#[inline]
fn han(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let [first @ 0xe4..=0xe9, second, third, rest @ ..] = bytes else {
        return None;
    };
    let bits = |byte: &u8, mask: u8| u32::from(byte & mask);
    let character = bits(first, 0x0f) << 12 | bits(second, 0x3f) << 6 | bits(third, 0x3f);
    (character >= 0x4e00).then_some((character, rest))
}

#[inline]
fn is_known(word: u32) -> bool {
    let place = (word.wrapping_mul(MIX[1]) >> 16) as usize;
    WORDS[place / 8] >> (place % 8) & 1 == 1
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.feed(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
