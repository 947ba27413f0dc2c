//! PNG chunks (W3C PNG, third edition, section 5).

use super::ContainerFacts;
use crate::geometry::PixelSize;

/// Walks the chunks up to IEND.
///
/// Animated are: more than one frame announced (acTL), a second frame control chunk (fcTL), or any
/// frame data outside IDAT (fdAT). Bytes after IEND belong to the encoded identity only.
pub(super) fn scan(bytes: &[u8]) -> ContainerFacts<'_> {
    let mut facts = ContainerFacts::default();
    let mut frame_controls = 0_u32;
    let mut rest = bytes.get(8..).unwrap_or(&[]);
    loop {
        let Some((head, body)) = rest.split_at_checked(8) else {
            facts.truncated = true;
            return facts;
        };
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some((data, after)) = body.split_at_checked(length) else {
            facts.truncated = true;
            return facts;
        };
        match &head[4..8] {
            b"IEND" => return facts,
            b"IHDR" => facts.size = facts.size.or(stated_size(data)),
            b"acTL" => {
                let frames = data.first_chunk::<4>().map(|n| u32::from_be_bytes(*n));
                facts.animated |= frames.is_some_and(|n| n > 1);
            }
            b"fcTL" => {
                frame_controls = frame_controls.saturating_add(1);
                facts.animated |= frame_controls > 1;
            }
            b"fdAT" => facts.animated = true,
            b"eXIf" => facts.exif = facts.exif.or(Some(data)),
            _ => {}
        }
        // A checksum that is cut off shows as a missing next chunk.
        rest = after.get(4..).unwrap_or(&[]);
    }
}

fn stated_size(header: &[u8]) -> Option<PixelSize> {
    let (width, rest) = header.split_first_chunk::<4>()?;
    let (height, _) = rest.split_first_chunk::<4>()?;
    Some(PixelSize {
        width: u32::from_be_bytes(*width),
        height: u32::from_be_bytes(*height),
    })
}
