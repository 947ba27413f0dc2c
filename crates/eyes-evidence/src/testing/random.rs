//! Numbers that a test can foresee.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::ports::RandomSource;

/// A [`RandomSource`] that gives the same scattered numbers in every run (`SplitMix64`).
#[derive(Debug, Default)]
pub struct CountingRandom(AtomicU64);

impl RandomSource for CountingRandom {
    fn next_u64(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}
