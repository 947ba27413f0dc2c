//! Sessions, without their ids.

use std::fmt;

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

/// What is hashed before a session's id, so that the digest is no other log's.
const DOMAIN: &[u8] = b"eyes-usage/session/v1\0";

/// The SHA-256 digest of a session's id; the id itself is never kept.
///
/// There is no key: it would have to lie beside the ledger, where whoever reads the one reads the other. An id
/// that can be guessed can be found by trying, so this is a pseudonym and no more; hosts' ids are random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionDigest(Sha256Digest);

impl SessionDigest {
    /// Hashes an id.
    pub fn of(id: &str) -> Self {
        Self(Sha256Digest::of_parts([DOMAIN, id.as_bytes()]))
    }
}

impl fmt::Display for SessionDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_no_plain_hash_of_the_id() {
        let digest = SessionDigest::of("session-1");
        assert_eq!(digest, SessionDigest::of("session-1"));
        assert_ne!(digest, SessionDigest::of("session-2"));
        assert_ne!(
            digest.to_string(),
            Sha256Digest::of(b"session-1").to_string()
        );
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(json, format!("\"{digest}\""));
        assert_eq!(
            serde_json::from_str::<SessionDigest>(&json).unwrap(),
            digest
        );
    }
}
