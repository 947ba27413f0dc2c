//! WebP chunks (RFC 9649, section 2).

use super::ContainerFacts;

/// The animation bit of the VP8X flags (RFC 9649, 2.7.1).
const ANIMATION: u8 = 0x02;

/// Walks the chunks inside the RIFF header's length.
///
/// Animated are a file with the animation flag, an ANIM or an ANMF chunk, even for one frame:
/// frames are composed over time, and no still picture is stored.
pub(super) fn scan(bytes: &[u8]) -> ContainerFacts<'_> {
    let mut facts = ContainerFacts::default();
    let stated = bytes
        .get(4..8)
        .and_then(|n| n.first_chunk::<4>())
        .map_or(0, |n| u32::from_le_bytes(*n) as usize);
    let end = stated.saturating_add(8);
    facts.truncated = end > bytes.len();
    let mut rest = bytes.get(12..end.min(bytes.len())).unwrap_or(&[]);
    while let Some((head, body)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let data = body.get(..length).unwrap_or(body);
        facts.truncated |= length > body.len();
        match &head[..4] {
            b"VP8X" => facts.animated |= data.first().is_some_and(|f| f & ANIMATION != 0),
            b"ANIM" | b"ANMF" => facts.animated = true,
            b"EXIF" => facts.exif = facts.exif.or(Some(data)),
            _ => {}
        }
        // Chunks are padded to an even length.
        let next = length.saturating_add(length & 1);
        rest = body.get(next..).unwrap_or(&[]);
    }
    facts
}
