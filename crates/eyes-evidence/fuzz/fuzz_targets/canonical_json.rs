//! Any bytes are strict JSON or are refused; the canonical form is a fixed point with the same value.
#![no_main]

use eyes_evidence::canonical::{Canonical, parse_strict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(read) = parse_strict(data) else { return };
    let canonical = Canonical::of_value(&read.value).expect("strict JSON has a canonical form");
    let again = parse_strict(canonical.as_str().as_bytes()).expect("canonical JSON is strict JSON");
    let twice = Canonical::of_value(&again.value).expect("strict JSON has a canonical form");
    assert_eq!(canonical.as_str(), twice.as_str());
    assert_eq!(canonical.digest(), twice.digest());
});
