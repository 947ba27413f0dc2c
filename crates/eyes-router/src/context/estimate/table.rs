//! The weights.

/// Thousandths of a token of one byte.
pub(super) const fn weight(byte: u8) -> u64 {
    match byte {
        b'0'..=b'9' => 333,
        b'a'..=b'z' | b'A'..=b'Z' => 230,
        0x80..=0xbf => 50,
        b' ' => 60,
        _ => 500,
    }
}
