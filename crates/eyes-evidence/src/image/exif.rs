//! Orientation from EXIF data (CIPA DC-008, section 4.6.4; TIFF 6.0, section 2).

/// The tag of the orientation (CIPA DC-008, 4.6.4.A).
const ORIENTATION: u16 = 0x0112;
/// TIFF field type SHORT.
const SHORT: u16 = 3;

/// Byte order of a TIFF structure.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let raw: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self {
            Self::Little => u16::from_le_bytes(raw),
            Self::Big => u16::from_be_bytes(raw),
        })
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let raw: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(raw),
            Self::Big => u32::from_be_bytes(raw),
        })
    }
}

/// Returns the orientation 2..=8 that the first directory of an EXIF block states.
///
/// Nothing for 1 (upright), for values that the standard does not know and for a damaged block:
/// the orientation is a note, and no reason to refuse a picture. Reads one directory, at most
/// 65,535 entries of 12 bytes, and follows no pointer but the first.
pub(super) fn orientation(exif: &[u8]) -> Option<u8> {
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let order = match tiff.get(..4)? {
        b"II*\0" => Order::Little,
        b"MM\0*" => Order::Big,
        _ => return None,
    };
    let directory = order.u32(tiff, 4)? as usize;
    let entries = usize::from(order.u16(tiff, directory)?);
    let first = directory.checked_add(2)?;
    for index in 0..entries {
        let at = first.checked_add(index * 12)?;
        if order.u16(tiff, at)? != ORIENTATION {
            continue;
        }
        if order.u16(tiff, at + 2)? != SHORT || order.u32(tiff, at + 4)? != 1 {
            return None;
        }
        let value = order.u16(tiff, at + 8)?;
        return u8::try_from(value).ok().filter(|v| (2..=8).contains(v));
    }
    None
}
