//! The secret that lets a client in.

use std::fmt;

use eyes_evidence::digest::Sha256Digest;

use crate::{limits::MIN_TOKEN_CHARS, ports::RandomSource};

/// A bearer token (RFC 6750) that was made for one run of the server. `Debug` shows a mark.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(Box<str>);

impl BearerToken {
    /// Makes a token of 256 unforeseeable bits.
    pub fn generate(random: &dyn RandomSource) -> Self {
        let words = [(); 4].map(|()| format!("{:016x}", random.next_u64()));
        Self(words.concat().into())
    }

    /// Takes a token that the caller chose; nothing for one that is not
    /// [`MIN_TOKEN_CHARS`](crate::limits::MIN_TOKEN_CHARS) visible ASCII characters or more.
    pub fn chosen(text: &str) -> Option<Self> {
        let fits =
            text.len() >= MIN_TOKEN_CHARS && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.into()))
    }

    /// Returns the token, to be shown once to whoever starts the server.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Tells whether an Authorization header carries this token.
    ///
    /// How long it takes says nothing of how much of a guess is right: digests of both are compared, every byte
    /// of them.
    pub fn admits(&self, authorization: Option<&[u8]>) -> bool {
        let Some((scheme, given)) = authorization.and_then(|value| value.split_at_checked(7))
        else {
            return false;
        };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        let given = Sha256Digest::of(given.trim_ascii());
        let own = Sha256Digest::of(self.0.as_bytes());
        let pairs = given.as_bytes().iter().zip(own.as_bytes());
        pairs.fold(0_u8, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken([REDACTED])")
    }
}
