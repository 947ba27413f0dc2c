//! Addresses of resources: dot segments, and the spellings that a deny glob must see.

use url::Url;

use crate::limits::MAX_DECODING_ROUNDS;

/// Tells whether a segment of the address is `.` or `..`, however often it is percent-encoded.
///
/// Segments end at `/`, `\`, `?`, `#`, `&` and `=`; parameters behind `;` and trailing white space do not hide one,
/// since there are servers that cut both off. An address that still changes after
/// [`MAX_DECODING_ROUNDS`](crate::limits::MAX_DECODING_ROUNDS) decodings counts as having one.
pub fn has_dot_segment(address: &str) -> bool {
    let mut bytes = address.as_bytes().to_vec();
    for _ in 0..MAX_DECODING_ROUNDS {
        if bytes.split(|&byte| ends_segment(byte)).any(is_dots) {
            return true;
        }
        let decoded = decode(&bytes);
        if decoded == bytes {
            return false;
        }
        bytes = decoded;
    }
    true
}

const fn ends_segment(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\' | b'?' | b'#' | b'&' | b'=')
}

fn is_dots(segment: &[u8]) -> bool {
    let end = segment
        .iter()
        .position(|&byte| byte == b';')
        .unwrap_or(segment.len());
    let name = segment[..end].trim_ascii_end();
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    matches!(name, b"." | b"..")
}

/// Returns the spellings of one address that a deny glob is tried on: as it came, decoded as often as something is
/// encoded in it, and each of them as a URL in normal form (RFC 3986, section 6).
pub(super) fn spellings(address: &str) -> Vec<String> {
    let mut all = vec![address.to_owned()];
    let mut bytes = address.as_bytes().to_vec();
    for _ in 0..MAX_DECODING_ROUNDS {
        let decoded = decode(&bytes);
        if decoded == bytes {
            break;
        }
        bytes = decoded;
        all.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    for at in 0..all.len() {
        if let Ok(url) = Url::parse(&all[at]) {
            all.push(url.into());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Decodes each percent-encoded byte once.
fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        if let Some(byte) = encoded(rest) {
            out.push(byte);
            rest = &rest[3..];
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    out
}

/// Reads `%XX` at the start of the bytes.
pub(super) fn encoded(bytes: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    match *bytes {
        [b'%', high, low, ..] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    }
}

/// RFC 3986, section 2.3.
pub(super) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}
