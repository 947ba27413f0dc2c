//! The sum over a text that comes in pieces.

use std::io;

use super::table::weight;

/// Sums the weights of a text.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    thousandths: u64,
}

impl Counter {
    pub(super) const fn new() -> Self {
        Self { thousandths: 0 }
    }

    /// Goes on with more of the text.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.thousandths += bytes.iter().map(|&byte| weight(byte)).sum::<u64>();
    }

    /// Returns the tokens so far, rounded up.
    pub(super) const fn tokens(&self) -> u64 {
        self.thousandths.div_ceil(1_000)
    }
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
