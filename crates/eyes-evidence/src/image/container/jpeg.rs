//! JPEG marker segments (ITU-T T.81, annex B).

use super::ContainerFacts;

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const APP1: u8 = 0xE1;
const TEM: u8 = 0x01;

/// Walks the segments up to the end marker of the first picture.
///
/// Later pictures of a multi-picture file (previews, gain maps) are part of the encoded identity
/// only: every viewer shows the first. A file without an end marker was cut off, which a lenient
/// decoder would hide behind grey.
pub(super) fn scan(bytes: &[u8]) -> ContainerFacts<'_> {
    let mut facts = ContainerFacts::default();
    let mut at = 2;
    while let Some(marker) = next_marker(bytes, &mut at) {
        match marker {
            EOI => return facts,
            SOI | TEM | 0xD0..=0xD7 => {}
            _ => {
                let Some(data) = segment(bytes, &mut at) else {
                    break;
                };
                if marker == APP1 && data.starts_with(b"Exif\0\0") {
                    facts.exif = facts.exif.or(Some(data));
                }
                if marker == SOS {
                    skip_entropy_coded(bytes, &mut at);
                }
            }
        }
    }
    facts.truncated = true;
    facts
}

/// Finds the next marker at or after `at` and moves behind it; fill bytes and stray data are passed over.
fn next_marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        let pair = bytes.get(*at..at.checked_add(2)?)?;
        *at += 1;
        if pair[0] == 0xFF && pair[1] != 0xFF && pair[1] != 0 {
            *at += 1;
            return Some(pair[1]);
        }
    }
}

/// Returns the data of the segment at `at` and moves behind it.
fn segment<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a [u8]> {
    let length = bytes.get(*at..at.checked_add(2)?)?;
    let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
    let end = at.checked_add(length.max(2))?;
    let data = bytes.get(*at + 2..end)?;
    *at = end;
    Some(data)
}

/// Moves to the first marker that ends entropy-coded data: stuffed zeros and restarts do not.
fn skip_entropy_coded(bytes: &[u8], at: &mut usize) {
    while let Some(pair) = bytes.get(*at..*at + 2) {
        match (pair[0], pair[1]) {
            (0xFF, 0x00 | 0xD0..=0xD7) => *at += 2,
            (0xFF, 0xFF) => *at += 1,
            (0xFF, _) => return,
            _ => *at += 1,
        }
    }
}
