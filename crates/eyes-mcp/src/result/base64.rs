//! Canonical base64 (RFC 4648, section 4): one text for one run of bytes.

use ::base64::{Engine as _, engine::general_purpose::STANDARD};

/// Which bytes are digits.
const VALUE: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut table = [u8::MAX; 256];
    let mut at = 0;
    while at < alphabet.len() {
        table[alphabet[at] as usize] = at as u8;
        at += 1;
    }
    table
};

/// Returns how many bytes a canonical text decodes to, at least 1; nothing for any other text.
///
/// Nothing is allocated: it is asked before the bounds are known to hold.
pub(super) fn canonical_len(text: &str) -> Option<usize> {
    let text = text.as_bytes();
    if text.is_empty() || !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take(2).take_while(|byte| **byte == b'=');
    let padding = padding.count();
    let digits = &text[..text.len() - padding];
    let bad = digits
        .iter()
        .fold(0, |bad, byte| bad | (VALUE[usize::from(*byte)] & 0xc0));
    // Bits of the last digit that belong to no byte are zero in the canonical text.
    let stray = match padding {
        1 => 0b11,
        2 => 0b1111,
        _ => 0,
    };
    let last = VALUE[usize::from(*digits.last()?)];
    (bad == 0 && last & stray == 0).then_some(text.len() / 4 * 3 - padding)
}

/// Decodes a canonical text.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Estimates the bytes of a text that need not be canonical; for people to read.
pub(super) const fn about_bytes(text: &str) -> usize {
    text.len() / 4 * 3
}
