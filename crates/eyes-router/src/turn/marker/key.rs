//! Keys that bind a marker to its session.

use std::fmt;

use eyes_evidence::digest::Sha256Digest;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a tag as it stands in a marker: 128 bits, out of reach of guessing.
const TAG_BYTES: usize = 16;

/// A secret of this installation, from which the keys of sessions are derived.
///
/// Whoever knows it can write markers that are believed; it is kept in a private file.
#[derive(Clone)]
pub struct MarkerKey([u8; 32]);

impl MarkerKey {
    /// Takes 32 unpredictable bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Derives the key of one session.
    pub(in crate::turn) fn session(&self, session: &str) -> SessionKey {
        let mut mac = keyed(&self.0);
        mac.update(b"deepseekeyes.session.v1\0");
        mac.update(session.as_bytes());
        SessionKey(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for MarkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MarkerKey(..)")
    }
}

/// The key of one session: markers of another session, and texts that imitate one, do not pass it.
#[derive(Clone)]
pub(in crate::turn) struct SessionKey([u8; 32]);

impl SessionKey {
    /// Returns the tag of `text` in `domain`: 32 lower-case hexadecimal digits.
    pub(super) fn tag(&self, domain: &str, text: &str) -> String {
        let whole: [u8; 32] = self.mac(domain, text).finalize().into_bytes().into();
        let mut tag = Sha256Digest::from_bytes(whole).to_string();
        tag.truncate(TAG_BYTES * 2);
        tag
    }

    /// Tells whether `tag` is that of `text`; the time that takes does not depend on where they differ.
    pub(super) fn verifies(&self, domain: &str, text: &str, tag: &str) -> bool {
        let Some(bytes) = decode(tag) else {
            return false;
        };
        self.mac(domain, text).verify_truncated_left(&bytes).is_ok()
    }

    fn mac(&self, domain: &str, text: &str) -> Hmac<Sha256> {
        let mut mac = keyed(&self.0);
        mac.update(domain.as_bytes());
        mac.update(b"\0");
        mac.update(text.as_bytes());
        mac
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(..)")
    }
}

/// Starts HMAC-SHA256 (RFC 2104, FIPS 198-1).
fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}

fn decode(tag: &str) -> Option<[u8; TAG_BYTES]> {
    // The digest's own reader knows lower-case digits only; the missing half is filled up.
    let padded = format!("{tag:0<64}");
    if tag.len() != TAG_BYTES * 2 {
        return None;
    }
    let digest: Sha256Digest = padded.parse().ok()?;
    digest.as_bytes()[..TAG_BYTES].try_into().ok()
}
