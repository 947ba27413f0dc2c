//! Private key blocks (RFC 7468, `OpenPGP` armour).

use super::{SecretKind, Span};
use crate::limits::MAX_PEM_LABEL_BYTES;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Finds private key blocks; one that never ends reaches to the end of the text.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(found) = text[at..].find(BEGIN) {
        let start = at + found;
        let label_start = start + BEGIN.len();
        let label = label(&text.as_bytes()[label_start..]);
        at = label_start + label.len();
        if !label.ends_with(b"PRIVATE KEY") && !label.ends_with(b"PRIVATE KEY BLOCK") {
            continue;
        }
        let end = text[at..].find(END).map_or(text.len(), |found| {
            let label_start = at + found + END.len();
            let rest = &text.as_bytes()[label_start..];
            let length = self::label(rest).len();
            let dashes = rest[length..]
                .iter()
                .take(5)
                .take_while(|&&b| b == b'-')
                .count();
            label_start + length + dashes
        });
        spans.push(Span {
            start,
            end,
            kind: SecretKind::PrivateKey,
        });
        at = end;
    }
}

/// Returns the words before the closing dashes.
fn label(bytes: &[u8]) -> &[u8] {
    let length = bytes
        .iter()
        .take(MAX_PEM_LABEL_BYTES)
        .take_while(|&&byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ')
        .count();
    &bytes[..length]
}
