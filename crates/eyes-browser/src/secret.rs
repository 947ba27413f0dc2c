//! Values that must not appear anywhere, and what stands in their place.

use std::{borrow::Cow, fmt};

use eyes_evidence::{
    digest::Sha256Digest,
    ports::RandomSource,
    redact::{MARK, Redactor},
};
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;

use crate::{
    limits::{MAX_KNOWN_SECRETS, SHORT_SECRET_BYTES},
    ports::{SecretSource, UploadRule},
};

/// A secret value; `Debug` shows a mark.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// Takes a value.
    pub fn new(value: impl Into<Box<str>>) -> Self {
        Self(value.into())
    }

    /// Returns the value.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MARK)
    }
}

/// The key of one run; digests of two runs cannot be compared, and none can be guessed by trying.
pub struct RunKey([u8; 32]);

impl fmt::Debug for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunKey")
    }
}

/// A typed text as it is written down: its length in code points and HMAC-SHA-256 under the run's key (RFC 2104).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyedDigest {
    /// Code points.
    pub length: usize,
    /// The digest.
    pub hmac_sha256: Sha256Digest,
}

impl fmt::Display for KeyedDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} characters, hmac-sha256 {}",
            self.length, self.hmac_sha256
        )
    }
}

impl RunKey {
    /// Draws a key.
    pub fn draw(random: &dyn RandomSource) -> Self {
        let mut key = [0; 32];
        for part in key.chunks_exact_mut(8) {
            part.copy_from_slice(&random.next_u64().to_le_bytes());
        }
        Self(key)
    }

    /// Computes the digest of a text.
    pub fn digest(&self, text: &str) -> KeyedDigest {
        // A key of any length is accepted; the fallback has no key and cannot be reached.
        let bytes = Hmac::<Sha256>::new_from_slice(&self.0).map_or([0; 32], |mut mac| {
            mac.update(text.as_bytes());
            mac.finalize().into_bytes().into()
        });
        KeyedDigest {
            length: text.chars().count(),
            hmac_sha256: Sha256Digest::from_bytes(bytes),
        }
    }
}

/// The secrets of a session so far, removed from every text that leaves it.
///
/// Values of [`SHORT_SECRET_BYTES`] and less are only removed where they stand alone as a word: elsewhere they would
/// tear ordinary text apart.
#[derive(Default)]
pub struct KnownSecrets {
    values: Vec<Box<str>>,
    exact: Redactor,
    short: Vec<Box<str>>,
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KnownSecrets({})", self.values.len())
    }
}

impl KnownSecrets {
    /// Adds a value; false where there are [`MAX_KNOWN_SECRETS`] already, and it must not be used then.
    #[must_use]
    pub fn learn(&mut self, value: &str) -> bool {
        if value.is_empty() || self.values.iter().any(|known| &**known == value) {
            return true;
        }
        if self.values.len() >= MAX_KNOWN_SECRETS {
            return false;
        }
        self.values.push(value.into());
        if value.len() <= SHORT_SECRET_BYTES {
            self.short.push(value.into());
        } else {
            let long = self.values.iter().filter(|v| v.len() > SHORT_SECRET_BYTES);
            let exact = Redactor::with_values(long);
            if exact.skipped() > 0 {
                self.values.pop();
                return false;
            }
            self.exact = exact;
        }
        true
    }

    /// Replaces every known value by a mark.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.values.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut text = self.exact.redact_values(text);
        for short in &self.short {
            if let Some(cleaned) = without_word(&text, short) {
                text = Cow::Owned(cleaned);
            }
        }
        text
    }

    /// Replaces in place.
    pub fn scrub(&self, text: &mut String) {
        if let Cow::Owned(cleaned) = self.clean(text) {
            *text = cleaned;
        }
    }
}

/// Replaces `word` where no letter or digit touches it; nothing where it does not occur so.
fn without_word(text: &str, word: &str) -> Option<String> {
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(word) {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        if before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric) {
            continue;
        }
        out.push_str(&text[done..at]);
        out.push_str(MARK);
        done = at + word.len();
    }
    (done > 0).then(|| out + &text[done..])
}

/// A source without secrets, and a rule without files: what a session has where nothing else is configured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl SecretSource for Nothing {
    fn secret(&self, _: &str) -> Option<Secret> {
        None
    }
}

impl UploadRule for Nothing {
    fn admit(&self, _: &std::path::Path) -> Result<std::path::PathBuf, String> {
        Err("no folder is allowed for uploads".to_owned())
    }
}
