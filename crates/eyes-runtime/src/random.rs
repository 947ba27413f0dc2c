//! The system's randomness.

use std::hash::{BuildHasher, Hasher, RandomState};

use eyes_router::ports::RandomSource;

/// A [`RandomSource`] fed by the operating system.
///
/// Each number is the keyed hash (`SipHash`) of nothing under fresh keys of the standard library, which takes
/// them from the system. That is good enough for grids and waits; it makes no secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl RandomSource for SystemRandom {
    fn next_u64(&self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_differ() {
        let numbers: BTreeSet<u64> = (0..100).map(|_| SystemRandom.next_u64()).collect();
        assert_eq!(numbers.len(), 100);
    }
}
