//! GIF blocks (`GIF89a`, sections 18 to 27).

use super::ContainerFacts;

const IMAGE: u8 = 0x2C;
const EXTENSION: u8 = 0x21;

/// Walks the blocks up to the trailer; more than one image descriptor is an animation.
///
/// A missing trailer after a whole image is common in the wild and loses nothing; anything else
/// that ends early is cut off.
pub(super) fn scan(bytes: &[u8]) -> ContainerFacts<'_> {
    let mut facts = ContainerFacts::default();
    let mut images = 0_u32;
    let mut at = 13 + colour_table(bytes.get(10).copied().unwrap_or(0));
    loop {
        let Some(&block) = bytes.get(at) else {
            facts.truncated = images == 0;
            return facts;
        };
        at = match block {
            IMAGE => {
                images += 1;
                if images > 1 {
                    facts.animated = true;
                    return facts;
                }
                // Descriptor of 10 bytes, local colour table, then the LZW code size.
                at + 10 + colour_table(bytes.get(at + 9).copied().unwrap_or(0)) + 1
            }
            EXTENSION => at + 2,
            // The trailer ends the file; on stray bytes between blocks the decoder decides.
            _ => return facts,
        };
        let Some(next) = skip_sub_blocks(bytes, at) else {
            facts.truncated = true;
            return facts;
        };
        at = next;
    }
}

/// Bytes of the colour table that packed flags announce.
fn colour_table(flags: u8) -> usize {
    if flags & 0x80 == 0 {
        0
    } else {
        3 << ((flags & 7) + 1)
    }
}

/// Returns the offset behind the sub-blocks at `at`, or nothing when the file ends inside.
fn skip_sub_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}
