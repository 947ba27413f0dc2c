//! What a file is, from its first bytes.

use super::MediaType;
use crate::limits::MARKUP_SNIFF_BYTES;

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sniffed {
    /// A format that is read.
    Accepted(MediaType),
    /// A known format that is not read, as a noun phrase.
    Known(&'static str),
    /// No known signature.
    Unknown,
}

/// Signatures of formats that are recognised and not read.
const KNOWN: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"II+\0", "a BigTIFF image"),
    (b"MM\0+", "a BigTIFF image"),
    (b"\0\0\x01\0", "a Windows icon (ICO)"),
    (b"\0\0\x02\0", "a Windows cursor (CUR)"),
    (b"8BPS", "a Photoshop document"),
    (b"\xFF\x0A", "a JPEG XL image"),
    (b"\0\0\0\x0CJXL \r\n\x87\n", "a JPEG XL image"),
    (b"\0\0\0\x0CjP  \r\n\x87\n", "a JPEG 2000 image"),
    (b"\xFF\x4F\xFF\x51", "a JPEG 2000 image"),
    (b"qoif", "a QOI image"),
    (b"DDS ", "a DirectDraw surface"),
    (b"\x76\x2F\x31\x01", "an OpenEXR image"),
    (b"#?RADIANCE", "a Radiance HDR image"),
    (b"farbfeld", "a farbfeld image"),
    (b"gimp xcf", "a GIMP document"),
    (b"\x8AMNG\r\n\x1A\n", "an MNG animation"),
    (b"\x8BJNG\r\n\x1A\n", "a JNG image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1F\x8B", "a gzip file"),
    (b"\x1A\x45\xDF\xA3", "a Matroska or WebM video"),
];

/// Brands of ISO base media files (ISO/IEC 14496-12, section 4.3).
const BRANDS: &[(&[u8], &str)] = &[
    (b"avif", "an AVIF image"),
    (b"avis", "an AVIF animation"),
    (b"heic", "a HEIC image"),
    (b"heix", "a HEIC image"),
    (b"hevc", "a HEIC animation"),
    (b"heim", "a HEIC image"),
    (b"mif1", "a HEIF image"),
    (b"msf1", "a HEIF animation"),
];

/// Recognises a file by content; names and declared types are never asked.
pub(super) fn sniff(bytes: &[u8]) -> Sniffed {
    if let Some(media_type) = accepted(bytes) {
        return Sniffed::Accepted(media_type);
    }
    if let Some((_, name)) = KNOWN.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Sniffed::Known(name);
    }
    if bytes.starts_with(b"RIFF") {
        return Sniffed::Known("a RIFF file (audio or video)");
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        let brand = bytes.get(8..12).unwrap_or(&[]);
        let name = BRANDS.iter().find(|(magic, _)| *magic == brand);
        return Sniffed::Known(name.map_or("an MP4 or QuickTime file", |(_, name)| name));
    }
    if let [b'P', b'1'..=b'7', b' ' | b'\t' | b'\r' | b'\n', ..] = bytes {
        return Sniffed::Known("a Netpbm image");
    }
    markup(bytes).map_or(Sniffed::Unknown, Sniffed::Known)
}

fn accepted(bytes: &[u8]) -> Option<MediaType> {
    if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        Some(MediaType::Png)
    } else if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        Some(MediaType::Jpeg)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(MediaType::Webp)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(MediaType::Gif)
    } else if bytes.starts_with(b"BM") && bitmap_header(bytes) {
        Some(MediaType::Bmp)
    } else {
        None
    }
}

/// "BM" alone begins many texts: the length of the information header must be a known one too.
fn bitmap_header(bytes: &[u8]) -> bool {
    let length = bytes.get(14..18).and_then(|n| n.first_chunk::<4>());
    length.is_some_and(|n| {
        matches!(
            u32::from_le_bytes(*n),
            12 | 16 | 40 | 52 | 56 | 64 | 108 | 124
        )
    })
}

/// Looks for the root element of a document behind byte order mark, prologue and comments.
fn markup(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let head = head
        .get(..MARKUP_SNIFF_BYTES)
        .unwrap_or(head)
        .trim_ascii_start();
    if head.first() != Some(&b'<') {
        return None;
    }
    let has = |tag: &[u8]| head.windows(tag.len()).any(|w| w.eq_ignore_ascii_case(tag));
    if has(b"<html") || has(b"<!doctype html") {
        Some("an HTML document")
    } else if has(b"<svg") {
        Some("an SVG drawing")
    } else if has(b"<?xml") {
        Some("an XML document")
    } else {
        None
    }
}
